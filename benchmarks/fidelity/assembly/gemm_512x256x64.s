	.text
	.align	1
	.type	loop, @function
loop:
	ld	t1,0(sp)
	ld	t3,8(sp)
	slli	a5,a5,16
	slli	t1,t1,16
	or	t1,t1,a7
	slli	t3,t3,32
	or	a5,a5,a4
	slli	a6,a6,32
	ld	a4,32(sp)
	lbu	a7,80(sp)
	or	t1,t1,t3
	or	a5,a5,a6
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 9, x0, t1, a5
# 0 "" 2
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 10, x0, a0, a1
# 0 "" 2
 #NO_APP
	seqz	a5,a7
	neg	a5,a5
	and	a5,a2,a5
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 11, x0, a5, a3
# 0 "" 2
 #NO_APP
	ld	a5,16(sp)
	ld	a3,24(sp)
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 12, x0, a5, a3
# 0 "" 2
 #NO_APP
	lbu	a5,88(sp)
	seqz	a5,a5
	neg	a5,a5
	and	a4,a4,a5
	ld	a5,40(sp)
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 13, x0, a4, a5
# 0 "" 2
 #NO_APP
	lbu	a5,72(sp)
	lbu	a4,64(sp)
	li	a3,1
	slli	a5,a5,2
	slli	a4,a4,1
	or	a5,a5,a4
	lw	a4,96(sp)
	slli	a4,a4,8
	or	a5,a5,a4
	lw	a4,112(sp)
	slli	a4,a4,16
	or	a5,a5,a4
	lw	a4,104(sp)
	slli	a4,a4,18
	or	a5,a5,a4
	beq	a7,zero,.L4
	seqz	a3,a2
.L4:
	lbu	a4,56(sp)
	or	a3,a3,a5
	lbu	a5,48(sp)
	slli	a4,a4,1
	or	a5,a4,a5
 #APP
# 28 "candidate.c" 1
	.insn r 0x7b, 3, 8, x0, a3, a5
# 0 "" 2
 #NO_APP
	ret
	.size	loop, .-loop
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-368
	ld	a4,.LC0
	sd	ra,360(sp)
	sd	s0,352(sp)
	sd	s1,344(sp)
	sd	s2,336(sp)
	sd	s3,328(sp)
	sd	s4,320(sp)
	sd	s5,312(sp)
	sd	s6,304(sp)
	sd	s7,296(sp)
	sd	s8,288(sp)
	sd	s9,280(sp)
	sd	s10,272(sp)
	sd	s11,264(sp)
	fsd	fs0,248(sp)
	mv	a5,a0
	lla	a2,A
	mv	a3,a4
	ld	a1,.LC1
	ld	a6,.LC2
.L11:
	add	a3,a3,a1
	sd	a3,0(a2)
	addi	a2,a2,8
	bne	a3,a6,.L11
	lla	a3,B
	ld	a2,.LC3
.L12:
	add	a4,a4,a1
	sd	a4,0(a3)
	addi	a3,a3,8
	bne	a4,a2,.L12
	li	a4,0
 #APP
# 80 "candidate.c" 1
	.insn r 0x7b, 3, 7, x0, a4, a4
# 0 "" 2
 #NO_APP
	li	a4,127
	slli	a4,a4,55
	addi	a4,a4,256
	li	s4,1
	addi	s1,a5,16
	flw	fs0,.LC8,a3
	sd	a4,232(sp)
	li	s2,64
	mv	s3,a5
.L27:
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle s5
# 0 "" 2
 #NO_APP
	li	a0,5
	li	s9,5
	li	a2,15
.L28:
	bgtu	s9,a2,.L16
.L18:
	addi	a4,s9,1
	mul	a5,a0,a4
	li	a3,512
	slli	a5,a5,4
	bgtu	a5,a3,.L16
	li	a1,32
	li	a5,16
	li	a3,16
	bne	a0,a1,.L17
	bne	a4,a3,.L29
	li	s9,16
