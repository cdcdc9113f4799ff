/* C interface of Gemmini's instructions.
 *
 * Two sets of names for the same commands: those of Gemmini's own C header (gemmini_extended_mvin, ...) and the short
 * ones (mvin, preload, ...). All are macros whose assembly stands in the caller's line, so that messages and
 * timelines name the line of the kernel; every argument is evaluated once. The core passes two 64-bit registers to
 * the accelerator: a memory address, or packed fields of a local address (32 bits), columns and rows (16 bits each).
 */
#ifndef AUTOCOMP_GEMMINI_H
#define AUTOCOMP_GEMMINI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "gemmini_params.h"

/* Values of fields. */
#define OUTPUT_STATIONARY 0
#define WEIGHT_STATIONARY 1
#define NO_ACTIVATION 0
#define RELU 1
#define LAYERNORM 2
#define IGELU 3
#define SOFTMAX 4
#define GARBAGE_ADDR ((uint32_t)0xffffffffu)
/* WS_LOOP is ours: weight stationary through the hardware loops. */
enum tiled_matmul_type_t { OS = OUTPUT_STATIONARY, WS = WEIGHT_STATIONARY, CPU = 2, WS_LOOP = 3 };

/* funct7 of each command, and what a config command configures. */
#define XCUSTOM_ACC 3
#define k_CONFIG 0
#define k_MVIN2 1
#define k_MVIN 2
#define k_MVOUT 3
#define k_COMPUTE_PRELOADED 4
#define k_COMPUTE_ACCUMULATE 5
#define k_PRELOAD 6
#define k_FLUSH 7
#define k_LOOP_WS 8
#define k_LOOP_WS_CONFIG_BOUNDS 9
#define k_LOOP_WS_CONFIG_ADDRS_AB 10
#define k_LOOP_WS_CONFIG_ADDRS_DC 11
#define k_LOOP_WS_CONFIG_STRIDES_AB 12
#define k_LOOP_WS_CONFIG_STRIDES_DC 13
#define k_MVIN3 14
#define k_LOOP_CONV_WS 15
#define k_LOOP_CONV_WS_CONFIG_1 16
#define k_LOOP_CONV_WS_CONFIG_2 17
#define k_LOOP_CONV_WS_CONFIG_3 18
#define k_LOOP_CONV_WS_CONFIG_4 19
#define k_LOOP_CONV_WS_CONFIG_5 20
#define k_LOOP_CONV_WS_CONFIG_6 21
#define CONFIG_EX 0
#define CONFIG_LD 1
#define CONFIG_ST 2
#define CONFIG_NORM 3

/* Bit pattern of a float, folded at compile time where the value is constant. */
#define GEMMINI_FLOAT_BITS(value) (((union { float f; uint32_t bits; }){.f = (float)(value)}).bits)
#define GEMMINI_FIELD(value, low) ((uint64_t)(value) << (low))
#define GEMMINI_BLOCK(local, cols, rows) \
  (GEMMINI_FIELD(rows, 48) | GEMMINI_FIELD(cols, 32) | (uint64_t)(uint32_t)(local))

/* custom-3 with both source registers and no destination. */
#define GEMMINI_STRING_(text) #text
#define GEMMINI_STRING(text) GEMMINI_STRING_(text)
#define GEMMINI_COMMAND(rs1, rs2, funct)                                   \
  ({                                                                       \
    __asm__ volatile(".insn r 0x7b, 3, " GEMMINI_STRING(funct) ", x0, %0, %1" \
                     :                                                     \
                     : "r"((uint64_t)(rs1)), "r"((uint64_t)(rs2))          \
                     : "memory");                                          \
  })
#define ROCC_INSTRUCTION_RS1_RS2(x, rs1, rs2, funct) GEMMINI_COMMAND(rs1, rs2, funct)

/* Moves between memory and local memories. */
#define gemmini_extended_mvin(dram_addr, spad_addr, cols, rows) \
  GEMMINI_COMMAND(dram_addr, GEMMINI_BLOCK(spad_addr, cols, rows), k_MVIN)
#define gemmini_extended_mvin2(dram_addr, spad_addr, cols, rows) \
  GEMMINI_COMMAND(dram_addr, GEMMINI_BLOCK(spad_addr, cols, rows), k_MVIN2)
#define gemmini_extended_mvin3(dram_addr, spad_addr, cols, rows) \
  GEMMINI_COMMAND(dram_addr, GEMMINI_BLOCK(spad_addr, cols, rows), k_MVIN3)
