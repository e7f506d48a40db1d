package dev.verbena.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Sends trains from the peer's address: one call, which the kernel cuts up.
final class TrainSender implements AutoCloseable {
    private static final int PEER = 2;

    private final MemorySegment state = Libc.state(Arena.ofAuto());
    private final MemorySegment name = Arena.ofAuto().allocate(SocketAddress.LENGTH_MAX, 8);
    private final MemorySegment piece = Arena.ofAuto().allocate(16, 8);
    private final MemorySegment bytes = Arena.ofAuto().allocate(1 << 16, 8);
    private final MessageHeader header = new MessageHeader();
    private final int socket;

    TrainSender(SocketAttackNetwork network) {
        socket =
                new ForeignSocket("forger", state)
                        .openSender(network.address(PEER), Link.of(network.address(PEER)));
        header.peer(name, SocketAddress.put(name, network.address(1), network.victimPort(), 0));
    }

    /// Memory for a train.
    MemorySegment memory(int length) {
        return bytes.asSlice(0, length);
    }

    void fire(MemorySegment train, int segment) {
        piece.set(ValueLayout.JAVA_LONG, 0, train.address());
        piece.set(ValueLayout.JAVA_LONG, 8, train.byteSize());
        header.pieces(piece, 1);
        header.clearControl();
        header.segment(segment);
        long sent = Libc.sendmsg(state, socket, header.finish(), 0);
        if (sent != train.byteSize()) {
            throw new AssertionError(
                    "a train of %d bytes in pieces of %d was not sent: errno %d"
                            .formatted(train.byteSize(), segment, Libc.errno(state)));
        }
    }

    @Override
    public void close() {
        Libc.close(state, socket);
    }
}
