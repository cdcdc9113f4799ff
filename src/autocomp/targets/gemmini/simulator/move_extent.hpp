// The extent of a move: what its fields may say.
#pragma once

#include <cstdint>
#include <string>

#include "fault.hpp"
#include "operation.hpp"

namespace autocomp::gemmini {

inline std::string extent(const char* name, const Operation& operation) {
  return std::string(name) + " of " + std::to_string(operation.rows) + " rows x " + std::to_string(operation.columns) +
         " columns";
}

inline void decode_extent(std::uint64_t rs2, Operation& operation) {
  operation.columns = (rs2 >> 32) & 0xffff;
  operation.rows = (rs2 >> 48) & 0xffff;
}

// Sizes that the command's fields may hold and the hardware cannot do.
inline void check_columns(const char* name, const Operation& operation, std::int64_t most_columns) {
  if (operation.columns == 0) {
    throw Fault(FaultKind::kIllegalCommand, extent(name, operation) + " moves nothing: the command never completes");
  }
  if (operation.columns > most_columns) {
    throw Fault(FaultKind::kIllegalCommand,
                extent(name, operation) + ": at most " + std::to_string(most_columns) + " columns in one command");
  }
}

inline void check_extent(const char* name, const Operation& operation, std::int64_t dim, std::int64_t most_columns) {
  if (operation.rows == 0) {
    throw Fault(FaultKind::kIllegalCommand, extent(name, operation) + " moves nothing: the command never completes");
  }
  if (operation.rows > dim) {
    throw Fault(FaultKind::kIllegalCommand,
                extent(name, operation) + ": at most " + std::to_string(dim) + " rows in one command");
  }
  check_columns(name, operation, most_columns);
}

}  // namespace autocomp::gemmini
