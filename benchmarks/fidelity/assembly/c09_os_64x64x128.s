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
	sd	s5,0(sp)
	mv	s0,a0
	mv	t2,a2
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
	li	a4,64
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
	li	s1,4096
	addi	s2,s1,-2048
	add	a5,a1,s2
	ld	a4,.LC6
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,s1,-1024
	add	a5,a1,a5
	ld	a4,.LC7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	ld	a4,.LC8
	add	a5,a1,s1
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,s1,1024
	add	a5,a1,a5
	ld	a4,.LC9
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,8192
	addi	a4,a5,-2048
	add	a4,a1,a4
	ld	a3,.LC10
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a5,a5,-1024
	add	a1,a1,a5
	ld	a5,.LC11
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a5
# 0 "" 2
 #NO_APP
	li	s3,67112960
	li	a1,268439552
	li	t3,2097152
	slli	s3,s3,26
	slli	a1,a1,24
	addi	t3,t3,33
	add	s1,a2,s1
	addi	s5,s3,64
	ld	a2,.LC12
	li	a6,7
	slli	t3,t3,31
	addi	t0,a1,112
	li	s4,-8192
	li	t6,4
.L2:
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, s0, s3
# 0 "" 2
 #NO_APP
	addi	a5,s0,64
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, s5
# 0 "" 2
 #NO_APP
	li	a0,8192
	li	a7,0
	add	t5,t2,s4
.L4:
	or	t4,a0,a1
	sext.w	a4,a0
	li	a5,0
.L8:
	beq	a5,a6,.L14
.L3:
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a2, a2
# 0 "" 2
 #NO_APP
	slli	a3,a5,4
	bne	a5,zero,.L6
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a1, t4
# 0 "" 2
 #NO_APP
	li	a5,1
	addiw	a4,a4,64
	bne	a5,a6,.L3
.L14:
 #APP
# 13 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a2, t3
# 0 "" 2
 #NO_APP
	or	a4,a4,a1
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, t0, a4
# 0 "" 2
 #NO_APP
	add	a5,t5,a0
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t3
# 0 "" 2
 #NO_APP
	addiw	a7,a7,1
	addi	a0,a0,16
	bne	a7,t6,.L4
	addi	t2,t2,1024
	add	s0,s0,s2
	bne	t2,s1,.L2
 #APP
# 20 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,40(sp)
	ld	s1,32(sp)
	ld	s2,24(sp)
	ld	s3,16(sp)
	ld	s4,8(sp)
	ld	s5,0(sp)
	addi	sp,sp,48
	jr	ra
.L6:
	or	a3,a3,a1
	or	t1,a4,a1
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a3, t1
# 0 "" 2
 #NO_APP
	addi	a5,a5,1
	addiw	a4,a4,64
	j	.L8
	.size	solution, .-solution
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.dword	4575657221408489472
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
	.dword	4503874505285888
	.align	3
.LC9:
	.dword	4503874505285952
	.align	3
.LC10:
	.dword	4503874505286016
	.align	3
.LC11:
	.dword	4503874505286080
	.align	3
.LC12:
	.dword	4503672641814527
