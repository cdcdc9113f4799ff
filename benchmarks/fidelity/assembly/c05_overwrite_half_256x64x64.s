	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-48
	li	a5,1
	sd	s0,40(sp)
	sd	s1,32(sp)
	sd	s2,24(sp)
	sd	s3,16(sp)
	sd	s4,8(sp)
	mv	s0,a0
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
	ld	a5,.LC4
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	ld	a4,.LC5
	addi	a5,a1,1024
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,4096
	addi	a4,a5,-2048
	add	a4,a1,a4
	ld	a3,.LC6
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a5,a5,-1024
	add	a1,a1,a5
	ld	a5,.LC7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	li	a0,16384
	li	t2,67112960
	li	a3,268439552
	mv	t5,a2
	add	a0,a2,a0
	li	t3,0
	li	t0,0
	ld	t1,.LC8
	slli	t2,t2,26
	li	t6,-2147483648
	slli	a3,a3,24
	li	a7,4
	li	s1,-8192
.L4:
	add	a5,s0,t0
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, t2
# 0 "" 2
 #NO_APP
	li	a6,8192
	li	a1,0
	add	t4,t5,s1
.L3:
	addw	a2,a1,t3
	andi	a2,a2,1
	slliw	a2,a2,4
	addw	a2,a2,t6
	sext.w	s4,a2
	mv	s2,a6
	li	a4,0
.L2:
	sext.w	a5,a4
	snez	a5,a5
	slliw	a5,a5,30
	or	a5,s4,a5
	slli	a5,a5,32
	srli	a5,a5,32
	or	s3,s2,a3
	or	a5,a5,a3
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s3, a5
# 0 "" 2
 #NO_APP
	slli	a5,a4,4
	or	a5,a5,a3
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a5, t1
# 0 "" 2
 #NO_APP
	addi	a4,a4,1
	addi	s2,s2,64
	bne	a4,a7,.L2
	slli	a2,a2,32
	srli	a2,a2,32
	add	a5,t4,a6
	or	a2,a2,a3
 #APP
# 16 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, a2
# 0 "" 2
 #NO_APP
	addiw	a1,a1,1
	addi	a6,a6,16
	bne	a1,a4,.L3
	addi	t5,t5,1024
	addi	t0,t0,1024
	addiw	t3,t3,4
	bne	a0,t5,.L4
 #APP
# 19 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,40(sp)
	ld	s1,32(sp)
	ld	s2,24(sp)
	ld	s3,16(sp)
	ld	s4,8(sp)
	addi	sp,sp,48
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
