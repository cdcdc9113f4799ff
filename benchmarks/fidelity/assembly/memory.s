	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	mv	a1,a0
	li	a5,0
 #APP
# 33 "candidate.c" 1
	.insn r 0x7b, 3, 7, x0, a5, a5
# 0 "" 2
 #NO_APP
	li	a5,1
	slli	a3,a5,48
	ld	a4,.LC0
 #APP
# 34 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a3
# 0 "" 2
 #NO_APP
	li	a4,127
	slli	a4,a4,55
	li	a3,2
	addi	a4,a4,512
 #APP
# 35 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a4
# 0 "" 2
 #NO_APP
	ld	a4,.LC1
	li	a3,512
 #APP
# 36 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a3
# 0 "" 2
 #NO_APP
	ld	a4,.LC2
	li	a3,64
 #APP
# 37 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a3
# 0 "" 2
 #NO_APP
	li	a3,268439552
	slli	a5,a5,31
	li	a0,0
	slli	a3,a3,24
	addi	a2,a5,1024
.L2:
	or	a4,a5,a3
 #APP
# 38 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a0, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	bne	a5,a2,.L2
 #APP
# 40 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
 #NO_APP
	lla	a3,X1
	li	a0,67112960
	mv	a2,a3
	li	a4,0
	slli	a0,a0,26
	li	a7,8192
	li	a6,128
.L3:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 40 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a2,a2,a7
	bne	a4,a6,.L3
 #APP
# 40 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t1
	sd	a5,0(a1)
 #APP
# 41 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a7
# 0 "" 2
 #NO_APP
	li	a2,67112960
	li	a4,0
	slli	a2,a2,26
	li	a6,8192
	li	a0,128
.L4:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a2
 #APP
# 41 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a3,a3,a6
	bne	a4,a0,.L4
 #APP
# 41 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a7
	sd	a5,8(a1)
 #APP
# 42 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a7
# 0 "" 2
 #NO_APP
	lla	a3,X2
	li	a0,67112960
	mv	a2,a3
	li	a4,0
	slli	a0,a0,26
	li	a6,128
.L5:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 42 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a2, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a2,a2,1024
	bne	a4,a6,.L5
 #APP
# 42 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a7
	sd	a5,16(a1)
 #APP
# 43 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a6
# 0 "" 2
 #NO_APP
	li	a2,67112960
	li	a4,0
	slli	a2,a2,26
	li	a0,128
.L6:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a2
 #APP
# 43 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,1024
	bne	a4,a0,.L6
 #APP
# 43 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a6
	sd	a5,24(a1)
 #APP
# 44 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a7
# 0 "" 2
 #NO_APP
	li	a2,268439552
	lla	a3,X1+256
	li	a4,0
	slli	a2,a2,24
	li	a6,8192
	li	a0,128
.L7:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a2
 #APP
# 44 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a3,a3,a6
	bne	a4,a0,.L7
 #APP
# 44 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a7
	sd	a5,32(a1)
 #APP
# 45 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
 #NO_APP
	li	a2,268439552
	lla	a3,Y1
	li	a4,0
	li	a7,-2147483648
	slli	a2,a2,24
	li	a6,8192
	li	a0,128
.L8:
	andi	a5,a4,31
	slliw	a5,a5,4
	addw	a5,a5,a7
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a2
 #APP
# 45 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a3,a3,a6
	bne	a4,a0,.L8
 #APP
# 45 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t1
	sd	a5,40(a1)
 #APP
# 46 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
 #NO_APP
	li	a2,268439552
	lla	a3,Y1+16
	li	a4,0
	li	a7,-2147483648
	slli	a2,a2,24
	li	a6,8192
	li	a0,128
.L9:
	andi	a5,a4,31
	slliw	a5,a5,4
	addw	a5,a5,a7
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a2
 #APP
# 46 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a3,a3,a6
	bne	a4,a0,.L9
 #APP
# 46 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t1
	sd	a5,48(a1)
 #APP
# 47 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
 #NO_APP
	li	a2,67112960
	lla	a3,Y3
	li	a4,0
	li	a7,-2147483648
	slli	a2,a2,26
	li	a6,8192
	li	a0,128
.L10:
	andi	a5,a4,7
	slliw	a5,a5,6
	addw	a5,a5,a7
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a2
 #APP
