#include "elf.hpp"

#include <cstring>

namespace autocomp::gemmini {

namespace {

class Reader {
 public:
  explicit Reader(const std::vector<std::uint8_t>& file) : file_(file) {}

  template <typename T>
  T at(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, range(offset, sizeof(T)), sizeof(T));
    return value;
  }

  const std::uint8_t* range(std::uint64_t offset, std::uint64_t size) const {
    if (size > file_.size() || offset > file_.size() - size) throw std::invalid_argument("ELF file is cut off");
    return file_.data() + offset;
  }

  std::string text(std::uint64_t offset) const {
    std::string out;
    for (char c = at<char>(offset); c != '\0'; c = at<char>(++offset)) out.push_back(c);
    return out;
  }

 private:
  const std::vector<std::uint8_t>& file_;
};

constexpr std::uint16_t kExecutable = 2;
constexpr std::uint16_t kRiscV = 243;
constexpr std::uint32_t kLoad = 1;
constexpr std::uint32_t kSymbolTable = 2;

void read_symbols(const Reader& file, Image& image) {
  const auto table = file.at<std::uint64_t>(0x28);
  const auto entry_size = file.at<std::uint16_t>(0x3a);
  const auto count = file.at<std::uint16_t>(0x3c);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t section = table + i * entry_size;
    if (file.at<std::uint32_t>(section + 4) != kSymbolTable) continue;
    const auto offset = file.at<std::uint64_t>(section + 0x18);
    const auto size = file.at<std::uint64_t>(section + 0x20);
    const auto link = file.at<std::uint32_t>(section + 0x28);
    const auto strings = file.at<std::uint64_t>(table + std::uint64_t{link} * entry_size + 0x18);
    file.range(offset, size);
    for (std::uint64_t at = offset; at + 24 <= offset + size; at += 24) {
      const auto section_index = file.at<std::uint16_t>(at + 6);
      const auto name = file.at<std::uint32_t>(at);
      if (section_index == 0 || name == 0) continue;  // undefined or nameless
      image.symbols[file.text(strings + name)] = {file.at<std::uint64_t>(at + 8), file.at<std::uint64_t>(at + 16)};
    }
  }
}

}  // namespace

Image read_elf(const std::vector<std::uint8_t>& bytes, std::uint64_t most_bytes) {
  const Reader file(bytes);
  const std::uint8_t* head = file.range(0, 64);
  if (std::memcmp(head, "\177ELF\2\1", 6) != 0) throw std::invalid_argument("not a 64-bit little-endian ELF file");
  if (file.at<std::uint16_t>(0x12) != kRiscV) throw std::invalid_argument("ELF file is not for RISC-V");
  if (file.at<std::uint16_t>(0x10) != kExecutable) {
    throw std::invalid_argument("ELF file is not a statically linked program");
  }
  Image image;
  const auto table = file.at<std::uint64_t>(0x20);
  const auto entry_size = file.at<std::uint16_t>(0x36);
  const auto count = file.at<std::uint16_t>(0x38);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t entry = table + i * entry_size;
    if (file.at<std::uint32_t>(entry) != kLoad) continue;
    const auto flags = file.at<std::uint32_t>(entry + 4);
    Segment segment;
    segment.base = file.at<std::uint64_t>(entry + 0x10);
    segment.size = file.at<std::uint64_t>(entry + 0x28);
    segment.executable = (flags & 1u) != 0;
    segment.writable = (flags & 2u) != 0;
    const auto file_size = file.at<std::uint64_t>(entry + 0x20);
    if (segment.size == 0) continue;
    if (file_size > segment.size) throw std::invalid_argument("ELF segment is larger in the file than in memory");
    if (segment.size > most_bytes - total) {
      throw std::invalid_argument("program needs more than " + std::to_string(most_bytes) + " bytes of static memory");
    }
    total += segment.size;
    const std::uint8_t* from = file.range(file.at<std::uint64_t>(entry + 8), file_size);
    segment.bytes.assign(from, from + file_size);
    image.segments.push_back(std::move(segment));
  }
  read_symbols(file, image);
  return image;
}

}  // namespace autocomp::gemmini
