/* Start code, the way into a candidate and back, and traps. Machine mode; the candidate runs in user mode where the
   core has it, so that physical memory protection holds for it and for the commands that it sends. */

#define SAVED_BYTES 208

  .section .text.start, "ax"
  .globl _start
_start:
  csrr t0, mhartid
  bnez t0, park
  li t0, 0x1e000            /* floating point and accelerator on */
  csrs mstatus, t0
  fscsr x0
  la t0, trap
  csrw mtvec, t0
  la sp, harness_stack_top
  li a0, 0
  call harness_main
  call harness_exit
park:
  wfi
  j park

  .text
/* void harness_enter(struct call *): offsets as in harness.c. */
  .globl harness_enter
harness_enter:
  addi sp, sp, -SAVED_BYTES
  sd ra, 0(sp)
  sd s0, 8(sp)
  sd s1, 16(sp)
  sd s2, 24(sp)
  sd s3, 32(sp)
  sd s4, 40(sp)
  sd s5, 48(sp)
  sd s6, 56(sp)
  sd s7, 64(sp)
  sd s8, 72(sp)
  sd s9, 80(sp)
  sd s10, 88(sp)
  sd s11, 96(sp)
  fsd fs0, 104(sp)
  fsd fs1, 112(sp)
  fsd fs2, 120(sp)
  fsd fs3, 128(sp)
  fsd fs4, 136(sp)
  fsd fs5, 144(sp)
  fsd fs6, 152(sp)
  fsd fs7, 160(sp)
  fsd fs8, 168(sp)
  fsd fs9, 176(sp)
  fsd fs10, 184(sp)
  fsd fs11, 192(sp)
  la t0, saved
  sd sp, 0(t0)
  sd a0, 8(t0)
  ld t1, 0(a0)              /* function */
  ld sp, 8(a0)              /* its stack */
  ld t2, 16(a0)             /* in user mode? */
  fld fa0, 88(a0)
  fld fa1, 96(a0)
  fld fa2, 104(a0)
  fld fa3, 112(a0)
  fld fa4, 120(a0)
  fld fa5, 128(a0)
  fld fa6, 136(a0)
  fld fa7, 144(a0)
  la ra, returned
  mv t6, a0
  ld a0, 24(t6)
  ld a1, 32(t6)
  ld a2, 40(t6)
  ld a3, 48(t6)
  ld a4, 56(t6)
  ld a5, 64(t6)
  ld a6, 72(t6)
  ld a7, 80(t6)
  fence
  rdinstret t3
  rdcycle t4
  sd t3, 152(t6)
  sd t4, 160(t6)
  beqz t2, 1f
  csrw mepc, t1
  li t0, 0x1800             /* previous privilege: user */
  csrc mstatus, t0
  mret
1:
  jr t1

/* Where a candidate returns to. User mode cannot execute it: the trap of the attempt brings it here. */
  .globl returned
returned:
  fence
  rdcycle t4
  rdinstret t3
  la t0, saved
  ld sp, 0(t0)
  ld t6, 8(t0)
  sd t3, 168(t6)
  sd t4, 176(t6)
  ld ra, 0(sp)
  ld s0, 8(sp)
  ld s1, 16(sp)
  ld s2, 24(sp)
  ld s3, 32(sp)
  ld s4, 40(sp)
  ld s5, 48(sp)
  ld s6, 56(sp)
  ld s7, 64(sp)
  ld s8, 72(sp)
  ld s9, 80(sp)
  ld s10, 88(sp)
  ld s11, 96(sp)
  fld fs0, 104(sp)
  fld fs1, 112(sp)
  fld fs2, 120(sp)
  fld fs3, 128(sp)
  fld fs4, 136(sp)
  fld fs5, 144(sp)
  fld fs6, 152(sp)
  fld fs7, 160(sp)
  fld fs8, 168(sp)
  fld fs9, 176(sp)
  fld fs10, 184(sp)
  fld fs11, 192(sp)
  addi sp, sp, SAVED_BYTES
  ret

/* Nothing of the interrupted code is needed again: either it has returned, or it has failed. */
  .balign 4
trap:
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  li t0, 1                  /* instruction access fault */
  bne a0, t0, 1f
  la t0, returned
  beq a1, t0, returned
1:
  la t0, probing
  ld t1, 0(t0)
  beqz t1, 2f
  sd zero, 0(t0)
  csrw mepc, t1
  li t0, 0x1800
  csrs mstatus, t0
  mret
2:
  csrr a3, mstatus
  srli a3, a3, 11
  andi a3, a3, 3            /* the privilege it came from */
  la sp, harness_stack_top
  call harness_trap
  j park

/* int harness_can_protect(void): user mode and physical memory protection are there. */
  .globl harness_can_protect
harness_can_protect:
  csrr t0, misa
  srli t0, t0, 20
  andi t0, t0, 1
  beqz t0, 3f
  la t1, probing
  la t2, 3f
  sd t2, 0(t1)
  li t0, 0x1000
  csrw pmpaddr5, t0
  csrr t2, pmpaddr5
  csrw mcounteren, zero     /* no clock for the candidate */
  ld t3, 0(t1)
  sd zero, 0(t1)
  li a0, 1
  bne t0, t2, 3f
  ret
3:
  li a0, 0
  ret

/* The host polls these; nothing else may lie on their cache lines. */
  .section .tohost, "aw", @progbits
  .globl tohost, fromhost
  .balign 64
tohost:
  .dword 0
  .balign 64
fromhost:
  .dword 0
  .balign 64

  .bss
  .balign 16
saved:
  .space 16
probing:
  .space 8
  .balign 16
  .space 16384
harness_stack_top:
