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
	mv	a4,a0
	ld	a3,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a5
# 0 "" 2
 #NO_APP
	li	a5,64
	ld	a3,.LC1
 #APP
# 3 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a5
# 0 "" 2
 #NO_APP
	ld	a3,.LC2
 #APP
# 4 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a5
# 0 "" 2
 #NO_APP
	li	a5,127
	slli	a5,a5,55
	li	a3,2
	addi	a5,a5,64
 #APP
# 5 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a5
# 0 "" 2
 #NO_APP
	li	a0,67112960
	li	a5,0
	slli	a0,a0,26
	li	a6,1024
.L2:
	or	a3,a5,a0
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a5,a5,64
	addi	a4,a4,1024
	bne	a5,a6,.L2
	ld	a5,.LC3
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	ld	a4,.LC4
	addi	a5,a1,1024
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,4096
	addi	a4,a5,-2048
	add	a4,a1,a4
	ld	a3,.LC5
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a5,a5,-1024
	add	a1,a1,a5
	ld	a5,.LC6
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	li	a1,268439552
	li	t6,0
	li	s3,0
	ld	a0,.LC7
	slli	a1,a1,24
	li	s2,-2147483648
	li	s4,8192
	li	t1,16
	li	s1,4
.L3:
	slliw	t5,t6,2
	snez	a7,s3
	addw	t5,t5,t6
	slliw	a7,a7,30
	or	s0,t6,a1
	sext.w	t2,t6
	negw	t3,t6
	li	t4,0
	addw	t5,s4,t5
	addiw	t0,t6,64
.L7:
	addw	a6,s2,t3
	addw	a5,a6,t2
	or	a5,a7,a5
	slli	a5,a5,32
	addw	a4,t5,t3
	srli	a5,a5,32
	or	a4,a4,a1
	or	a5,a5,a1
 #APP
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a4, a5
# 0 "" 2
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, s0, a0
# 0 "" 2
 #NO_APP
	li	a3,1
	mv	a4,t0
.L4:
	addw	a5,a6,a4
	or	a5,a7,a5
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a1
 #APP
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a0, a5
# 0 "" 2
 #NO_APP
	sext.w	a5,a4
	or	a5,a5,a1
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a5, a0
# 0 "" 2
 #NO_APP
	addiw	a3,a3,1
	addiw	a4,a4,64
	bne	a3,t1,.L4
	addiw	t4,t4,1
	addiw	t3,t3,16
	bne	t4,s1,.L7
	addiw	s3,s3,1
	addi	t6,t6,16
	bne	s3,t4,.L3
	li	t1,1
	li	a0,268439552
	neg	a7,a2
	addi	a3,a2,64
	li	a6,0
	slli	t1,t1,31
	slli	a0,a0,24
	li	t3,64
.L6:
	mv	a5,a2
	add	a1,a7,t1
.L8:
	add	a4,a1,a5
	or	a4,a4,a0
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	bne	a3,a5,.L8
	addiw	a6,a6,4
	addi	a2,a2,1024
	addi	a7,a7,-960
	addi	a3,a3,1024
	bne	a6,t3,.L6
 #APP
# 16 "candidate.c" 1
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
	.dword	4503672641814527
