	.text
	.align	1
	.globl	solution
	.type	solution, @function
solution:
	addi	sp,sp,-96
	sd	s0,88(sp)
	sd	s1,80(sp)
	sd	s2,72(sp)
	sd	s3,64(sp)
	sd	s4,56(sp)
	sd	s5,48(sp)
	sd	s6,40(sp)
	sd	s7,32(sp)
	sd	s8,24(sp)
	li	a5,0
 #APP
# 33 "candidate.c" 1
	.insn r 0x7b, 3, 7, x0, a5, a5
# 0 "" 2
 #NO_APP
	li	a5,1
	ld	a6,.LC0
	slli	a5,a5,48
 #APP
# 34 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a6, a5
# 0 "" 2
 #NO_APP
	li	a5,127
	slli	a5,a5,55
	li	a4,2
	addi	a5,a5,512
 #APP
# 35 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	ld	a7,.LC1
	li	a5,512
 #APP
# 36 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, a5
# 0 "" 2
 #NO_APP
	ld	a4,.LC2
 #APP
# 37 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a5
# 0 "" 2
 #NO_APP
	li	a3,67112960
	li	a5,0
	li	a1,0
	slli	a3,a3,26
	li	a2,16384
.L2:
	or	a4,a5,a3
 #APP
# 39 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a1, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,64
	bne	a5,a2,.L2
	li	a5,1
	slli	a5,a5,31
	li	a3,268439552
	li	a1,0
	slli	a3,a3,24
	addi	a2,a5,1024
.L3:
	or	a4,a5,a3
 #APP
# 40 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a1, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	bne	a5,a2,.L3
	li	a4,3
.L4:
 #APP
# 42 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 42 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,0(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L4
	li	a4,3
	li	a2,512
.L5:
 #APP
# 43 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 43 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, a2
# 0 "" 2
# 43 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,8(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L5
	li	a3,3
	li	a4,512
.L7:
 #APP
# 44 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a2
# 0 "" 2
 #NO_APP
	li	a5,16
.L6:
 #APP
# 44 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, a4
# 0 "" 2
 #NO_APP
	addiw	a5,a5,-1
	bne	a5,zero,.L6
 #APP
# 44 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a2
	sd	a5,16(a0)
	addiw	a3,a3,-1
	bne	a3,zero,.L7
	li	a2,1
	li	a4,3
	slli	a2,a2,48
.L8:
 #APP
# 45 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 45 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a6, a2
# 0 "" 2
# 45 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,24(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L8
	li	a1,16781312
	lla	a2,A
	li	a4,3
	slli	a1,a1,24
.L9:
 #APP
# 47 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 47 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a1
# 0 "" 2
# 47 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,32(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L9
	li	a1,268439552
	li	a4,3
	slli	a1,a1,24
.L10:
 #APP
# 48 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 48 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a1
# 0 "" 2
# 48 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,40(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L10
	li	a1,268439552
	slli	a1,a1,24
	lla	t4,A+8192
	li	a4,3
	addi	a6,a1,64
.L11:
 #APP
