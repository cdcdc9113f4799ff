// The scalar core: executes RV64GC in program order, with the timing of a single-issue in-order pipeline.
//
// Registers become ready at known cycles, so timing is one pass: an instruction issues when its sources are ready and
// the front end has it, and the next one cannot issue before the cycle after. Only cache misses, the command queue and
// fences ask other parts how long they take.
#pragma once

#include <cstdint>
#include <vector>

#include "accelerator.hpp"
#include "branch_predictor.hpp"
#include "core_config.hpp"
#include "decode.hpp"
#include "first_level_cache.hpp"
#include "float_unit.hpp"
#include "l2.hpp"
#include "memory.hpp"
#include "timeline.hpp"

namespace autocomp::gemmini {

struct Limits {
  std::uint64_t instructions = ~std::uint64_t{0};
  std::uint64_t cycles = ~std::uint64_t{0};
};

class Core {
 public:
  // `code` is the executable region; it must be in `memory` already, like every other region (pointers are kept).
  Core(const CoreConfig& config, Memory& memory, L2& l2, Accelerator& accelerator, CoreCounters& counters,
       const Region& code, bool timing, bool may_read_clock);

  // What a program leaves behind that fills [address, address + bytes) in steps of eight bytes: lines in the D$ and the
  // L2, many of them dirty. The data itself is not touched.
  void pretend_to_write(std::uint64_t address, std::uint64_t bytes);
  // Brings lines into the L2 only, as loading a program does.
  void pretend_to_load(std::uint64_t address, std::uint64_t bytes);

  // Flush and fence, as a harness does before it measures.
  void flush_accelerator();

  // From now on, stretches in which the core does not wait for the accelerator go to `timeline`, which may be null.
  void record(Timeline* timeline) {
    timeline_ = timeline;
    working_since_ = cycle_;
  }

  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t& x(int index) { return registers_[index]; }
  std::uint64_t& f(int index) { return registers_[kFloatBase + index]; }

  // Calls the function at `entry` and waits for the accelerator after it returns. Returns the cycles from the call to
  // the end of that wait (0 without timing). Throws Fault, with the pc filled in.
  std::uint64_t call(std::uint64_t entry, const Limits& limits);

 private:
  // A region that was accessed lately: loads and stores inside it need no search.
  struct Window {
    std::uint64_t base = 1;
    std::uint64_t size = 0;
    std::uint8_t* bytes = nullptr;
    bool writable = false;
    bool shared = false;  // commands since the last fence have named an address in it
  };

  template <bool kTiming>
  void run(const Limits& limits);
  template <bool kTiming>
  void access_timing(std::uint64_t address, bool is_store, std::uint8_t destination, std::uint64_t latency);
  template <bool kTiming, typename T>
  void load(const Instruction& in, std::uint64_t latency);
  template <bool kTiming, typename T>
  void store(const Instruction& in);
  template <bool kTiming, typename T>
  void atomic(const Instruction& in);
  void waited(std::uint64_t from, std::uint64_t to);
  template <bool kTiming>
  void send(const Instruction& in);
  template <bool kTiming>
  void fence();
  template <bool kTiming>
  void control(const Instruction& in);

  void fetch(std::uint64_t pc);
  void miss(std::uint64_t address, bool is_store, std::uint8_t destination);
  std::uint8_t* data(std::uint64_t address, std::uint64_t size, bool is_store);
  std::uint8_t* data_slowly(std::uint64_t address, std::uint64_t size, bool is_store);
  void mark_shared(const Instruction& in);
  void mispredicted();
  void occupy_muldiv(std::uint8_t destination, std::uint64_t latency);
  std::uint64_t divide_latency(std::uint64_t dividend, std::uint64_t divisor, bool is_signed) const;
  std::uint64_t read_csr(std::uint64_t number) const;
  void write_csr(std::uint64_t number, std::uint64_t value);
  std::uint64_t float_latency(const Instruction& in) const;
  [[noreturn]] void bad_jump(std::uint64_t target) const;
  [[noreturn]] void illegal(const Instruction& in) const;

  CoreConfig config_;
  Memory& memory_;
  L2& l2_;
  Accelerator& accelerator_;
  CoreCounters& counters_;
  bool timing_;
  bool may_read_clock_;

  std::uint64_t code_base_;
  std::vector<Instruction> code_;
  std::uint64_t registers_[kRegisterSlots] = {};
  std::uint64_t ready_[kRegisterSlots] = {};  // cycle at which the value can be used
  FloatUnit float_unit_;
  std::uint64_t reservation_ = ~std::uint64_t{0};

  std::uint64_t pc_ = 0;
  std::uint64_t cycle_ = 0;         // the next instruction issues in this cycle at the earliest
  std::uint64_t fetched_line_ = ~std::uint64_t{0};
  Timeline* timeline_ = nullptr;
  std::uint64_t working_since_ = 0;
  std::uint64_t data_free_ = 0;     // the D$ serves one miss at a time
  std::uint64_t muldiv_free_ = 0;
  FirstLevelCache icache_;
  FirstLevelCache dcache_;
  BranchPredictor predictor_;

  Window windows_[2];
  std::vector<bool> shared_regions_;
  bool commands_pending_ = false;
};

}  // namespace autocomp::gemmini
