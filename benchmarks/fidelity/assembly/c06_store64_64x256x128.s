	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-96
	li	a5,1
	mv	a3,a0
	sd	s0,88(sp)
	sd	s1,80(sp)
	sd	s2,72(sp)
	sd	s3,64(sp)
	sd	s4,56(sp)
	sd	s5,48(sp)
	sd	s6,40(sp)
	sd	s7,32(sp)
	sd	s8,24(sp)
	sd	s9,16(sp)
	sd	s10,8(sp)
	sd	s11,0(sp)
	mv	a0,a2
	ld	a4,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC1
	li	a4,128
 #APP
# 3 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a5,.LC2
	li	a4,256
 #APP
# 4 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
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
	addi	a5,a5,256
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a7,67112960
	li	t6,-4096
	mv	t1,a1
	neg	t4,a1
	li	t3,0
	addi	a1,a1,256
	li	t2,8192
	slli	a7,a7,26
	li	t5,4096
	addi	t6,t6,256
	li	t0,128
.L2:
	mv	a5,t1
	add	a2,t4,t2
.L3:
	add	a4,a2,a5
	or	a4,a4,a7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,64
	bne	a1,a5,.L3
	addiw	t3,t3,16
	add	t1,t1,t5
	add	t4,t4,t6
	add	a1,a1,t5
	bne	t3,t0,.L2
	li	t6,67112960
	li	t2,-2147483648
	slli	t6,t6,26
	li	s5,4096
	li	a5,268439552
	li	s4,-8192
	addi	a3,a3,64
	li	t5,0
	ld	a1,.LC4
	addi	s8,t6,64
	li	s7,8192
	slli	a5,a5,24
	li	a2,8
	addiw	s3,t2,16
	addiw	s2,t2,32
	addiw	s1,t2,48
	addi	s4,s4,-48
	li	s0,16
	addi	s6,s5,-2048
.L4:
	addi	a4,a3,-64
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, t6
# 0 "" 2
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, s8
# 0 "" 2
 #NO_APP
	li	t0,0
	addi	t4,s7,48
	add	s9,a0,s4
.L9:
	addw	t1,t0,t5
	slliw	t1,t1,4
	andi	t1,t1,64
	addw	t3,t2,t1
	sext.w	s11,t3
	addi	a7,t4,-48
	li	a6,0
.L5:
	sext.w	a4,a6
	snez	a4,a4
	slliw	a4,a4,30
	or	a4,s11,a4
	slli	a4,a4,32
	srli	a4,a4,32
	or	s10,a7,a5
	or	a4,a4,a5
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s10, a4
# 0 "" 2
 #NO_APP
	slli	a4,a6,4
	or	a4,a4,a5
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a1
# 0 "" 2
 #NO_APP
	addi	a6,a6,1
	addi	a7,a7,256
	bne	a6,a2,.L5
	addw	s11,t1,s3
	addi	a7,t4,-32
	li	a6,0
.L6:
	sext.w	a4,a6
	snez	a4,a4
	slliw	a4,a4,30
	or	a4,s11,a4
	slli	a4,a4,32
	srli	a4,a4,32
	or	s10,a7,a5
	or	a4,a4,a5
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s10, a4
# 0 "" 2
 #NO_APP
	slli	a4,a6,4
	or	a4,a4,a5
 #APP
# 18 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a1
# 0 "" 2
 #NO_APP
	addi	a6,a6,1
	addi	a7,a7,256
	bne	a6,a2,.L6
	addw	s11,t1,s2
	addi	a7,t4,-16
	li	a6,0
.L7:
	sext.w	a4,a6
	snez	a4,a4
	slliw	a4,a4,30
	or	a4,s11,a4
	slli	a4,a4,32
	srli	a4,a4,32
	or	s10,a7,a5
	or	a4,a4,a5
 #APP
# 21 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s10, a4
# 0 "" 2
 #NO_APP
	slli	a4,a6,4
	or	a4,a4,a5
 #APP
# 22 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a1
# 0 "" 2
 #NO_APP
	addi	a6,a6,1
	addi	a7,a7,256
	bne	a6,a2,.L7
	addw	t1,t1,s1
	mv	a7,t4
	li	a6,0
.L8:
	sext.w	a4,a6
	snez	a4,a4
	slliw	a4,a4,30
	or	a4,t1,a4
	slli	a4,a4,32
	srli	a4,a4,32
	or	s10,a7,a5
	or	a4,a4,a5
 #APP
# 25 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s10, a4
# 0 "" 2
 #NO_APP
	slli	a4,a6,4
	or	a4,a4,a5
 #APP
# 26 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a1
# 0 "" 2
 #NO_APP
	addi	a6,a6,1
	addi	a7,a7,256
	bne	a6,a2,.L8
	slli	t3,t3,32
	srli	t3,t3,32
	add	a4,s9,t4
	or	t3,t3,t6
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a4, t3
# 0 "" 2
 #NO_APP
	addiw	t0,t0,4
	addi	t4,t4,64
	bne	t0,s0,.L9
	addiw	t5,t5,16
	li	a4,64
	add	a3,a3,s6
	add	a0,a0,s5
	bne	t5,a4,.L4
 #APP
# 31 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,88(sp)
	ld	s1,80(sp)
	ld	s2,72(sp)
	ld	s3,64(sp)
	ld	s4,56(sp)
	ld	s5,48(sp)
	ld	s6,40(sp)
	ld	s7,32(sp)
	ld	s8,24(sp)
	ld	s9,16(sp)
	ld	s10,8(sp)
	ld	s11,0(sp)
	addi	sp,sp,96
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
	.dword	4503672641814527
