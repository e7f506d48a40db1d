package dev.verbena.roce;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.mad.CmRej;
import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.CmSidrRep;
import dev.verbena.wire.mad.CmSidrReq;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.ManagementClass;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The program with which the kernel chooses among the sockets of one address: classic BPF, which
/// needs no privilege; and the same choice in Java, for packets that the kernel did not check.
///
/// It reads the payload of UDP: byte 5 is the upper byte of the destination queue pair number, and
/// its upper four bits are the number of the socket. Their highest value belongs to no device: then
/// the lower four bits are the number, for messages between the processes.
///
/// All devices have a queue pair 1. Replies of connection management name the number of their
/// request, and its upper four bits are also those of the socket. Packets that name no device,
/// mainly requests, go to a separate socket, which all devices read.
final class Steering {
    /// Where the number of a packet's socket is.
    static final int AT = 5;

    /// Bits of a queue pair number that are the number of a socket.
    static final int BITS = 4;

    /// The upper four bits that are no device's.
    static final int BETWEEN_US = 15;

    /// The socket of packets to queue pair 1 that name no device.
    static final int REQUESTS = 15;

    /// No socket at all.
    static final int NOBODY = -1;

    private static final int LOWER_AT = 6;
    private static final int MANAGEMENT_PAIR = 1;
    private static final int MAD_AT = Bth.LENGTH + Deth.LENGTH;
    private static final int CLASS_AT = MAD_AT + 1;
    private static final int ATTRIBUTE_AT = MAD_AT + 16;

    /// IBA 12.6: the first two numbers of every message. The second is the receiver's, but a SIDR
    /// answer has it first.
    private static final int FIRST_ID_AT = MAD_AT + Mad.LENGTH;

    private static final int SECOND_ID_AT = FIRST_ID_AT + Integer.BYTES;

    /// The service ID of a REQ and a SIDR_REQ.
    private static final int SERVICE_AT = SECOND_ID_AT + Integer.BYTES;

    private static final int MESSAGE_END = MAD_AT + Mad.LENGTH_TOTAL;

    private static final int LOAD_WORD = 0x20;
    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_BYTE = 0x30;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int AND = 0x54;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x16;
    private static final int RETURN_NUMBER = 0x06;
    private static final int INSTRUCTION = 8;

    /// Code, how many to skip if equal, how many if not, value.
    private static final int[][] PROGRAM = {
        {LOAD_BYTE, 0, 0, AT},
        {JUMP_IF_EQUAL, 6, 0, 0},
        {SHIFT_RIGHT, 0, 0, 4},
        {JUMP_IF_EQUAL, 1, 0, BETWEEN_US},
        {RETURN, 0, 0, 0},
        {LOAD_BYTE, 0, 0, AT},
        {AND, 0, 0, 0xF},
        {RETURN, 0, 0, 0},
        {LOAD_HALF, 0, 0, LOWER_AT},
        {JUMP_IF_EQUAL, 1, 0, MANAGEMENT_PAIR},
        {RETURN_NUMBER, 0, 0, 0},
        {LOAD_BYTE, 0, 0, CLASS_AT},
        {JUMP_IF_EQUAL, 0, 9, ManagementClass.COMMUNICATION},
        {LOAD_HALF, 0, 0, ATTRIBUTE_AT},
        {JUMP_IF_EQUAL, 7, 0, CmReq.ATTRIBUTE_ID},
        {JUMP_IF_EQUAL, 6, 0, CmSidrReq.ATTRIBUTE_ID},
        {JUMP_IF_EQUAL, 6, 0, CmSidrRep.ATTRIBUTE_ID},
        {LOAD_WORD, 0, 0, SECOND_ID_AT},
        {JUMP_IF_EQUAL, 3, 0, 0},
        {LOAD_BYTE, 0, 0, SECOND_ID_AT},
        {SHIFT_RIGHT, 0, 0, 4},
        {RETURN, 0, 0, 0},
        {RETURN_NUMBER, 0, 0, REQUESTS},
        {LOAD_BYTE, 0, 0, FIRST_ID_AT},
        {SHIFT_RIGHT, 0, 0, 4},
        {RETURN, 0, 0, 0},
    };