#define gemmini_extended_mvout(dram_addr, spad_addr, cols, rows) \
  GEMMINI_COMMAND(dram_addr, GEMMINI_BLOCK(spad_addr, cols, rows), k_MVOUT)
#define gemmini_mvin(dram_addr, spad_addr) gemmini_extended_mvin(dram_addr, spad_addr, DIM, DIM)
#define gemmini_mvin2(dram_addr, spad_addr) gemmini_extended_mvin2(dram_addr, spad_addr, DIM, DIM)
#define gemmini_mvin3(dram_addr, spad_addr) gemmini_extended_mvin3(dram_addr, spad_addr, DIM, DIM)
#define gemmini_block_mvin(dram_addr, spad_addr, len) gemmini_extended_mvin(dram_addr, spad_addr, (len) * DIM, DIM)
#define gemmini_mvout(dram_addr, spad_addr) gemmini_extended_mvout(dram_addr, spad_addr, DIM, DIM)

/* The array. */
#define gemmini_extended_preload(BD, C, BD_cols, BD_rows, C_cols, C_rows) \
  GEMMINI_COMMAND(GEMMINI_BLOCK(BD, BD_cols, BD_rows), GEMMINI_BLOCK(C, C_cols, C_rows), k_PRELOAD)
#define gemmini_extended_compute_preloaded(A, BD, A_cols, A_rows, BD_cols, BD_rows) \
  GEMMINI_COMMAND(GEMMINI_BLOCK(A, A_cols, A_rows), GEMMINI_BLOCK(BD, BD_cols, BD_rows), k_COMPUTE_PRELOADED)
#define gemmini_extended_compute_accumulated(A, BD, A_cols, A_rows, BD_cols, BD_rows) \
  GEMMINI_COMMAND(GEMMINI_BLOCK(A, A_cols, A_rows), GEMMINI_BLOCK(BD, BD_cols, BD_rows), k_COMPUTE_ACCUMULATE)
#define gemmini_preload(BD, C) gemmini_extended_preload(BD, C, DIM, DIM, DIM, DIM)
#define gemmini_preload_zeros(C) gemmini_preload(GARBAGE_ADDR, C)
#define gemmini_compute_preloaded(A, BD) gemmini_extended_compute_preloaded(A, BD, DIM, DIM, DIM, DIM)
#define gemmini_compute_accumulated(A, BD) gemmini_extended_compute_accumulated(A, BD, DIM, DIM, DIM, DIM)

/* Configuration. */
#define gemmini_extended3_config_ex(dataflow, sys_act, sys_shift, sys_acc_scale, C_stride, A_stride, A_transpose, \
                                    B_transpose, set_only_strides)                                                \
  GEMMINI_COMMAND(GEMMINI_FIELD(GEMMINI_FLOAT_BITS(sys_acc_scale), 32) | GEMMINI_FIELD(A_stride, 16) |            \
                      GEMMINI_FIELD(B_transpose, 9) | GEMMINI_FIELD(A_transpose, 8) |                             \
                      GEMMINI_FIELD(set_only_strides, 7) | GEMMINI_FIELD(sys_act, 3) |                            \
                      GEMMINI_FIELD(dataflow, 2) | CONFIG_EX,                                                     \
                  GEMMINI_FIELD(C_stride, 48) | (uint64_t)(uint32_t)(sys_shift), k_CONFIG)
#define gemmini_extended2_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose)              \
  gemmini_extended3_config_ex(dataflow, sys_act, sys_shift, ACC_SCALE_IDENTITY, 1, A_stride, A_transpose,          \
                              B_transpose, false)
#define gemmini_extended_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose) \
  gemmini_extended2_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose)
#define gemmini_config_ex(dataflow, sys_act, sys_shift) \
  gemmini_extended_config_ex(dataflow, sys_act, sys_shift, 1, 0, 0)

#define gemmini_extended5_config_ld(stride, scale, shrunk, block_mvin_stride, pixel_repeats, id)     \
  GEMMINI_COMMAND(GEMMINI_FIELD(GEMMINI_FLOAT_BITS(scale), 32) | GEMMINI_FIELD(block_mvin_stride, 16) | \
                      GEMMINI_FIELD(pixel_repeats, 8) | GEMMINI_FIELD(id, 3) | GEMMINI_FIELD(shrunk, 2) | \
                      CONFIG_LD,                                                                      \
                  stride, k_CONFIG)
