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
	addi	sp,sp,-256
	ld	a5,.LC0
	sd	s0,240(sp)
	sd	ra,248(sp)
	sd	s1,232(sp)
	sd	s2,224(sp)
	sd	s3,216(sp)
	sd	s4,208(sp)
	sd	s5,200(sp)
	sd	s6,192(sp)
	sd	s7,184(sp)
	sd	s8,176(sp)
	sd	s9,168(sp)
	sd	s10,160(sp)
	sd	s11,152(sp)
	fsd	fs0,136(sp)
	mv	s0,a0
	lla	a3,.LANCHOR0
	mv	a4,a5
	ld	a2,.LC1
	ld	a1,.LC2
.L11:
	add	a4,a4,a2
	sd	a4,0(a3)
	addi	a3,a3,8
	bne	a4,a1,.L11
	lla	a4,.LANCHOR0+256
.L12:
	add	a5,a5,a2
	sd	a5,0(a4)
	addi	a4,a4,8
	bne	a5,a1,.L12
	li	a5,0
 #APP
# 80 "candidate.c" 1
	.insn r 0x7b, 3, 7, x0, a5, a5
# 0 "" 2
 #NO_APP
	li	s1,127
	li	s3,1
	slli	s1,s1,55
	addi	s11,s0,16
	ld	s10,.LC3
	ld	s9,.LC4
	ld	s8,.LC5
	ld	s7,.LC6
	flw	fs0,.LC7,a5
	slli	s6,s3,48
	li	s5,2
	addi	s1,s1,16
	li	s2,16
.L13:
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle s4
# 0 "" 2
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, s10, s6
# 0 "" 2
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, s5, s1
# 0 "" 2
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, s9, s2
# 0 "" 2
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, s8, s2
# 0 "" 2
 #NO_APP
	li	a5,64
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, s7, a5
# 0 "" 2
 #NO_APP
	fmv.s	fa2,fs0
	fmv.s	fa1,fs0
	fmv.s	fa0,fs0
	sd	zero,112(sp)
	sd	zero,104(sp)
	sd	zero,96(sp)
	sd	zero,88(sp)
	sd	s3,80(sp)
	sd	zero,72(sp)
	sd	zero,64(sp)
	sd	zero,56(sp)
	sd	zero,48(sp)
	sd	s2,40(sp)
	sd	s2,32(sp)
	sd	s2,24(sp)
	sd	s2,16(sp)
	sd	zero,8(sp)
	sd	zero,0(sp)
	li	a7,0
	li	a6,1
	li	a5,1
	li	a4,1
	lla	a3,.LANCHOR0+512
	li	a2,1
	lla	a1,.LANCHOR0+256
	lla	a0,.LANCHOR0
	call	loop
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 17 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,s4
	sd	a5,0(s0)
	addi	s0,s0,8
	bne	s11,s0,.L13
	ld	ra,248(sp)
	ld	s0,240(sp)
	ld	s1,232(sp)
	ld	s2,224(sp)
	ld	s3,216(sp)
	ld	s4,208(sp)
	ld	s5,200(sp)
	ld	s6,192(sp)
	ld	s7,184(sp)
	ld	s8,176(sp)
	ld	s9,168(sp)
	ld	s10,160(sp)
	ld	s11,152(sp)
	fld	fs0,136(sp)
	addi	sp,sp,256
	jr	ra
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
	.dword	2379065012456531720
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
	.set	.LANCHOR0,. + 0
	.type	A, @object
	.size	A, 256
A:
	.zero	256
	.type	B, @object
	.size	B, 256
B:
	.zero	256
	.type	C, @object
	.size	C, 256
C:
	.zero	256