    private Steering() {}

    /// Attaches the program to the group of sockets that this one is of; false when refused.
    static boolean attach(MemorySegment state, int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocate((long) PROGRAM.length * INSTRUCTION, 8);
            for (int i = 0; i < PROGRAM.length; i++) {
                long at = (long) i * INSTRUCTION;
                code.set(ValueLayout.JAVA_SHORT, at, (short) PROGRAM[i][0]);
                code.set(ValueLayout.JAVA_BYTE, at + 2, (byte) PROGRAM[i][1]);
                code.set(ValueLayout.JAVA_BYTE, at + 3, (byte) PROGRAM[i][2]);
                code.set(ValueLayout.JAVA_INT, at + 4, PROGRAM[i][3]);
            }
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) PROGRAM.length);
            program.set(ValueLayout.ADDRESS, 8, code);
            int option = SocketOption.SO_ATTACH_REUSEPORT_CBPF;
            return Libc.setsockopt(state, socket, SocketOption.SOL_SOCKET, option, program, 16)
                    == 0;
        }
    }

    /// Whether a packet is for queue pair 1; it has the length of a header at least.
    static boolean isManagement(MemorySegment bytes, long at) {
        return BigEndian.u8(bytes, at + AT) == 0
                && BigEndian.u16(bytes, at + LOWER_AT) == MANAGEMENT_PAIR;
    }

    /// The socket that a single packet is for; [#NOBODY] for messages between the processes.
    static int socketOf(MemorySegment bytes, long at, int length) {
        if (length < Bth.LENGTH) {
            return NOBODY;
        }
        if (!isManagement(bytes, at)) {
            int number = BigEndian.u8(bytes, at + AT) >>> 4;
            return number == BETWEEN_US ? NOBODY : number;
        }
        if (!isMessage(bytes, at, length)) {
            return REQUESTS;
        }
        return switch (BigEndian.u16(bytes, at + ATTRIBUTE_AT)) {
            case CmReq.ATTRIBUTE_ID, CmSidrReq.ATTRIBUTE_ID -> REQUESTS;
            case CmSidrRep.ATTRIBUTE_ID -> BigEndian.u8(bytes, at + FIRST_ID_AT) >>> 4;
            default ->
                    BigEndian.i32(bytes, at + SECOND_ID_AT) == 0
                            ? REQUESTS
                            : BigEndian.u8(bytes, at + SECOND_ID_AT) >>> 4;
        };
    }

    /// Whether a packet for queue pair 1 asks for a service.
    static boolean asksForService(MemorySegment bytes, long at, int length) {
        if (!isMessage(bytes, at, length)) {
            return false;
        }
        int attribute = BigEndian.u16(bytes, at + ATTRIBUTE_AT);
        return attribute == CmReq.ATTRIBUTE_ID || attribute == CmSidrReq.ATTRIBUTE_ID;
    }

    /// Which service it asks for.
    static long service(MemorySegment bytes, long at) {
        return BigEndian.i64(bytes, at + SERVICE_AT);
    }

    /// Whether a packet to queue pair 1 cancels a request whose sender never received the number of
    /// its peer (IBA 12.6.7).
    static boolean givesUp(MemorySegment bytes, long at, int length) {
        return isMessage(bytes, at, length)
                && BigEndian.u16(bytes, at + ATTRIBUTE_AT) == CmRej.ATTRIBUTE_ID
                && BigEndian.i32(bytes, at + SECOND_ID_AT) == 0;
    }

    private static boolean isMessage(MemorySegment bytes, long at, int length) {
        return length >= MESSAGE_END
                && BigEndian.u8(bytes, at + CLASS_AT) == ManagementClass.COMMUNICATION;
    }
}
