/* Runs candidates that lie beside it in memory, one after the other, and reports over the host-target interface.
   What to run is read from a table at a fixed address; the layout of table, case, copy and output is that of
   _harness.py, field by field. All numbers in reports are hexadecimal. */
#include <stddef.h>
#include <stdint.h>

#define TABLE 0x80810000u
#define CHUNK_BYTES 256u

struct copy {
  uint64_t to, from, bytes;
  uint64_t argument, constant; /* constant: the candidate may not change it */
};

struct output {
  uint64_t address, bytes;
  uint64_t expected; /* address of one digest per chunk; 0: send everything */
  uint64_t most_chunks; /* that are sent if they differ */
};

struct one_case {
  uint64_t function, stack_top;
  uint64_t regions[6]; /* code, code end, constants, end = start of what may be written, end = start of inputs, end */
  uint64_t integers[8], floats[8];
  uint64_t stack_words, stack_values;
  uint64_t copies, copy_list;
  uint64_t outputs, output_list;
};

struct table {
  uint64_t nonce, key, console_writes, accelerator, protect, cases;
  struct one_case list[];
};

struct call { /* offsets are known to start.S */
  uint64_t function, stack, user_mode;
  uint64_t integers[8], floats[8];
  uint64_t instructions_before, cycles_before, instructions_after, cycles_after;
};

void harness_enter(struct call *call);
int harness_can_protect(void);
extern char returned[];

extern volatile uint64_t tohost, fromhost;
static volatile uint64_t message[8] __attribute__((aligned(64)));

static const struct table *const table = (const struct table *)TABLE;
static char line[2 * CHUNK_BYTES + 128];
static size_t length;
static char *log_end; /* where reports go instead of the console, for simulators without one */
static uint64_t current;

static void tell_host(uint64_t value) {
  __asm__ volatile("fence" ::: "memory");
  tohost = value;
  while (fromhost == 0) {
  }
  fromhost = 0;
  __asm__ volatile("fence" ::: "memory");
}

static void write_console(const char *text, uint64_t size) {
  if (!table->console_writes) { /* one character after the other: device 1, command 1 */
    for (; size != 0; size--) tell_host(UINT64_C(0x0101) << 48 | (uint8_t)*text++);
    return;
  }
  message[0] = 64; /* the call write(1, text, size) */
  message[1] = 1;
  message[2] = (uint64_t)text;
  message[3] = size;
  tell_host((uint64_t)message);
}

void harness_exit(uint64_t code) {
  for (;;) tohost = code << 1 | 1;
}

static void put(char c) { line[length++] = c; }

static void word(const char *text) {
  for (; *text != '\0'; text++) put(*text);
}

static void hex(uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) put("0123456789abcdef"[value >> shift & 15]);
}

static void number(uint64_t value) {
  int digits = 1;
  while (digits < 16 && value >> 4 * digits != 0) digits++;
  put(' ');
  hex(value, digits);
}

static void begin(const char *kind) {
  length = 0;
  put('@');
  hex(table->nonce, 16);
  put(' ');
  word(kind);
  number(current);
}

static void end(void) {
  uint32_t check = (uint32_t)table->key ^ 0x811c9dc5u;
  for (size_t i = 1; i < length; i++) check = (check ^ (uint8_t)line[i]) * 0x01000193u;
  word(" #");
  hex(check, 8);
  put('\n');
  if (log_end == NULL) {
    write_console(line, length);
  } else {
    for (size_t i = 0; i < length; i++) *log_end++ = line[i];
  }
}

static uint64_t mix(uint64_t state, uint64_t value) {
  state = (state ^ value) * 0xff51afd7ed558ccdu;
  return state ^ state >> 32;
}

static uint64_t digest(const uint8_t *from, uint64_t bytes, uint64_t tag) {
  uint64_t state = mix(table->key, tag);
  for (; bytes >= 8; bytes -= 8, from += 8) state = mix(state, *(const uint64_t *)from);
  if (bytes != 0) {
    uint64_t last = 0;
    for (uint64_t i = 0; i < bytes; i++) last |= (uint64_t)from[i] << 8 * i;
    state = mix(state, last);
  }
  return state;
}

