// What commands do, in program order. Holds the configuration registers, checks everything that the hardware leaves
// undefined, and has the data path do the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "data_path.hpp"
#include "guest_rows.hpp"
#include "load_order.hpp"
#include "memory.hpp"
#include "operation.hpp"

namespace autocomp::gemmini {

class Function {
 public:
  Function(const Config& config, Memory& memory, Counters& counters);

  // Performs `command` and describes it for the timing model. Throws Fault.
  Operation execute(const Command& command);

  // Guest bytes read and written since the last fence.
  bool touches(std::uint64_t address, std::uint64_t size, bool for_write) const;
  void fence();

  const DataPath& data_path() const { return *data_path_; }

 private:
  struct LoadState {
    std::uint64_t stride = 0;
    float scale = 1.0f;
    bool shrunk = false;
    std::int64_t block_stride = 0;
    std::int64_t pixel_repeats = 1;
    bool configured = false;
  };
  struct StoreState {
    std::uint64_t stride = 0;
    StoreMode mode;
    bool pools = false;
    Picture picture;
    bool configured = false;
  };
  struct ExecuteState {
    ArrayMode mode;
    bool a_transpose = false;
    bool b_transpose = false;
    std::int64_t a_stride = 1;
    std::int64_t c_stride = 1;
    bool configured = false;
  };

  const LocalRows& rows_of(LocalAddress address) const {
    return address.accumulator() ? data_path_->accumulator() : data_path_->scratchpad();
  }
  // function_configure.cpp
  void configure(const Command& command, Operation& operation);
  void configure_execute(const Command& command);
  void configure_load(const Command& command);
  void configure_store(const Command& command);
  void configure_normalizer(const Command& command);
  // function_load.cpp
  void load(const Command& command, Operation& operation);
  const std::uint8_t* guest_read(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                 std::int64_t row);
  // function_store.cpp
  void store(const Command& command, Operation& operation);
  void store_matrix(Operation& operation, LocalAddress local, NormCommand norm);
  void store_picture(Operation& operation, LocalAddress local);
  void count_stored(std::uint64_t address, std::uint64_t stride, std::uint64_t bytes, std::int64_t rows);
  std::uint8_t* guest_write(std::uint64_t address, std::uint64_t size, const Operation& operation, std::int64_t row);
  // function_compute.cpp
  void preload(const Command& command, Operation& operation);
  void compute(const Command& command, Operation& operation);
  void check_stride(const char* what, std::int64_t rows, std::int64_t stride) const;
  Matrix decode_matrix(std::uint64_t bits, const char* what) const;
  Operand operand(const Matrix& matrix) const;
  void check_rows(const Matrix& matrix) const;
  void check_order(const char* name, const RowRange& rows) const;

  const Config& config_;
  Memory& memory_;
  Counters& counters_;
  std::unique_ptr<DataPath> data_path_;
  LoadState load_[3];
  StoreState store_;
  ExecuteState execute_;

  bool preloaded_ = false;            // a preload waits for its compute
  Matrix destination_;                // C of the latest preload
  RowRange destination_rows_;         // as the reservation station sees it
  bool array_filled_ = false;
  bool array_output_stationary_ = false;
  std::vector<std::uint8_t> row_buffer_;  // zeros

  GuestRowList reads_, writes_;
  LoadOrder order_;
  std::uint64_t loads_over_ = 0;  // when the store that is performed begins
  std::uint64_t commands_ = 0;
};

}  // namespace autocomp::gemmini
