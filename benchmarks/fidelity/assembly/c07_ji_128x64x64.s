	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-16
	li	a5,1
	sd	s0,8(sp)
	ld	a4,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a5,64
	ld	a4,.LC1
 #APP
# 3 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a4,.LC2
 #APP
# 4 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC3
	li	a4,0
 #APP
# 5 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,127
	slli	a5,a5,55
	li	a4,2
	addi	a5,a5,64
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a5,67112960
	slli	a5,a5,26
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a0, a5
# 0 "" 2
 #NO_APP
	addi	a4,a0,1024
	addi	a3,a5,64
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, a3
# 0 "" 2
 #NO_APP
	li	a4,4096
	addi	a3,a4,-2048
	add	a6,a0,a3
	addi	a7,a5,128
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a7
# 0 "" 2
 #NO_APP
	addi	a7,a4,-1024
	add	a6,a0,a7
	addi	t1,a5,192
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, t1
# 0 "" 2
 #NO_APP
	add	a6,a0,a4
	addi	t1,a5,256
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, t1
# 0 "" 2
 #NO_APP
	addi	a4,a4,1024
	add	a4,a0,a4
	addi	a6,a5,320
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, a6
# 0 "" 2
 #NO_APP
	li	a4,8192
	addi	a6,a4,-2048
	add	a6,a0,a6
	addi	t1,a5,384
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, t1
# 0 "" 2
 #NO_APP
	addi	a4,a4,-1024
	add	a0,a0,a4
	addi	a5,a5,448
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a0, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC4
 #APP
# 10 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	ld	a4,.LC5
	addi	a5,a1,1024
 #APP
# 10 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a5,.LC6
	add	a3,a1,a3
 #APP
# 10 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a3, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC7
	add	a1,a1,a7
 #APP
# 10 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	li	t6,2097152
	li	t5,8192
	li	a1,268439552
	addi	t6,t6,33
	li	t2,0
	ld	t3,.LC8
	sub	s0,a2,t5
	slli	a1,a1,24
	li	t1,-2147483648
	li	a7,4
	slli	t6,t6,31
	li	t0,512
.L2:
	add	t4,s0,t5
	li	a6,0
.L6:
	mv	a2,a6
	mv	a3,t5
	li	a4,0
.L3:
	snez	a5,a4
	slliw	a5,a5,30
	or	a5,a5,t1
	slli	a5,a5,32
	srli	a5,a5,32
	or	a0,a3,a1
	or	a5,a5,a1
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a0, a5
# 0 "" 2
 #NO_APP
	or	a5,a2,a1
 #APP
# 16 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a5, t3
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,64
	addi	a2,a2,16
	bne	a4,a7,.L3
 #APP
# 18 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t4, t6
# 0 "" 2
 #NO_APP
	addi	a6,a6,64
	addi	t4,t4,1024
	bne	a6,t0,.L6
	addiw	t2,t2,1
	addi	t5,t5,16
	bne	t2,a4,.L2
 #APP
# 21 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,8(sp)
	addi	sp,sp,16
	jr	ra
	.size	solution, .-solution
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.dword	4575657221408489476
	.align	3
.LC1:
	.dword	4575657221409472769
	.align	3
.LC2:
	.dword	4575657221409472777
	.align	3
.LC3:
	.dword	4575657221409472785
	.align	3
.LC4:
	.dword	4503874505285632
	.align	3
.LC5:
	.dword	4503874505285696
	.align	3
.LC6:
	.dword	4503874505285760
	.align	3
.LC7:
	.dword	4503874505285824
	.align	3
.LC8:
	.dword	4503672641814527
