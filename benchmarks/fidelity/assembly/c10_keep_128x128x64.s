	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-32
	li	a5,1
	sd	s0,24(sp)
	sd	s1,16(sp)
	sd	s2,8(sp)
	ld	a4,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC1
	li	a4,64
 #APP
# 3 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a5,.LC2
	li	a4,128
 #APP
# 4 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,127
	slli	a5,a5,55
	li	a4,2
	addi	a5,a5,128
 #APP
# 5 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a5,67112960
	slli	a5,a5,26
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a0, a5
# 0 "" 2
 #NO_APP
	addi	a4,a0,1024
	addi	a3,a5,64
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, a3
# 0 "" 2
 #NO_APP
	li	a4,4096
	addi	a3,a4,-2048
	add	a6,a0,a3
	addi	a7,a5,128
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a7
# 0 "" 2
 #NO_APP
	addi	a6,a4,-1024
	add	a6,a0,a6
	addi	a7,a5,192
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a7
# 0 "" 2
 #NO_APP
	add	a6,a0,a4
	addi	a7,a5,256
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a7
# 0 "" 2
 #NO_APP
	addi	a6,a4,1024
	add	a6,a0,a6
	addi	a7,a5,320
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a7
# 0 "" 2
 #NO_APP
	li	a6,8192
	addi	a7,a6,-2048
	add	t1,a0,a7
	addi	t3,a5,384
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t1, t3
# 0 "" 2
 #NO_APP
	addi	a6,a6,-1024
	add	a0,a0,a6
	addi	a5,a5,448
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a0, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC3
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	ld	a0,.LC4
	addi	a5,a1,64
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a0
# 0 "" 2
 #NO_APP
	add	a5,a1,a3
	ld	a3,.LC5
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a3
# 0 "" 2
 #NO_APP
	ld	a3,.LC6
	addi	a5,a5,64
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a3
# 0 "" 2
 #NO_APP
	add	a5,a1,a4
	ld	a4,.LC7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a4,.LC8
	addi	a5,a5,64
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a5,.LC9
	add	a1,a1,a7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC10
	addi	a1,a1,64
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	li	a0,268439552
	li	s0,0
	li	t2,0
	ld	a6,.LC11
	slli	a0,a0,24
	li	s2,-2147475456
	li	t1,8
	li	s1,4
.L2:
	snez	a7,t2
	slliw	t5,t2,7
	slliw	a7,a7,30
	or	t0,s0,a0
	li	t3,-2147483648
	li	t4,0
	addw	t5,t5,s2
	addiw	t6,s0,64
.L6:
	addw	a5,t5,t3
	or	a4,a7,t3
	slli	a5,a5,32
	slli	a4,a4,32
	srli	a5,a5,32
	srli	a4,a4,32
	or	a5,a5,a0
	or	a4,a4,a0
 #APP
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a4
# 0 "" 2
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, t0, a6
# 0 "" 2
 #NO_APP
	li	a4,1
	mv	a1,t6
	addiw	a3,t3,128
.L3:
	or	a5,a7,a3
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a0
 #APP
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a6, a5
# 0 "" 2
 #NO_APP
	sext.w	a5,a1
	or	a5,a5,a0
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a5, a6
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addiw	a1,a1,64
	addiw	a3,a3,128
	bne	a4,t1,.L3
	addiw	t4,t4,1
	addiw	t3,t3,16
	bne	t4,a4,.L6
	addiw	t2,t2,1
	addi	s0,s0,16
	bne	t2,s1,.L2
	li	t3,1
	li	a0,268439552
	li	t1,4096
	neg	a7,a2
	addi	a3,a2,128
	li	a6,0
	slli	t3,t3,31
	slli	a0,a0,24
	addi	t1,t1,-2048
	li	t4,64
.L5:
	mv	a5,a2
	add	a1,a7,t3
.L7:
	add	a4,a1,a5
	or	a4,a4,a0
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	bne	a3,a5,.L7
	addiw	a6,a6,8
	add	a2,a2,t1
	addi	a7,a7,-1920
	add	a3,a3,t1
	bne	a6,t4,.L5
 #APP
# 16 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,24(sp)
	ld	s1,16(sp)
	ld	s2,8(sp)
	addi	sp,sp,32
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
	.dword	4503874505285632
	.align	3
.LC4:
	.dword	4503874505285696
	.align	3
.LC5:
	.dword	4503874505285760
	.align	3
.LC6:
	.dword	4503874505285824
	.align	3
.LC7:
	.dword	4503874505285888
	.align	3
.LC8:
	.dword	4503874505285952
	.align	3
.LC9:
	.dword	4503874505286016
	.align	3
.LC10:
	.dword	4503874505286080
	.align	3
.LC11:
	.dword	4503672641814527
