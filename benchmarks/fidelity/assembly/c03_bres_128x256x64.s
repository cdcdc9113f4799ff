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
	mv	t2,a0
	mv	t0,a2
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
	li	a7,-4096
	neg	a6,a1
	addi	a3,a1,256
	li	a1,67112960
	li	a0,0
	li	t4,8192
	slli	a1,a1,26
	addi	a7,a7,256
	li	t3,4096
	li	t1,64
.L2:
	addi	a5,a3,-256
	add	a2,a6,t4
.L3:
	add	a4,a2,a5
	or	a4,a4,a1
 #APP
# 7 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,64
	bne	a5,a3,.L3
	addiw	a0,a0,16
	add	a6,a6,a7
	add	a3,a5,t3
	bne	a0,t1,.L2
	li	t3,2097152
	li	a0,4194304
	li	s1,32768
	li	s0,67112960
	addi	t3,t3,33
	li	a3,268439552
	addi	a0,a0,67
	add	s1,t0,s1
	ld	a7,.LC4
	slli	s0,s0,26
	li	t6,0
	slli	t3,t3,31
	slli	a3,a3,24
	slli	a0,a0,30
	li	a6,64
	li	s3,-8192
	li	t5,16
	li	s2,4096
.L7:
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t2, s0
# 0 "" 2
 #NO_APP
	li	a1,8192
	li	t1,0
	add	t4,t0,s3
.L6:
 #APP
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 14, x0, t6, t3
# 0 "" 2
 #NO_APP
	li	a5,0
	mv	a4,a1
.L5:
	or	a2,a4,a3
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a2, a0
# 0 "" 2
 #NO_APP
	or	a2,a5,a3
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a2, a7
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	addi	a4,a4,256
	bne	a5,a6,.L5
	add	a5,t4,a1
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t3
# 0 "" 2
 #NO_APP
	addiw	t1,t1,1
	addi	a1,a1,16
	bne	t1,t5,.L6
	add	t0,t0,s2
	addi	t2,t2,1024
	bne	s1,t0,.L7
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
