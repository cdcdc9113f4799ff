	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-96
	li	a5,1
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
	mv	t5,a0
	ld	a4,.LC0
	slli	a5,a5,48
 #APP
# 2 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a5,.LC1
	li	a4,192
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
	addi	a5,a5,128
 #APP
# 6 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	t0,67112960
	li	t4,2097152
	li	a0,4194304
	li	s7,8192
	slli	t0,t0,26
	li	s9,4096
	addi	t4,t4,33
	li	a3,268439552
	addi	a0,a0,67
	sub	t6,a1,s7
	addi	t5,t5,64
	addi	a1,s9,-2048
	li	s6,0
	ld	a7,.LC4
	li	s5,0
	addi	s4,t0,64
	addi	s3,t0,128
	slli	t4,t4,31
	slli	a3,a3,24
	slli	a0,a0,30
	li	a6,192
	sub	s8,a2,s7
	li	s2,8
	addi	s9,s9,-1024
.L2:
	addi	s1,t5,-64
	addi	s0,t5,64
	addi	a2,s7,1536
	li	t1,8192
	li	t3,0
	add	t2,s8,s6
.L7:
 #APP
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, s1, t0
# 0 "" 2
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t5, s4
# 0 "" 2
# 9 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, s0, s3
# 0 "" 2
# 11 "candidate.c" 1
	.insn r 0x7b, 3, 14, x0, s5, t4
# 0 "" 2
 #NO_APP
	add	a4,t6,t1
	mv	a5,t1
.L3:
	or	s10,a5,a3
 #APP
# 12 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a4, s10
# 0 "" 2
 #NO_APP
	addi	a5,a5,128
	add	a4,a4,a1
	bne	a2,a5,.L3
	mv	a4,t1
	li	a5,0
.L4:
	or	s10,a4,a3
 #APP
# 14 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, s10, a0
# 0 "" 2
 #NO_APP
	or	s10,a5,a3
 #APP
# 15 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, s10, a7
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	addi	a4,a4,128
	bne	a5,a6,.L4
	add	a5,t2,t1
 #APP
# 17 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a5, t4
# 0 "" 2
 #NO_APP
	addiw	t3,t3,1
	addi	t1,t1,16
	addi	a2,a2,16
	bne	t3,s2,.L7
	add	s6,s6,a1
	add	t5,t5,s9
	bne	s6,s7,.L2
 #APP
# 20 "candidate.c" 1
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
