// Scratchpad and accumulator contents. Rows that nothing has written are undefined on hardware: reading one is a fault.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fault.hpp"

namespace autocomp::gemmini {

// Which rows there are and which of them have been written, whatever they hold.
class LocalRows {
 public:
  LocalRows(const char* name, std::int64_t rows) : name_(name), rows_(rows), written_(rows) {}

  std::int64_t rows() const { return rows_; }
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

 protected:
  void demand_written(std::int64_t row, const char* what) const {
    if (written_[row]) return;
    throw Fault(FaultKind::kLocalAddress, std::string(what) + " reads " + name_ + " row " + std::to_string(row) +
                                              " that nothing has written");
  }

  void mark_written(std::int64_t row) {
    if (written_[row]) return;
    written_[row] = 1;
    ++rows_used_;
    if (static_cast<std::uint64_t>(row) >= high_water_) high_water_ = row + 1;
  }

 private:
  const char* name_;
  std::int64_t rows_;
  std::vector<std::uint8_t> written_;
  std::uint64_t rows_used_ = 0;
  std::uint64_t high_water_ = 0;
};

template <typename Element>
class LocalMemory : public LocalRows {
 public:
  LocalMemory(const char* name, std::int64_t rows, std::int64_t dim)
      : LocalRows(name, rows), dim_(dim), data_(rows * dim) {}

  const Element* data() const { return data_.data(); }

  const Element* read(std::int64_t row, const char* what) const {
    demand_written(row, what);
    return &data_[row * dim_];
  }

  Element* write(std::int64_t row) {
    mark_written(row);
    return &data_[row * dim_];
  }

 private:
  std::int64_t dim_;
  std::vector<Element> data_;
};

}  // namespace autocomp::gemmini
