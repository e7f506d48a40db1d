package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The program by which the kernel chooses among the sockets of one address: classic BPF, which
/// needs no privilege.
///
/// It sees the payload of UDP, where byte 5 is the upper one of the destination queue pair number.
/// Its upper four bits are the number of the socket. The highest of their values is no socket's,
/// and has the number in the four bits below, for what the processes say to each other.
final class Steering {
    /// Where the number of a packet's socket is.
    static final int AT = 5;

    /// Bits of a queue pair number that are the number of a socket.
    static final int BITS = 4;

    /// The upper four bits that are no socket's.
    static final int BETWEEN_US = 15;

    private static final int LOAD_BYTE = 0x30;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int AND = 0x54;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x16;
    private static final int INSTRUCTION = 8;

    private static final int[][] PROGRAM = {
        {LOAD_BYTE, 0, AT},
        {SHIFT_RIGHT, 0, 4},
        {JUMP_IF_EQUAL, 1, BETWEEN_US},
        {RETURN, 0, 0},
        {LOAD_BYTE, 0, AT},
        {AND, 0, 0xF},
        {RETURN, 0, 0},
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
                code.set(ValueLayout.JAVA_INT, at + 4, PROGRAM[i][2]);
            }
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) PROGRAM.length);
            program.set(ValueLayout.ADDRESS, 8, code);
            int option = SocketOption.SO_ATTACH_REUSEPORT_CBPF;
            return Libc.setsockopt(state, socket, SocketOption.SOL_SOCKET, option, program, 16)
                    == 0;
        }
    }
}
