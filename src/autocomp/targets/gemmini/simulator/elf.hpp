// Reads a statically linked RV64 program.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace autocomp::gemmini {

struct Segment {
  std::uint64_t base = 0;
  std::uint64_t size = 0;            // in memory; bytes beyond `bytes` are zero
  std::vector<std::uint8_t> bytes;
  bool executable = false;
  bool writable = false;
};

struct Symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

struct Image {
  std::vector<Segment> segments;
  std::unordered_map<std::string, Symbol> symbols;
};

// Throws std::invalid_argument that says what is wrong with the file. `most_bytes` bounds the memory it may ask for.
Image read_elf(const std::vector<std::uint8_t>& file, std::uint64_t most_bytes);

}  // namespace autocomp::gemmini