.L15:
	addi	t3,a0,31
	addi	a1,s9,15
	lla	a5,.LC4
	li	a4,1
	divu	t3,t3,a0
	ld	a5,0(a5)
	slli	a4,a4,48
	divu	s8,a1,s9
 #APP
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,2
	ld	a4,232(sp)
 #APP
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	lla	a5,.LC5
	ld	a5,0(a5)
 #APP
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, s2
# 0 "" 2
 #NO_APP
	lla	a4,.LC6
	li	a5,256
	ld	a4,0(a4)
 #APP
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	lla	a4,.LC7
	li	a5,1024
	ld	a4,0(a4)
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	addi	a5,t3,-1
	sd	a5,192(sp)
	slli	a5,a0,10
	li	a3,0
	sd	a5,184(sp)
	slli	a5,a0,12
	lla	s10,A
	lla	a7,C
	sd	a5,176(sp)
	slli	s11,s9,4
	mv	a5,a3
	li	t1,32
	mv	s0,s10
	mv	a3,a0
	addi	s7,s8,-1
	li	s6,256
	sd	s3,208(sp)
	mv	a1,a7
	mv	a2,t1
	sd	t3,200(sp)
	mv	s10,s11
	sd	s1,216(sp)
	sd	s5,224(sp)
	mv	a0,a5
.L19:
	ld	a5,192(sp)
	mv	a4,a3
	bne	a0,a5,.L25
	mv	a4,a2
.L25:
	lla	s5,B
	li	s3,16
	li	s1,0
	mv	a5,s3
	sd	a3,144(sp)
	mv	a3,s5
	mv	s3,s1
	sd	a1,152(sp)
	sd	a2,160(sp)
	sd	a0,168(sp)
	mv	s5,a1
	sd	a4,136(sp)
	mv	s1,a5
	mv	s11,a3
.L26:
	mv	a5,s1
	beq	s3,s7,.L22
	mv	a5,s9
.L22:
	fmv.s	fa2,fs0
	fmv.s	fa1,fs0
	fmv.s	fa0,fs0
	ld	a4,136(sp)
	mv	a3,s5
	mv	a1,s11
	sd	zero,112(sp)
	sd	zero,104(sp)
	sd	zero,96(sp)
	sd	zero,88(sp)
	sd	s4,80(sp)
	sd	zero,72(sp)
	sd	zero,64(sp)
	sd	zero,56(sp)
	sd	zero,48(sp)
	sd	s6,40(sp)
	sd	s6,32(sp)
	sd	s6,24(sp)
	sd	s2,16(sp)
	sd	zero,8(sp)
	sd	zero,0(sp)
	li	a7,0
	li	a6,4
	li	a2,1
	mv	a0,s0
	addi	s3,s3,1
	call	loop
	sub	s1,s1,s9
	add	s11,s11,s10
	add	s5,s5,s10
	bgtu	s8,s3,.L26
	ld	a5,184(sp)
	ld	a1,152(sp)
	ld	a0,168(sp)
	add	s0,s0,a5
	ld	a5,176(sp)
	ld	a3,144(sp)
	ld	a2,160(sp)
	add	a1,a1,a5
	ld	a5,200(sp)
	addi	a0,a0,1
	sub	a2,a2,a3
	bgtu	a5,a0,.L19
	ld	s3,208(sp)
	ld	s1,216(sp)
	ld	s5,224(sp)
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,s5
	sd	a5,0(s3)
	addi	s3,s3,8
	bne	s3,s1,.L27
	ld	ra,360(sp)
	ld	s0,352(sp)
	ld	s1,344(sp)
	ld	s2,336(sp)
	ld	s3,328(sp)
	ld	s4,320(sp)
	ld	s5,312(sp)
	ld	s6,304(sp)
	ld	s7,296(sp)
	ld	s8,288(sp)
	ld	s9,280(sp)
	ld	s10,272(sp)
	ld	s11,264(sp)
	fld	fs0,248(sp)
	addi	sp,sp,368
	jr	ra
.L16:
	li	a5,32
	beq	a0,a5,.L15
.L14:
	addi	a4,a0,1
	mul	a5,s9,a4
	li	a3,512
	slli	a5,a5,4
	bgtu	a5,a3,.L15
	mv	a0,a4
	j	.L28
.L29:
	mv	s9,a4
	j	.L18
.L17:
	bne	a4,a5,.L29
	li	s9,16
	j	.L14
	.size	solution, .-solution
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.dword	72623859790382856
	.align	3
.LC1:
	.dword	1224997790627664128
	.align	3
.LC2:
	.dword	149186221704611592
	.align	3
.LC3:
	.dword	110905040747497224
	.align	3
.LC4:
	.dword	4575657221408489476
	.align	3
.LC5:
	.dword	4575657221409472769
	.align	3
.LC6:
	.dword	4575657221409472777
	.align	3
.LC7:
	.dword	4575657221409472785
	.set	.LC8,.LC4+4
	.bss
	.align	6
	.type	C, @object
	.size	C, 131072
C:
	.zero	131072
	.type	B, @object
	.size	B, 16384
B:
	.zero	16384
	.type	A, @object
	.size	A, 32768
A:
	.zero	32768
