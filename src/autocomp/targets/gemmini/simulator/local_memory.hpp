// Scratchpad and accumulator contents. Rows that nothing has written are undefined on hardware: reading one is a fault.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config.hpp"
#include "counters.hpp"
#include "fault.hpp"

namespace autocomp::gemmini {

template <typename Element>
class LocalMemory {
 public:
  LocalMemory(const char* name, std::int64_t rows, std::int64_t dim)
      : name_(name), rows_(rows), dim_(dim), data_(rows * dim), written_(rows) {}

  std::int64_t rows() const { return rows_; }
  const std::vector<Element>& data() const { return data_; }
  std::uint64_t rows_used() const { return rows_used_; }
  std::uint64_t high_water() const { return high_water_; }

  // Every command checks its whole range before it changes anything. `what` names the command's part: it is called
  // only to say so in a message.
  template <typename What>
  void check(std::int64_t row, const What& what) const {
    if (row >= 0 && row < rows_) return;
    throw Fault(FaultKind::kLocalAddress, what() + " reaches " + name_ + " row " + std::to_string(row) + ", but the " +
                                              name_ + " has " + std::to_string(rows_) + " rows");
  }

  bool written(std::int64_t row) const { return written_[row]; }

  const Element* read(std::int64_t row, const char* what) const {
    if (!written_[row]) {
      throw Fault(FaultKind::kLocalAddress, std::string(what) + " reads " + name_ + " row " + std::to_string(row) +
                                                " that nothing has written");
    }
    return &data_[row * dim_];
  }

  Element* write(std::int64_t row) {
    if (!written_[row]) {
      written_[row] = 1;
      ++rows_used_;
      if (static_cast<std::uint64_t>(row) >= high_water_) high_water_ = row + 1;
    }
    return &data_[row * dim_];
  }

 private:
  const char* name_;
  std::int64_t rows_;
  std::int64_t dim_;
  std::vector<Element> data_;
  std::vector<std::uint8_t> written_;
  std::uint64_t rows_used_ = 0;
  std::uint64_t high_water_ = 0;
};

}  // namespace autocomp::gemmini
