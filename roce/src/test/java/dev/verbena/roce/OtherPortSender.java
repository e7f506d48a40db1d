package dev.verbena.roce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.DatagramChannel;

/// Sends from the peer's address and a port of its own.
final class OtherPortSender implements AutoCloseable {
    private static final int PEER = 2;

    private final SocketAttackNetwork network;
    private final DatagramChannel channel;

    OtherPortSender(SocketAttackNetwork network) {
        this.network = network;
        channel = network.freshSender(network.address(PEER));
    }

    /// @param isSealed with the checksum of this port, or of another
    void fire(MemorySegment packet, int length, boolean isSealed) {
        if (isSealed) {
            network.seal(packet, 0, length, network.address(PEER), channel);
        }
        network.send(channel, packet.asSlice(0, length).asByteBuffer());
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