static void report(uint64_t number_of_output, const struct output *output) {
  const uint64_t *const expected = (const uint64_t *)output->expected;
  const uint64_t chunks = (output->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
  uint64_t fold = table->key;
  uint64_t different = 0;
  for (uint64_t chunk = 0; chunk < chunks; chunk++) {
    const uint8_t *const from = (const uint8_t *)output->address + chunk * CHUNK_BYTES;
    const uint64_t rest = output->bytes - chunk * CHUNK_BYTES;
    const uint64_t bytes = rest < CHUNK_BYTES ? rest : CHUNK_BYTES;
    const uint64_t found = digest(from, bytes, current << 48 ^ number_of_output << 40 ^ chunk);
    fold = mix(fold, found);
    if (expected != NULL && found == expected[chunk]) continue;
    different++;
    if (expected != NULL && different > output->most_chunks) continue;
    begin("chunk");
    number(number_of_output);
    number(chunk);
    put(' ');
    for (uint64_t i = 0; i < bytes; i++) hex(from[i], 2);
    end();
  }
  begin("output");
  number(number_of_output);
  number(fold);
  number(different);
  end();
}

/* Arrays are padded to whole cache lines. */
static uint64_t words_of(const struct copy *copy) { return (copy->bytes + 7) / 8; }

static void report_changes(const struct one_case *one) {
  const struct copy *const copies = (const struct copy *)one->copy_list;
  for (uint64_t i = 0; i < one->copies; i++) {
    if (!copies[i].constant) continue;
    for (uint64_t w = 0; w < words_of(&copies[i]); w++) {
      if (((const volatile uint64_t *)copies[i].to)[w] == ((const uint64_t *)copies[i].from)[w]) continue;
      begin("changed");
      number(copies[i].argument);
      end();
      break;
    }
  }
}

#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" : : "r"((uint64_t)(value)))

/* Entries that begin a region are off (0); the others reach from the one before to themselves (8), with read (1),
   write (2), execute (4). */
static void protect_all_but(const uint64_t *regions) {
  WRITE_CSR(pmpcfg0, 0);
  WRITE_CSR(pmpaddr0, regions[0] >> 2);
  WRITE_CSR(pmpaddr1, regions[1] >> 2);
  WRITE_CSR(pmpaddr2, regions[2] >> 2);
  WRITE_CSR(pmpaddr3, regions[3] >> 2);
  WRITE_CSR(pmpaddr4, regions[4] >> 2);
  WRITE_CSR(pmpaddr5, regions[5] >> 2);
  WRITE_CSR(pmpcfg0, 0x090b09000d00u);
  __asm__ volatile("sfence.vma" ::: "memory");
}

static void prepare(const struct one_case *one) {
  const struct copy *const copies = (const struct copy *)one->copy_list;
  for (uint64_t i = 0; i < one->copies; i++) {
    for (uint64_t w = 0; w < words_of(&copies[i]); w++) {
      ((volatile uint64_t *)copies[i].to)[w] = ((const uint64_t *)copies[i].from)[w];
    }
  }
  for (uint64_t i = 0; i < one->stack_words; i++) {
    ((uint64_t *)one->stack_top)[i] = ((const uint64_t *)one->stack_values)[i];
  }
  if (table->accelerator) __asm__ volatile(".insn r 0x7b, 3, 7, x0, x0, x0" ::: "memory"); /* flush */
  __asm__ volatile("fence" ::: "memory");
}

static void run(const struct one_case *one, int user_mode) {
  struct call call, empty;
  begin("begin");
  number((uint64_t)user_mode);
  end();
  prepare(one);
  if (user_mode) protect_all_but(one->regions);
  call.user_mode = empty.user_mode = (uint64_t)user_mode;
  call.stack = empty.stack = one->stack_top;
  for (int i = 0; i < 8; i++) {
    call.integers[i] = empty.integers[i] = one->integers[i];
    call.floats[i] = empty.floats[i] = one->floats[i];
  }
  call.function = one->function;
  empty.function = (uint64_t)returned; /* the way there and back, to be taken off */
  harness_enter(&empty);
  harness_enter(&empty);
  harness_enter(&call);
  const uint64_t cycles = call.cycles_after - call.cycles_before;
  const uint64_t instructions = call.instructions_after - call.instructions_before;
  begin("time");
  number(cycles - (empty.cycles_after - empty.cycles_before));
  number(instructions - (empty.instructions_after - empty.instructions_before));
  end();
  report_changes(one);
  const struct output *const outputs = (const struct output *)one->output_list;
  for (uint64_t i = 0; i < one->outputs; i++) report(i, &outputs[i]);
  begin("end");
  end();
}

uint64_t harness_main(char *log) {
  log_end = log;
  const int user_mode = table->protect && harness_can_protect();
  for (current = 0; current < table->cases; current++) run(&table->list[current], user_mode);
  begin("done");
  end();
  return 0;
}

void harness_trap(uint64_t cause, uint64_t address, uint64_t value, uint64_t privilege) {
  begin("trap");
  number(cause);
  number(address);
  number(value);
  number(privilege);
  end();
  harness_exit(0);
}