# 49 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
# 49 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a1
# 0 "" 2
# 49 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t4, a6
# 0 "" 2
# 49 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a3
	sd	a5,48(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L11
	li	a3,131072
	li	a6,268439552
	li	t3,3
	add	a3,a2,a3
	slli	a6,a6,24
	li	t1,8192
.L13:
 #APP
# 50 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t5
# 0 "" 2
 #NO_APP
	li	a4,0
	mv	a5,a2
.L12:
	or	a1,a4,a6
 #APP
# 50 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, a1
# 0 "" 2
 #NO_APP
	add	a5,a5,t1
	addi	a4,a4,64
	bne	a5,a3,.L12
 #APP
# 50 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t5
	sd	a5,56(a0)
	addiw	t3,t3,-1
	bne	t3,zero,.L13
	li	a6,67112960
	li	a4,3
	slli	a6,a6,26
.L14:
 #APP
# 51 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a1
# 0 "" 2
# 51 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a6
# 0 "" 2
# 51 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a1
	sd	a5,64(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L14
	li	a6,67112960
	slli	a6,a6,26
	li	a4,3
	addi	t1,a6,64
.L15:
 #APP
# 52 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a1
# 0 "" 2
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a6
# 0 "" 2
# 52 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, t4, t1
# 0 "" 2
# 52 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a1
	sd	a5,72(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L15
	li	a6,67112960
	li	t3,3
	slli	a6,a6,26
	li	t1,8192
.L17:
 #APP
# 53 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t4
# 0 "" 2
 #NO_APP
	li	a4,0
	mv	a5,a2
.L16:
	or	a1,a4,a6
 #APP
# 53 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, a1
# 0 "" 2
 #NO_APP
	add	a5,a5,t1
	addi	a4,a4,64
	bne	a5,a3,.L16
 #APP
# 53 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t4
	sd	a5,80(a0)
	addiw	t3,t3,-1
	bne	t3,zero,.L17
	li	t4,1
	slli	a3,t4,31
	li	a1,268439552
	li	t1,3
	li	a6,0
	slli	a1,a1,24
	addi	a3,a3,256
.L19:
 #APP
# 54 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t3
# 0 "" 2
 #NO_APP
	slli	a5,t4,31
.L18:
	or	a4,a5,a1
 #APP
# 54 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a6, a4
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	bne	a5,a3,.L18
 #APP
# 54 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t3
	sd	a5,88(a0)
	addiw	t1,t1,-1
	bne	t1,zero,.L19
	li	a4,67112960
	li	a6,3
	li	a1,0
	slli	a4,a4,26
	li	a3,1024
.L21:
 #APP
# 55 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
 #NO_APP
	li	t4,0
.L20:
	or	a5,t4,a4
 #APP
# 55 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a1, a5
# 0 "" 2
 #NO_APP
	addi	t4,t4,64
	bne	t4,a3,.L20
 #APP
# 55 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t1
	sd	a5,96(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L21
	li	a5,4096
	addi	a5,a5,-2048
 #APP
# 56 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, a5
# 0 "" 2
 #NO_APP
	li	a1,2097152
	addi	a1,a1,33
	lla	a3,D
	li	a4,3
	slli	a1,a1,31
.L22:
 #APP
# 57 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a6
# 0 "" 2
# 57 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a3, a1
# 0 "" 2
# 57 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a6
	sd	a5,104(a0)
	addiw	a4,a4,-1
	bne	a4,zero,.L22
	li	t1,268439552
	li	t5,3
	li	t0,1
	slli	t1,t1,24
	li	t3,16
.L24:
 #APP
# 58 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t6
# 0 "" 2
 #NO_APP
	li	a4,0
	slli	a6,t0,31
.L23:
	andi	a5,a4,3
	sraiw	a1,a4,2
	slliw	a1,a1,4
	slli	a5,a5,13
	add	a5,a5,a1
	slli	a5,a5,2
	add	a5,a3,a5
	or	a1,a6,t1
 #APP
# 58 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a5, a1
# 0 "" 2
 #NO_APP
	addiw	a4,a4,1
	addi	a6,a6,16
	bne	a4,t3,.L23
 #APP
# 58 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t6
	sd	a5,112(a0)
	addiw	t5,t5,-1
	bne	t5,zero,.L24
 #APP
# 59 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, t5
# 0 "" 2
 #NO_APP
	li	t6,1
	slli	a6,t6,31
	li	t1,268439552
	li	t3,3
	slli	t1,t1,24
	addi	a6,a6,256
.L26:
 #APP
# 60 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t5
# 0 "" 2
 #NO_APP
	mv	a4,a3
	slli	a5,t6,31
.L25:
	or	a1,a5,t1
 #APP
# 60 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a4, a1
# 0 "" 2
 #NO_APP
	addi	a5,a5,16
	addi	a4,a4,64
	bne	a5,a6,.L25
 #APP
# 60 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,t5
	sd	a5,120(a0)
	addiw	t3,t3,-1
	bne	t3,zero,.L26
	li	a5,512
 #APP
# 61 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a7, a5
# 0 "" 2
 #NO_APP
	li	a7,268439552
	li	a6,2097152
	slli	a7,a7,24
	addi	a6,a6,33
	li	a1,3
	ld	a5,.LC3
	slli	a6,a6,31
	addi	t3,a7,1024
.L27:
 #APP
# 63 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 63 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a7, a6
# 0 "" 2
# 63 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, t3, a5
# 0 "" 2
# 63 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,128(a0)
	addiw	a1,a1,-1
	bne	a1,zero,.L27
	li	t3,268439552
	li	a7,2097152
	slli	t3,t3,24
	addi	a7,a7,33
	li	a6,3
	ld	a1,.LC4
	ld	t0,.LC5
	ld	t6,.LC6
	slli	a7,a7,31
	addi	t5,t3,16
.L28:
 #APP
# 64 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 64 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, t3, a7
# 0 "" 2
# 64 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a1, a5
# 0 "" 2
# 64 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, t5, t0
# 0 "" 2
# 64 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, t6, a5
# 0 "" 2
# 64 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,136(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L28
	li	a7,268439552
	li	t3,1
	li	t0,3
	slli	a7,a7,24
	slli	t3,t3,31
	li	t6,4096
	li	t5,512
.L30:
 #APP
# 66 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t2
# 0 "" 2
 #NO_APP
	li	a4,0
.L29:
	add	a6,a4,t3
	or	t1,a4,a7
	or	a6,a6,a7
 #APP
# 66 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, t1, a6
# 0 "" 2
 #NO_APP
	add	a6,a4,t6
	or	a6,a6,a7
 #APP
# 66 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a6, a5
# 0 "" 2
 #NO_APP
	addi	a4,a4,16
	bne	a4,t5,.L29
 #APP
# 66 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t2
	sd	a4,144(a0)
	addiw	t0,t0,-1
	bne	t0,zero,.L30
	li	t3,268439552
	li	t0,3
	slli	t3,t3,24
	li	t6,-2147483648
	li	t5,64
.L32:
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t2
# 0 "" 2
 #NO_APP
	li	t1,4096
	li	a7,0
.L31:
	andi	a6,a7,31
	slliw	a4,a6,4
	addw	a4,t6,a4
	slli	a4,a4,32
	slli	a6,a6,4
	srli	a4,a4,32
	or	a6,a6,t3
	or	a4,a4,t3
 #APP
# 68 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a6, a4
# 0 "" 2
 #NO_APP
	or	a4,t1,t3
 #APP
# 68 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a5
# 0 "" 2
 #NO_APP
	addiw	a7,a7,1
	addi	t1,t1,16
	bne	a7,t5,.L31
 #APP
# 68 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t2
	sd	a4,152(a0)
	addiw	t0,t0,-1
	bne	t0,zero,.L32
	li	t3,268439552
	li	t0,3
	slli	t3,t3,24
	li	t6,-2147483648
	li	t5,64
.L34:
 #APP
# 70 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t2
# 0 "" 2
 #NO_APP
	li	a7,0
	mv	t1,t4
.L33:
	andi	a6,a7,31
	slliw	a4,a6,4
	addw	a4,t6,a4
	slli	a4,a4,32
	slli	a6,a6,4
	srli	a4,a4,32
	or	a6,a6,t3
	or	a4,a4,t3
 #APP
# 70 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a6, a4
# 0 "" 2
 #NO_APP
	or	a4,t1,t3
 #APP
# 70 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a5
# 0 "" 2
 #NO_APP
	addiw	a7,a7,1
	addi	t1,t1,16
	bne	a7,t5,.L33
 #APP
# 70 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t2
	sd	a4,160(a0)
	addiw	t0,t0,-1
	bne	t0,zero,.L34
	li	t1,268439552
	li	t5,3
	li	t4,-2147483648
	slli	t1,t1,24
	li	t3,64
.L36:
 #APP
# 72 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t6
# 0 "" 2
 #NO_APP
	li	a7,4096
	li	a6,0
.L35:
	andi	a4,a6,31
	slliw	a4,a4,4
	addw	a4,a4,t4
	slli	a4,a4,32
	srli	a4,a4,32
	or	a4,a4,t1
 #APP
# 72 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a4
# 0 "" 2
 #NO_APP
	or	a4,a7,t1
 #APP
# 72 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a4, a5
# 0 "" 2
 #NO_APP
	addiw	a6,a6,1
	addi	a7,a7,16
	bne	a6,t3,.L35
 #APP
# 72 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t6
	sd	a4,168(a0)
	addiw	t5,t5,-1
	bne	t5,zero,.L36
	li	a7,4194304
	addi	a7,a7,67
	li	t3,268439552
	li	t1,4096
	li	t4,3
	slli	a7,a7,30
	slli	t3,t3,24
	addi	t1,t1,1024
.L38:
 #APP
# 74 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t5
# 0 "" 2
 #NO_APP
	li	a4,4096
.L37:
 #APP
# 74 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a7
# 0 "" 2
 #NO_APP
	or	a6,a4,t3
 #APP
# 74 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a6, a5
# 0 "" 2
 #NO_APP
	addi	a4,a4,16
	bne	a4,t1,.L37
 #APP
# 74 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t5
	sd	a4,176(a0)
	addiw	t4,t4,-1
	bne	t4,zero,.L38
	li	t1,67112960
	li	t5,3
	li	t4,-2147483648
	slli	t1,t1,24
	li	t3,64
.L40:
 #APP
# 76 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t6
# 0 "" 2
 #NO_APP
	li	a7,4096
	li	a6,0
.L39:
	andi	a4,a6,31
	slliw	a4,a4,4
	addw	a4,a4,t4
	slli	a4,a4,32
	srli	a4,a4,32
	or	a4,a4,t1
 #APP
# 76 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a4
# 0 "" 2
 #NO_APP
	or	a4,a7,t1
 #APP
# 76 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a4, a5
# 0 "" 2
 #NO_APP
	addiw	a6,a6,1
	addi	a7,a7,16
	bne	a6,t3,.L39
 #APP
# 76 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t6
	sd	a4,184(a0)
	addiw	t5,t5,-1
	bne	t5,zero,.L40
	li	t4,268439552
	li	t3,67112960
	li	t0,3
	slli	t4,t4,24
	li	t6,-2147483648
	slli	t3,t3,24
	li	t5,64
.L42:
 #APP
# 78 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t2
# 0 "" 2
 #NO_APP
	li	t1,4096
	li	a7,0
.L41:
	andi	a6,a7,31
	slliw	a4,a6,4
	addw	a4,t6,a4
	slli	a4,a4,32
	slli	a6,a6,4
	srli	a4,a4,32
	or	a6,a6,t4
	or	a4,a4,t3
 #APP
# 78 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a6, a4
# 0 "" 2
 #NO_APP
	or	a4,t1,t3
 #APP
# 78 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a4, a5
# 0 "" 2
 #NO_APP
	addiw	a7,a7,1
	addi	t1,t1,16
	bne	a7,t5,.L41
 #APP
# 78 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t2
	sd	a4,192(a0)
	addiw	t0,t0,-1
	bne	t0,zero,.L42
	li	a7,2097152
	addi	a7,a7,33
	lla	t5,C
	li	a6,3
	slli	a7,a7,31
.L43:
 #APP
# 81 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 81 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t5, a7
# 0 "" 2
# 81 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,200(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L43
	li	t2,1
	slli	t1,t2,31
	li	t3,268439552
	li	t6,3
	slli	t3,t3,24
	li	t4,8192
	addi	t1,t1,256
.L45:
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t0
# 0 "" 2
 #NO_APP
	mv	a6,t5
	slli	a4,t2,31
.L44:
	or	a7,a4,t3
 #APP
# 82 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a6, a7
# 0 "" 2
 #NO_APP
	addi	a4,a4,16
	add	a6,a6,t4
	bne	a4,t1,.L44
 #APP
# 82 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t0
	sd	a4,208(a0)
	addiw	t6,t6,-1
	bne	t6,zero,.L45
	li	a7,2097152
	addi	a7,a7,129
	li	a6,3
	slli	a7,a7,31
.L46:
 #APP
# 83 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 83 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t5, a7
# 0 "" 2
# 83 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,216(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L46
	li	a7,2097152
	addi	a7,a7,129
	lla	t2,C+8192
	lla	s4,C+16384
	lla	s0,C+24576
	lla	s1,C+32768
	lla	s3,C+40960
	lla	t0,C+49152
	lla	s2,C+57344
	li	a6,3
	ld	s8,.LC7
	ld	s7,.LC8
	ld	s6,.LC9
	ld	s5,.LC10
	ld	t6,.LC11
	ld	t4,.LC12
	ld	t3,.LC13
	slli	a7,a7,31
.L47:
 #APP
# 84 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t5, a7
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t2, s8
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s4, s7
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s0, s6
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s1, s5
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s3, t6
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t0, t4
# 0 "" 2
# 84 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s2, t3
# 0 "" 2
# 84 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,224(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L47
	li	a4,2
	ld	a6,.LC14
 #APP
# 85 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a4, a6
# 0 "" 2
 #NO_APP
	li	t3,268439552
	li	t6,3
	li	s6,5
	slli	t3,t3,24
	li	t4,16
.L49:
 #APP
# 86 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle s5
# 0 "" 2
 #NO_APP
	li	a6,0
	slli	t1,s6,29
.L48:
	andi	a4,a6,3
	sraiw	a7,a6,2
	slliw	a7,a7,4
	slli	a4,a4,13
	add	a4,a4,a7
	slli	a4,a4,2
	add	a4,a3,a4
	or	a7,t1,t3
 #APP
# 86 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, a4, a7
# 0 "" 2
 #NO_APP
	addiw	a6,a6,1
	addi	t1,t1,16
	bne	a6,t4,.L48
 #APP
# 86 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,s5
	sd	a4,232(a0)
	addiw	t6,t6,-1
	bne	t6,zero,.L49
	li	a4,127
	slli	a4,a4,55
	li	a3,2
	addi	a4,a4,512
 #APP
# 87 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a4
# 0 "" 2
 #NO_APP
	li	a4,67112960
	slli	a4,a4,26
	li	a6,3
	addi	s7,a4,64
	addi	s6,a4,128
	addi	s5,a4,192
	addi	t6,a4,256
	addi	t4,a4,320
	addi	t3,a4,384
	addi	t1,a4,448
.L50:
 #APP
# 88 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a7
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t5, a4
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t2, s7
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s4, s6
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s0, s5
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s1, t6
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s3, t4
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t0, t3
# 0 "" 2
# 88 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, s2, t1
# 0 "" 2
# 88 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a3
# 0 "" 2
 #NO_APP
	sub	a3,a3,a7
	sd	a3,240(a0)
	addiw	a6,a6,-1
	bne	a6,zero,.L50
	li	a6,2097152
	li	a7,268439552
	addi	a6,a6,33
	li	a3,3
	slli	a7,a7,24
	slli	a6,a6,31
.L51:
 #APP
# 90 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t1
# 0 "" 2
# 90 "candidate.c" 1
	.insn r 0x7b, 3, 2, x0, a2, a7
# 0 "" 2
# 90 "candidate.c" 1
	.insn r 0x7b, 3, 1, x0, a2, a1
# 0 "" 2
# 90 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a7, a6
# 0 "" 2
# 90 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a1, a5
# 0 "" 2
# 90 "candidate.c" 1
	.insn r 0x7b, 3, 3, x0, t5, a6
# 0 "" 2
# 90 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t1
	sd	a4,248(a0)
	addiw	a3,a3,-1
	bne	a3,zero,.L51
	li	a4,1
	ld	a3,.LC15
	slli	a4,a4,48
 #APP
# 92 "candidate.c" 1
	.insn r 0x7b, 3, 0, x0, a3, a4
# 0 "" 2
 #NO_APP
	li	t6,1
	slli	a7,t6,31
	li	a6,268439552
	li	t4,3
	slli	a6,a6,24
	li	t3,-2147479552
	li	t1,-2147483648
	addi	a7,a7,512
.L53:
 #APP
# 93 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t5
# 0 "" 2
 #NO_APP
	slli	a4,t6,31
.L52:
	or	a3,a4,a6
 #APP
# 93 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a3
# 0 "" 2
 #NO_APP
	add	a3,a4,t3
	add	a2,a4,t1
	or	a3,a3,a6
	or	a2,a2,a6
 #APP
# 93 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a3, a2
# 0 "" 2
 #NO_APP
	addi	a4,a4,16
	bne	a4,a7,.L52
 #APP
# 93 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t5
	sd	a4,256(a0)
	addiw	t4,t4,-1
	bne	t4,zero,.L53
	li	a6,268439552
	li	t5,2097152
	slli	a6,a6,24
	addi	t5,t5,33
	li	t4,3
	ld	t2,.LC16
	li	s0,4096
	li	t1,31
	li	t3,-4096
	slli	t5,t5,31
	addi	t0,a6,496
.L55:
 #APP
# 95 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle t6
# 0 "" 2
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a5
# 0 "" 2
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 4, x0, a1, a6
# 0 "" 2
 #NO_APP
	li	a2,1
	addi	a4,s0,16
	beq	a2,t1,.L57
.L118:
 #APP
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, a5
# 0 "" 2
 #NO_APP
	add	a3,a4,t3
	or	a7,a4,a6
	or	a3,a3,a6
 #APP
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, a7, a3
# 0 "" 2
 #NO_APP
	addiw	a2,a2,1
	addi	a4,a4,16
	bne	a2,t1,.L118
.L57:
 #APP
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 6, x0, a5, t5
# 0 "" 2
# 95 "candidate.c" 1
	.insn r 0x7b, 3, 5, x0, t2, t0
# 0 "" 2
# 95 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a4
# 0 "" 2
 #NO_APP
	sub	a4,a4,t6
	sd	a4,264(a0)
	addiw	t4,t4,-1
	bne	t4,zero,.L55
	sw	zero,12(sp)
	li	a2,3
	li	a3,100
.L59:
 #APP
# 99 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a1
# 0 "" 2
 #NO_APP
	li	a5,0
.L58:
	lw	a4,12(sp)
	addw	a4,a4,a5
	sw	a4,12(sp)
	addiw	a5,a5,1
	bne	a5,a3,.L58
 #APP
# 99 "candidate.c" 1
	fence
# 0 "" 2
# 13 "candidate.c" 1
	rdcycle a5
# 0 "" 2
 #NO_APP
	sub	a5,a5,a1
	sd	a5,272(a0)
	addiw	a2,a2,-1
	bne	a2,zero,.L59
	ld	s0,88(sp)
	ld	s1,80(sp)
	ld	s2,72(sp)
	ld	s3,64(sp)
	ld	s4,56(sp)
	ld	s5,48(sp)
	ld	s6,40(sp)
	ld	s7,32(sp)
	ld	s8,24(sp)
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
	.dword	4503672641814527
	.align	3
.LC4:
	.dword	4503668346851328
	.align	3
.LC5:
	.dword	4503670494330896
	.align	3
.LC6:
	.dword	4503668346851344
	.align	3
.LC7:
	.dword	4503876652761152
	.align	3
.LC8:
	.dword	4503876652761216
	.align	3
.LC9:
	.dword	4503876652761280
	.align	3
.LC10:
	.dword	4503876652761344
	.align	3
.LC11:
	.dword	4503876652761408
	.align	3
.LC12:
	.dword	4503876652761472
	.align	3
.LC13:
	.dword	4503876652761536
	.align	3
.LC14:
	.dword	4575657221408425984
	.align	3
.LC15:
	.dword	4575657221408489472
	.align	3
.LC16:
	.dword	4503668346851824
	.bss
	.align	6
	.type	D, @object
	.size	D, 131072
D:
	.zero	131072
	.type	C, @object
	.size	C, 262144
C:
	.zero	262144
	.type	A, @object
	.size	A, 262144
A:
	.zero	262144
