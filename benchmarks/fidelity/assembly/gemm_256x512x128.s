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
	addi	a4,a4,512
	sd	a4,224(sp)
	li	a4,4096
	addi	a4,a4,-2048
	li	s4,1
	addi	s1,a5,16
	flw	fs0,.LC8,a3
	li	s11,512
	sd	a4,232(sp)
	mv	s2,a5
.L27:
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle s3
# 0 "" 2
 #NO_APP
	li	a0,5
	li	s7,5
	li	a2,31
	li	a1,8192
.L18:
	bgtu	s7,a2,.L13
.L42:
	addi	a4,s7,1
	add	a5,a4,a0
	slli	a5,a5,7
	bgtu	a5,a1,.L41
	mul	a5,a4,a0
	li	a3,512
	slli	a5,a5,4
	bgtu	a5,a3,.L41
	mv	s7,a4
	bleu	s7,a2,.L42
.L13:
	li	a5,15
	bleu	a0,a5,.L43
.L15:
	addi	t3,a0,15
	addi	a1,s7,31
	lla	a5,.LC4
	li	a4,1
	divu	t3,t3,a0
	ld	a5,0(a5)
	slli	a4,a4,48
	divu	s8,a1,s7
 #APP
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	li	a5,2
	ld	a4,224(sp)
 #APP
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	lla	a4,.LC5
	li	a5,128
	ld	a4,0(a4)
 #APP
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	lla	a5,.LC6
	ld	a5,0(a5)
	li	a4,512
 #APP
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	lla	a5,.LC7
	ld	a5,0(a5)
	ld	a4,232(sp)
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a5, a4
# 0 "" 2
 #NO_APP
	addi	a5,t3,-1
	sd	a5,184(sp)
	slli	a5,a0,11
	sd	a5,168(sp)
	slli	a5,a0,13
	li	a3,0
	lla	a7,C
	sd	a5,176(sp)
	lla	s9,A
	mv	a5,a0
	li	t1,16
	mv	a0,a3
	sd	s3,216(sp)
	addi	s6,s8,-1
	slli	s10,s7,4
	li	s5,128
	mv	a1,a7
	mv	a2,t1
	sd	t3,192(sp)
	sd	s1,200(sp)
	sd	s2,208(sp)
	mv	s3,s9
	mv	a3,a5
.L19:
	ld	a5,184(sp)
	mv	a4,a3
	bne	a5,a0,.L25
	mv	a4,a2
.L25:
	lla	s2,B
	li	s1,0
	mv	a5,s2
	mv	s9,s10
	mv	s2,s1
	li	s0,32
	sd	a1,136(sp)
	sd	a2,144(sp)
	sd	a0,152(sp)
	mv	s1,a1
	sd	a3,160(sp)
	sd	a4,128(sp)
	mv	s10,a5
.L26:
	mv	a5,s0
	beq	s6,s2,.L22
	mv	a5,s7
.L22:
	fmv.s	fa2,fs0
	fmv.s	fa1,fs0
	fmv.s	fa0,fs0
	ld	a4,128(sp)
	mv	a3,s1
	mv	a1,s10
	sd	zero,112(sp)
	sd	zero,104(sp)
	sd	zero,96(sp)
	sd	zero,88(sp)
	sd	s4,80(sp)
	sd	zero,72(sp)
	sd	zero,64(sp)
	sd	zero,56(sp)
	sd	zero,48(sp)
	sd	s11,40(sp)
	sd	s11,32(sp)
	sd	s11,24(sp)
	sd	s5,16(sp)
	sd	zero,8(sp)
	sd	zero,0(sp)
	li	a7,0
	li	a6,8
	li	a2,1
	mv	a0,s3
	addi	s2,s2,1
	call	loop
	sub	s0,s0,s7
	add	s10,s10,s9
	add	s1,s1,s9
	bgtu	s8,s2,.L26
	ld	a5,168(sp)
	ld	a1,136(sp)
	ld	a0,152(sp)
	add	s3,s3,a5
	ld	a5,176(sp)
	ld	a2,144(sp)
	ld	a3,160(sp)
	add	a1,a1,a5
	ld	a5,192(sp)
	addi	a0,a0,1
	mv	s10,s9
	sub	a2,a2,a3
	bgtu	a5,a0,.L19
	ld	s1,200(sp)
	ld	s2,208(sp)
	ld	s3,216(sp)
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,s3
	sd	a5,0(s2)
	addi	s2,s2,8
	bne	s1,s2,.L27
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
.L41:
	li	a5,15
	bgtu	a0,a5,.L15
	addi	a5,a0,1
.L16:
	mul	a4,a5,s7
	li	a3,512
	slli	a4,a4,4
	bgtu	a4,a3,.L15
	mv	a0,a5
	j	.L18
.L43:
	addi	a5,a0,1
	add	a4,a5,s7
	slli	a4,a4,7
	bgtu	a4,a1,.L15
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
	.dword	149186221704611592
	.align	3
.LC3:
	.dword	225748583618840328
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
	.size	B, 65536
B:
	.zero	65536
	.type	A, @object
	.size	A, 32768
A:
	.zero	32768