#define gemmini_extended4_config_ld(stride, scale, shrunk, block_mvin_stride, id) \
  gemmini_extended5_config_ld(stride, scale, shrunk, block_mvin_stride, 1, id)
#define gemmini_extended3_config_ld(stride, scale, shrunk, id) \
  gemmini_extended4_config_ld(stride, scale, shrunk, DIM, id)
#define gemmini_extended2_config_ld(stride, scale, shrunk) gemmini_extended3_config_ld(stride, scale, shrunk, 0)
#define gemmini_extended_config_ld(stride, scale) gemmini_extended2_config_ld(stride, scale, false)
#define gemmini_config_ld(stride) gemmini_extended_config_ld(stride, MVIN_SCALE_IDENTITY)

#define gemmini_extended2_config_st(stride, acc_act, acc_scale, pool_stride, pool_size, pool_out_dim, porows, pocols, \
                                    orows, ocols, upad, lpad)                                                         \
  GEMMINI_COMMAND(GEMMINI_FIELD(ocols, 56) | GEMMINI_FIELD(orows, 48) | GEMMINI_FIELD(pocols, 40) |                   \
                      GEMMINI_FIELD(porows, 32) | GEMMINI_FIELD(pool_out_dim, 24) | GEMMINI_FIELD(lpad, 10) |         \
                      GEMMINI_FIELD(upad, 8) | GEMMINI_FIELD(pool_size, 6) | GEMMINI_FIELD(pool_stride, 4) |          \
                      GEMMINI_FIELD(acc_act, 2) | CONFIG_ST,                                                          \
                  GEMMINI_FIELD(GEMMINI_FLOAT_BITS(acc_scale), 32) | (uint64_t)(uint32_t)(stride), k_CONFIG)
#define gemmini_extended_config_st(stride, acc_act, acc_scale) \
  gemmini_extended2_config_st(stride, acc_act, acc_scale, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define gemmini_config_st(stride) gemmini_extended_config_st(stride, NO_ACTIVATION, ACC_SCALE_IDENTITY)

#define gemmini_config_norm(q_const, q_const_type, set_stats_id_only, act_msb, stat_id, igelu_qb, igelu_qc)       \
  GEMMINI_COMMAND(GEMMINI_FIELD((uint32_t)(q_const), 32) | GEMMINI_FIELD((q_const_type) & 1, 18) |                \
                      GEMMINI_FIELD((set_stats_id_only) & 1, 17) | GEMMINI_FIELD((act_msb) & 1, 16) |             \
                      GEMMINI_FIELD(stat_id, 8) | CONFIG_NORM,                                                    \
                  GEMMINI_FIELD((uint32_t)(igelu_qc), 32) | (uint64_t)(uint32_t)(igelu_qb), k_CONFIG)

/* The hardware loop over tiles. */
#define gemmini_loop_ws(I, J, K, pad_I, pad_J, pad_K, A, B, D, C, A_stride, B_stride, D_stride, C_stride,           \
                        A_transpose, B_transpose, full_C, low_D, ex_accumulate, act, a_spad_id, b_spad_id,          \
                        is_resadd)                                                                                  \
  ({                                                                                                                \
    GEMMINI_COMMAND(GEMMINI_FIELD(pad_K, 32) | GEMMINI_FIELD(pad_J, 16) | (uint64_t)(pad_I),                        \
                    GEMMINI_FIELD(K, 32) | GEMMINI_FIELD(J, 16) | (uint64_t)(I), k_LOOP_WS_CONFIG_BOUNDS);          \
    GEMMINI_COMMAND(A, B, k_LOOP_WS_CONFIG_ADDRS_AB);                                                               \
    GEMMINI_COMMAND(D, C, k_LOOP_WS_CONFIG_ADDRS_DC);                                                               \
    GEMMINI_COMMAND(A_stride, B_stride, k_LOOP_WS_CONFIG_STRIDES_AB);                                               \
    GEMMINI_COMMAND(D_stride, C_stride, k_LOOP_WS_CONFIG_STRIDES_DC);                                               \
    GEMMINI_COMMAND(GEMMINI_FIELD(a_spad_id, 18) | GEMMINI_FIELD(b_spad_id, 16) | GEMMINI_FIELD(act, 8) |           \
                        GEMMINI_FIELD(low_D, 2) | GEMMINI_FIELD(full_C, 1) | (uint64_t)(ex_accumulate),             \
                    GEMMINI_FIELD(is_resadd, 2) | GEMMINI_FIELD(B_transpose, 1) | (uint64_t)(A_transpose),          \
                    k_LOOP_WS);                                                                                     \
  })