# 47 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a3,a3,a6
	bne	a4,a0,.L10
 #APP
# 47 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	li	a5,127
	sub	a4,a4,t1
	slli	a5,a5,55
	sd	a4,56(a1)
	addi	a5,a5,64
	li	a4,2
 #APP
# 48 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
# 49 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a7
# 0 "" 2
 #NO_APP
	li	a2,67112960
	lla	a3,Y2
	li	a4,0
	li	a6,-2147483648
	slli	a2,a2,26
	li	a0,128
.L11:
	andi	a5,a4,7
	slliw	a5,a5,6
	addw	a5,a5,a6
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a2
 #APP
# 49 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,1024
	bne	a4,a0,.L11
 #APP
# 49 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	li	a5,127
	sub	a4,a4,a7
	slli	a5,a5,55
	sd	a4,64(a1)
	addi	a5,a5,512
	li	a4,2
 #APP
# 50 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
# 51 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t4
# 0 "" 2
 #NO_APP
	lla	a6,Z
	li	a0,67112960
	mv	a7,a6
	li	a2,8
	slli	a0,a0,26
	li	t3,8192
	li	t1,1032
.L12:
	addiw	a4,a2,-8
	mv	a3,a7
.L13:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,64
	bne	a2,a4,.L13
	addiw	a2,a2,8
	add	a7,a7,t3
	bne	a2,t1,.L12
 #APP
# 51 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t4
	sd	a5,72(a1)
 #APP
# 52 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t4
# 0 "" 2
 #NO_APP
	li	a0,67112960
	lla	a7,Z
	li	a2,8
	slli	a0,a0,26
	li	t3,8192
	li	t1,1032
.L15:
	addiw	a4,a2,-8
	mv	a3,a7
.L16:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,64
	bne	a2,a4,.L16
	addiw	a2,a2,8
	add	a7,a7,t3
	bne	a2,t1,.L15
 #APP
# 52 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t4
	sd	a5,80(a1)
 #APP
# 53 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t4
# 0 "" 2
 #NO_APP
	li	a0,67112960
	lla	a7,Z
	li	a2,8
	slli	a0,a0,26
	li	t3,8192
	li	t1,264
.L18:
	addiw	a4,a2,-8
	mv	a3,a7
.L19:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,64
	bne	a2,a4,.L19
	addiw	a2,a2,8
	add	a7,a7,t3
	bne	a2,t1,.L18
 #APP
# 53 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t4
	sd	a5,88(a1)
 #APP
# 54 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t3
# 0 "" 2
 #NO_APP
	li	a0,67112960
	li	a2,8
	slli	a0,a0,26
	li	t1,8192
	li	a7,264
.L21:
	addiw	a4,a2,-8
	mv	a3,a6
.L22:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a3,a3,64
	bne	a2,a4,.L22
	addiw	a2,a2,8
	add	a6,a6,t1
	bne	a2,a7,.L21
 #APP
# 54 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t3
	sd	a5,96(a1)
 #APP
# 55 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t3
# 0 "" 2
 #NO_APP
	li	a0,67112960
	lla	a2,Y1+128
	lla	a3,Y3+256
	li	a4,0
	slli	a0,a0,26
	li	t1,-2147483648
	li	a6,8192
	li	a7,128
.L24:
	andi	a5,a4,63
	slli	a5,a5,6
	or	a5,a5,a0
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a5
# 0 "" 2
 #NO_APP
	andi	a5,a4,7
	slliw	a5,a5,6
	addw	a5,a5,t1
	slli	a5,a5,32
	srli	a5,a5,32
	or	a5,a5,a0
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a3, a5
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	add	a2,a2,a6
	add	a3,a3,a6
	bne	a4,a7,.L24
 #APP
# 55 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t3
	sd	a5,104(a1)
	ret
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
	.bss
	.align	6
	.type	Z, @object
	.size	Z, 1048576
Z:
	.zero	1048576
	.type	Y2, @object
	.size	Y2, 131072
Y2:
	.zero	131072
	.type	Y3, @object
	.size	Y3, 1048576
Y3:
	.zero	1048576
	.type	Y1, @object
	.size	Y1, 1048576
Y1:
	.zero	1048576
	.type	X2, @object
	.size	X2, 131072
X2:
	.zero	131072
	.type	X1, @object
	.size	X1, 1048576
X1:
	.zero	1048576
