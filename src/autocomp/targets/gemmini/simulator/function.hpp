// What commands compute, in program order. Holds the local memories and the configuration registers; checks everything
// that the hardware leaves undefined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.hpp"
#include "config.hpp"
#include "counters.hpp"
#include "local_memory.hpp"
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

  const LocalMemory<std::int8_t>& scratchpad() const { return scratchpad_; }
  const LocalMemory<std::int32_t>& accumulator() const { return accumulator_; }

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
    float scale = 1.0f;
    bool relu = false;
    bool configured = false;
  };
  struct ExecuteState {
    bool output_stationary = false;
    bool relu = false;
    bool a_transpose = false;
    bool b_transpose = false;
    std::int64_t a_stride = 1;
    std::int64_t c_stride = 1;
    unsigned shift = 0;
    float operand_scale = 1.0f;
    bool configured = false;
  };
  struct Tile {  // a local address with the extent of the matrix it stands for
    LocalAddress address;
    std::int64_t columns = 0;
    std::int64_t rows = 0;
  };
  struct Touched {  // rows of guest memory that a move reads or writes
    std::uint64_t address, stride, bytes, rows;
  };
  struct TouchedList {
    std::vector<Touched> moves;
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    void add(const Touched& touched);
    bool meets(std::uint64_t address, std::uint64_t size) const;
    void clear();
  };

  // function_configure.cpp
  void configure(const Command& command, Operation& operation);
  void configure_execute(const Command& command);
  void configure_load(const Command& command);
  void configure_store(const Command& command);
  // function_move.cpp
  void load(const Command& command, Operation& operation);
  void load_row(const Operation& operation, const LoadState& state, std::int64_t row, const std::uint8_t* source);
  void store(const Command& command, Operation& operation);
  void store_row(const Operation& operation, bool full_width, std::int64_t row, std::uint8_t* target);
  const std::uint8_t* guest_read(std::uint64_t address, std::uint64_t size, const Operation& operation,
                                 std::int64_t row);
  std::uint8_t* guest_write(std::uint64_t address, std::uint64_t size, const Operation& operation, std::int64_t row);
  // function_compute.cpp
  void preload(const Command& command, Operation& operation);
  void compute(const Command& command, Operation& operation);
  Tile decode_tile(std::uint64_t bits, const char* what) const;
  Operand operand(const Tile& tile, std::int64_t stored_rows, std::int64_t stride, const char* what) const;
  void fetch(const Tile& tile, bool transpose, std::int64_t stride, const char* what, std::int8_t* out) const;
  void check_destination(const Tile& tile) const;
  void check_order(const char* name, const RowRange& rows) const;
  void write_result(const std::int32_t* result);
  void write_accumulator_row(std::int64_t row, const std::int32_t* values, std::int64_t columns, bool accumulate,
                             const char* what);

  const Config& config_;
  Memory& memory_;
  Counters& counters_;
  LocalMemory<std::int8_t> scratchpad_;
  LocalMemory<std::int32_t> accumulator_;
  LoadState load_[3];
  StoreState store_;
  ExecuteState execute_;

  bool preloaded_ = false;            // a preload waits for its compute
  Tile destination_;                  // C of the latest preload
  RowRange destination_rows_;         // as the reservation station sees it
  std::vector<std::int32_t> next_;    // what the latest preload brought: B, or D of the output-stationary flow
  std::vector<std::int32_t> array_;   // resident: B, or the partial sums of the output-stationary flow
  bool array_filled_ = false;
  bool array_output_stationary_ = false;
  std::vector<std::int8_t> a_, b_;    // operands of the current step
  std::vector<std::int32_t> result_;
  std::vector<std::uint8_t> row_buffer_;

  TouchedList reads_, writes_;
  std::uint64_t commands_ = 0;
};

}  // namespace autocomp::gemmini