/* The hardware loop over a convolution. */
#define GEMMINI_FOUR(a, b, c, d) (GEMMINI_FIELD(a, 48) | GEMMINI_FIELD(b, 32) | GEMMINI_FIELD(c, 16) | (uint64_t)(d))
#define gemmini_loop_conv_ws(batch_size, in_row_dim, in_col_dim, in_channels, out_channels, out_row_dim, out_col_dim, \
                             pool_out_row_dim, pool_out_col_dim, stride, padding, kernel_dim, kernel_dilation,        \
                             pool_size, pool_stride, pool_padding, batches, porows, pocols, pochs, krows, kcols,      \
                             kchs, lpad, rpad, upad, dpad, plpad, prpad, pupad, pdpad, orows, ocols, weights, output, \
                             bias, input, no_bias, no_pool, downsample, wrot180, input_dilated, activation,           \
                             trans_output_1203, trans_weight_1203, trans_weight_0132, trans_input_3120,               \
                             max_pixels_per_row, in_stride, weight_stride, out_stride, dw, a_spad_id, b_spad_id)      \
  ({                                                                                                                  \
    GEMMINI_COMMAND(GEMMINI_FOUR(out_channels, in_channels, in_row_dim, batch_size),                                  \
                    GEMMINI_FIELD(padding, 56) | GEMMINI_FIELD(stride, 48) | GEMMINI_FIELD(out_col_dim, 32) |         \
                        GEMMINI_FIELD(pool_out_row_dim, 16) | (uint64_t)(out_row_dim),                                \
                    k_LOOP_CONV_WS_CONFIG_1);                                                                         \
    GEMMINI_COMMAND(GEMMINI_FIELD(kernel_dim, 48) | GEMMINI_FIELD(pool_out_col_dim, 32) |                             \
                        GEMMINI_FIELD(pool_size, 16) | GEMMINI_FIELD(pool_stride, 8) | (uint64_t)(pool_padding),      \
                    GEMMINI_FOUR(batches, porows, pocols, pochs), k_LOOP_CONV_WS_CONFIG_2);                           \
    GEMMINI_COMMAND(GEMMINI_FOUR(krows, kcols, kchs, lpad),                                                           \
                    GEMMINI_FIELD(rpad, 48) | GEMMINI_FIELD(upad, 32) | GEMMINI_FIELD(dpad, 24) |                     \
                        GEMMINI_FIELD(plpad, 16) | (uint64_t)(in_col_dim),                                            \
                    k_LOOP_CONV_WS_CONFIG_3);                                                                         \
    GEMMINI_COMMAND(GEMMINI_FIELD(orows, 48) | GEMMINI_FIELD(prpad, 32) | GEMMINI_FIELD(pupad, 21) |                  \
                        GEMMINI_FIELD(pdpad, 10) | (uint64_t)(kernel_dilation),                                       \
                    GEMMINI_FOUR(in_stride, weight_stride, out_stride, ocols), k_LOOP_CONV_WS_CONFIG_4);              \
    GEMMINI_COMMAND(weights, output, k_LOOP_CONV_WS_CONFIG_5);                                                        \
    GEMMINI_COMMAND(bias, input, k_LOOP_CONV_WS_CONFIG_6);                                                            \
    GEMMINI_COMMAND(GEMMINI_FIELD(a_spad_id, 18) | GEMMINI_FIELD(b_spad_id, 16) |                                     \
                        GEMMINI_FIELD(max_pixels_per_row, 8) | GEMMINI_FIELD(dw, 6) |                                 \
                        GEMMINI_FIELD(trans_input_3120, 5) | GEMMINI_FIELD(trans_weight_0132, 4) |                    \
                        GEMMINI_FIELD(trans_weight_1203, 3) | GEMMINI_FIELD(trans_output_1203, 2) |                   \
                        GEMMINI_FIELD(wrot180, 1) | (uint64_t)(no_bias),                                              \
                    GEMMINI_FIELD(activation, 3) | GEMMINI_FIELD(input_dilated, 2) | GEMMINI_FIELD(downsample, 1) |   \
                        (uint64_t)(no_pool),                                                                          \
                    k_LOOP_CONV_WS);                                                                                  \
  })

/* Hardware counters: eight of them, each counts the event that it is configured for. Each operation returns what its
 * counter held. For programs that measure themselves; a kernel that is judged may not ask. */
