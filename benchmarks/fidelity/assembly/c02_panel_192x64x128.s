	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-80
	li	a5,1
	sd	s5,32(sp)
	sd	s0,72(sp)
	sd	s1,64(sp)
	sd	s2,56(sp)
	sd	s3,48(sp)
	sd	s4,40(sp)
	sd	s6,24(sp)
	sd	s7,16(sp)
	sd	s8,8(sp)
	mv	s5,a1
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
	li	s3,67112960
	li	t5,2097152
	li	a6,4194304
	slli	s3,s3,26
	addi	t5,t5,33
	li	a3,268439552
	addi	a6,a6,67
	li	s4,4096
	mv	t2,a0
	mv	s1,a2
	li	s2,0
	ld	t1,.LC4
	addi	s8,s3,64
	li	s7,8192
	li	s0,0
	slli	t5,t5,31
	li	t6,-8192
	slli	a3,a3,24
	slli	a6,a6,30
	li	a7,128
	li	a1,4
	addi	s4,s4,-2048
	li	s6,12288
.L2:
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t2, s3
# 0 "" 2
 #NO_APP
	addi	a5,t2,64
 #APP
# 8 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, s8
# 0 "" 2
 #NO_APP
	li	t3,8192
	add	a0,s5,s7
	li	t4,0
	add	t0,s1,t6
.L5:
 #APP
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 14, x0, s0, t5
# 0 "" 2
 #NO_APP
	add	a5,a0,t6
	mv	a4,t3
.L3:
	or	a2,a4,a3
 #APP
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a5, a2
# 0 "" 2
 #NO_APP
	addi	a5,a5,1024
	addi	a4,a4,64
	bne	a0,a5,.L3
	mv	a4,t3
	li	a5,0
.L4:
	or	a2,a4,a3
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a2, a6
# 0 "" 2
 #NO_APP
	or	a2,a5,a3
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a2, t1
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	addi	a4,a4,64
	bne	a5,a7,.L4
	add	a5,t0,t3
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t5
# 0 "" 2
 #NO_APP
	addiw	t4,t4,1
	addi	t3,t3,16
	addi	a0,a0,16
	bne	t4,a1,.L5
	addi	s2,s2,1024
	add	t2,t2,s4
	addi	s1,s1,1024
	bne	s2,s6,.L2
 #APP
# 20 "candidate.c" 1
	fence
# 0 "" 2
 #NO_APP
	ld	s0,72(sp)
	ld	s1,64(sp)
	ld	s2,56(sp)
	ld	s3,48(sp)
	ld	s4,40(sp)
	ld	s5,32(sp)
	ld	s6,24(sp)
	ld	s7,16(sp)
	ld	s8,8(sp)
	addi	sp,sp,80
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
