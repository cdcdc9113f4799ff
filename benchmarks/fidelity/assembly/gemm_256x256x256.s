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
	addi	sp,sp,-352
	ld	a5,.LC0
	sd	ra,344(sp)
	sd	s0,336(sp)
	sd	s1,328(sp)
	sd	s2,320(sp)
	sd	s3,312(sp)
	sd	s4,304(sp)
	sd	s5,296(sp)
	sd	s6,288(sp)
	sd	s7,280(sp)
	sd	s8,272(sp)
	sd	s9,264(sp)
	sd	s10,256(sp)
	sd	s11,248(sp)
	fsd	fs0,232(sp)
	mv	a4,a0
	lla	a2,A
	mv	a3,a5
	ld	a1,.LC1
	ld	a6,.LC2
.L11:
	add	a3,a3,a1
	sd	a3,0(a2)
	addi	a2,a2,8
	bne	a3,a6,.L11
	lla	a3,B
.L12:
	add	a5,a5,a1
	sd	a5,0(a3)
	addi	a3,a3,8
	bne	a5,a6,.L12
	li	a5,0
 #APP
# 80 "candidate.c" 1
	.insn r 0x7b, 3, 7, x0, a5, a5
# 0 "" 2
 #NO_APP
	li	a5,127
	slli	a5,a5,55
	mv	s4,a4
	addi	a5,a5,256
	addi	s1,a4,16
	li	s3,1
	flw	fs0,.LC7,a4
	sd	a5,216(sp)
	li	s11,256
	mv	s2,s4
.L27:
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle s5
# 0 "" 2
 #NO_APP
	li	a3,5
	li	s9,5
	li	a5,15
.L18:
	bgtu	s9,a5,.L13
.L42:
	addi	a2,s9,1
	add	a4,a2,a3
	slli	a4,a4,8
	li	a1,8192
	bgtu	a4,a1,.L41
	mul	a4,a2,a3
	li	a1,512
	slli	a4,a4,4
	bgtu	a4,a1,.L41
	mv	s9,a2
	bleu	s9,a5,.L42
.L13:
	bleu	a3,a5,.L43
.L15:
	addi	a4,s9,15
	divu	s10,a4,s9
	addi	a7,a3,15
	lla	a5,.LC3
	li	a4,1
	ld	a5,0(a5)
	slli	a4,a4,48
	divu	a7,a7,a3
 #APP
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,2
	ld	a4,216(sp)
 #APP
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	lla	a5,.LC4
	ld	a5,0(a5)
 #APP
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, s11
# 0 "" 2
 #NO_APP
	lla	a5,.LC5
	ld	a5,0(a5)
 #APP
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, s11
# 0 "" 2
 #NO_APP
	lla	a4,.LC6
	li	a5,1024
	ld	a4,0(a4)
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	addi	a5,a7,-1
	li	a0,0
	sd	a5,176(sp)
	slli	s4,s9,4
	slli	a5,a3,12
	li	a6,16
	mv	a4,a3
	sd	s5,208(sp)
	addi	s8,s10,-1
	sd	a5,168(sp)
	li	a1,0
	sd	a7,184(sp)
	mv	a2,a0
	sd	s1,192(sp)
	mv	a3,a6
	sd	s2,200(sp)
	mv	s5,s4
.L19:
	lla	a5,A
	add	s0,a2,a5
	ld	a5,176(sp)
	mv	s4,a4
	bne	a5,a1,.L25
	mv	s4,a3
.L25:
	lla	a5,C
	lla	s1,B
	add	s2,a5,a2
	mv	a5,s1
	li	s7,16
	mv	s1,s2
	li	s6,0
	mv	s2,s5
	sd	a3,136(sp)
	sd	a2,144(sp)
	sd	a1,152(sp)
	sd	a4,160(sp)
	mv	s5,a5
.L26:
	mv	a5,s7
	beq	s8,s6,.L22
	mv	a5,s9
.L22:
	fmv.s	fa2,fs0
	fmv.s	fa1,fs0
	fmv.s	fa0,fs0
	mv	a3,s1
	mv	a1,s5
	sd	zero,112(sp)
	sd	zero,104(sp)
	sd	zero,96(sp)
	sd	zero,88(sp)
	sd	s3,80(sp)
	sd	zero,72(sp)
	sd	zero,64(sp)
	sd	zero,56(sp)
	sd	zero,48(sp)
	sd	s11,40(sp)
	sd	s11,32(sp)
	sd	s11,24(sp)
	sd	s11,16(sp)
	sd	zero,8(sp)
	sd	zero,0(sp)
	li	a7,0
	li	a6,16
	mv	a4,s4
	li	a2,1
	mv	a0,s0
	addi	s6,s6,1
	call	loop
	sub	s7,s7,s9
	add	s5,s5,s2
	add	s1,s1,s2
	bgtu	s10,s6,.L26
	ld	a5,168(sp)
	ld	a2,144(sp)
	ld	a1,152(sp)
	ld	a3,136(sp)
	ld	a4,160(sp)
	add	a2,a2,a5
	ld	a5,184(sp)
	addi	a1,a1,1
	mv	s5,s2
	sub	a3,a3,a4
	bgtu	a5,a1,.L19
	ld	s1,192(sp)
	ld	s2,200(sp)
	ld	s5,208(sp)
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,s5
	sd	a5,0(s2)
	addi	s2,s2,8
	bne	s1,s2,.L27
	ld	ra,344(sp)
	ld	s0,336(sp)
	ld	s1,328(sp)
	ld	s2,320(sp)
	ld	s3,312(sp)
	ld	s4,304(sp)
	ld	s5,296(sp)
	ld	s6,288(sp)
	ld	s7,280(sp)
	ld	s8,272(sp)
	ld	s9,264(sp)
	ld	s10,256(sp)
	ld	s11,248(sp)
	fld	fs0,232(sp)
	addi	sp,sp,352
	jr	ra
.L41:
	bgtu	a3,a5,.L15
	addi	a4,a3,1
.L16:
	mul	a2,a4,s9
	li	a1,512
	slli	a2,a2,4
	bgtu	a2,a1,.L15
	mv	a3,a4
	j	.L18
.L43:
	addi	a4,a3,1
	add	a2,a4,s9
	slli	a2,a2,8
	li	a1,8192
	bgtu	a2,a1,.L15
	j	.L16
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
	.dword	225748583618840328
	.align	3
.LC3:
	.dword	4575657221408489476
	.align	3
.LC4:
	.dword	4575657221409472769
	.align	3
.LC5:
	.dword	4575657221409472777
	.align	3
.LC6:
	.dword	4575657221409472785
	.set	.LC7,.LC3+4
	.bss
	.align	6
	.type	C, @object
	.size	C, 65536
C:
	.zero	65536
	.type	B, @object
	.size	B, 65536
B:
	.zero	65536
	.type	A, @object
	.size	A, 65536
A:
	.zero	65536