#define k_COUNTER_OP 126
#define COUNTER_DISABLE 0
#define COUNTER_LOAD_ACTIVE_CYCLE GEMMINI_FIELD(9, 12)
#define COUNTER_STORE_ACTIVE_CYCLE GEMMINI_FIELD(12, 12)
#define COUNTER_EXE_ACTIVE_CYCLE GEMMINI_FIELD(24, 12)
#define COUNTER_RESERVATION_STATION_FULL_CYCLES GEMMINI_FIELD(41, 12)
#define COUNTER_RDMA_BYTES_REC (GEMMINI_FIELD(1, 31) | GEMMINI_FIELD(4, 12))
#define COUNTER_WDMA_BYTES_SENT (GEMMINI_FIELD(1, 31) | GEMMINI_FIELD(5, 12))
#define GEMMINI_COUNTER_OP(rs1)                                                                    \
  ({                                                                                               \
    uint64_t gemmini_counter_;                                                                     \
    __asm__ volatile(".insn r 0x7b, 7, " GEMMINI_STRING(k_COUNTER_OP) ", %0, %1, x0"               \
                     : "=r"(gemmini_counter_)                                                      \
                     : "r"((uint64_t)(rs1))                                                        \
                     : "memory");                                                                  \
    (uint32_t) gemmini_counter_;                                                                   \
  })
#define counter_configure(index, event) GEMMINI_COUNTER_OP((event) | GEMMINI_FIELD(index, 4) | 8)
#define counter_read(index) GEMMINI_COUNTER_OP(GEMMINI_FIELD(index, 4))
#define counter_reset() GEMMINI_COUNTER_OP(1)
#define counter_snapshot_reset() GEMMINI_COUNTER_OP(2)
#define counter_snapshot_take() GEMMINI_COUNTER_OP(4)

#define gemmini_flush(skip) GEMMINI_COMMAND(skip, 0, k_FLUSH)
#define gemmini_fence() ({ __asm__ volatile("fence" : : : "memory"); })

/* The short dialect. */
#define config_ex(dataflow, act, A_stride, A_transpose, B_transpose) \
  gemmini_extended_config_ex(dataflow, act, 0, A_stride, A_transpose, B_transpose)
#define config_ld(dram_stride, scale, spad_block_stride, id) \
  gemmini_extended4_config_ld(dram_stride, scale, false, spad_block_stride, id)
/* config_st(stride), config_st(stride, activation) or config_st(stride, activation, scale) */
#define GEMMINI_CONFIG_ST_1(stride) gemmini_config_st(stride)
#define GEMMINI_CONFIG_ST_2(stride, act) gemmini_extended_config_st(stride, act, ACC_SCALE_IDENTITY)
#define GEMMINI_CONFIG_ST_3(stride, act, scale) gemmini_extended_config_st(stride, act, scale)
#define GEMMINI_CHOOSE_(first, second, third, name, ...) name
#define config_st(...)                                                                                       \
  GEMMINI_CHOOSE_(__VA_ARGS__, GEMMINI_CONFIG_ST_3, GEMMINI_CONFIG_ST_2, GEMMINI_CONFIG_ST_1, 0)(__VA_ARGS__)
#define mvin(dram_addr, spad_addr, cols, rows) gemmini_extended_mvin(dram_addr, spad_addr, cols, rows)
#define mvin2(dram_addr, spad_addr, cols, rows) gemmini_extended_mvin2(dram_addr, spad_addr, cols, rows)
#define mvin3(dram_addr, spad_addr, cols, rows) gemmini_extended_mvin3(dram_addr, spad_addr, cols, rows)
#define mvout(dram_addr, spad_addr, cols, rows) gemmini_extended_mvout(dram_addr, spad_addr, cols, rows)
#define preload(BD, C, BD_cols, BD_rows, C_cols, C_rows) \
  gemmini_extended_preload(BD, C, BD_cols, BD_rows, C_cols, C_rows)
#define compute_preloaded(A, BD, A_cols, A_rows, BD_cols, BD_rows) \
  gemmini_extended_compute_preloaded(A, BD, A_cols, A_rows, BD_cols, BD_rows)
#define compute_accumulated(A, BD, A_cols, A_rows, BD_cols, BD_rows) \
  gemmini_extended_compute_accumulated(A, BD, A_cols, A_rows, BD_cols, BD_rows)
#define flush(skip) gemmini_flush(skip)
#define fence() gemmini_fence()

#endif
