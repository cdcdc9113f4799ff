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
	sd	s3,0(sp)
	ld	a4,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a5,96
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
	addi	a5,a5,96
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a7,134221824
	neg	t3,a1
	addi	a3,a1,96
	li	t1,0
	slli	a7,a7,25
	li	t4,36
.L2:
	mv	a5,a1
	addi	a6,t3,1024
.L3:
	add	a4,a6,a5
	or	a4,a4,a7
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,32
	bne	a5,a3,.L3
	addiw	t1,t1,6
	addi	a1,a1,1536
	addi	t3,t3,-1440
	addi	a3,a5,1536
	bne	t1,t4,.L2
	li	s0,134221824
	li	t3,2097152
	li	a1,4194304
	li	s1,8192
	slli	s0,s0,25
	addi	s1,s1,1024
	addi	t3,t3,33
	li	a3,268439552
	addi	a1,a1,67
	addi	t0,a0,64
	mv	t2,a2
	add	s1,a2,s1
	ld	a6,.LC4
	addi	s3,s0,32
	addi	s2,s0,64
	li	t6,0
	slli	t3,t3,31
	slli	a3,a3,24
	slli	a1,a1,30
	li	a0,96
	li	t5,6
.L4:
	addi	a5,t0,-64
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, s0
# 0 "" 2
 #NO_APP
	addi	a5,t0,-32
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, s3
# 0 "" 2
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t0, s2
# 0 "" 2
 #NO_APP
	li	a7,1024
	li	t1,0
	addi	t4,t2,-1024
.L6:
 #APP
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 14, x0, t6, t3
# 0 "" 2
 #NO_APP
	li	a5,0
	mv	a4,a7
.L5:
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
	addi	a4,a4,96
	bne	a5,a0,.L5
	add	a5,t4,a7
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t3
# 0 "" 2
 #NO_APP
	addiw	t1,t1,1
	addi	a7,a7,16
	bne	t1,t5,.L6
	addi	t2,t2,1536
	addi	t0,t0,1536
	bne	s1,t2,.L4
 #APP
# 20 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,24(sp)
	ld	s1,16(sp)
	ld	s2,8(sp)
	ld	s3,0(sp)
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
	.dword	4575657221409472785
	.align	3
.LC4:
	.dword	4503672641814527
