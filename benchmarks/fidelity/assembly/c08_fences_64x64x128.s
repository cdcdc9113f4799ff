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
	mv	t5,a0
	mv	t4,a2
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
	li	a5,4096
	addi	s0,a5,-2048
	add	a4,a1,s0
	ld	a3,.LC6
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a4,a5,-1024
	add	a4,a1,a4
	ld	a3,.LC7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	ld	a3,.LC8
	add	a4,a1,a5
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	addi	a4,a5,1024
	add	a4,a1,a4
	ld	a3,.LC9
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, a3
# 0 "" 2
 #NO_APP
	li	a4,8192
	addi	a3,a4,-2048
	add	a3,a1,a3
	ld	a2,.LC10
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a3, a2
# 0 "" 2
 #NO_APP
	addi	a4,a4,-1024
	add	a1,a1,a4
	ld	a4,.LC11
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a1, a4
# 0 "" 2
 #NO_APP
	li	s2,67112960
	li	t3,2097152
	li	a1,4194304
	slli	s2,s2,26
	addi	t3,t3,33
	li	a3,268439552
	addi	a1,a1,67
	add	s1,t4,a5
	ld	a6,.LC12
	addi	s3,s2,64
	li	t2,0
	slli	t3,t3,31
	slli	a3,a3,24
	slli	a1,a1,30
	li	a0,128
	li	s4,-8192
	li	t0,4
.L2:
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t5, s2
# 0 "" 2
 #NO_APP
	addi	a5,t5,64
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, s3
# 0 "" 2
 #NO_APP
	li	a7,8192
	li	t1,0
	add	t6,t4,s4
.L4:
 #APP
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 14, x0, t2, t3
# 0 "" 2
 #NO_APP
	li	a5,0
	mv	a4,a7
.L3:
	or	a2,a4,a3
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a2, a1
# 0 "" 2
 #NO_APP
	or	a2,a5,a3
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a2, a6
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	addi	a4,a4,64
	bne	a5,a0,.L3
	add	a5,t6,a7
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t3
# 0 "" 2
# 18 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	addiw	t1,t1,1
	addi	a7,a7,16
	bne	t1,t0,.L4
	addi	t4,t4,1024
	add	t5,t5,s0
	bne	t4,s1,.L2
 #APP
# 21 "candidate.c" 1
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
