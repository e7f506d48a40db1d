package dev.verbena.roce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.DatagramChannel;

/// Sends from the peer's address and a port of its own.
final class PortGun implements AutoCloseable {
    private static final int PEER = 2;

    private final SocketRoad road;
    private final DatagramChannel channel;

    PortGun(SocketRoad road) {
        this.road = road;
        channel = road.freshSender(road.address(PEER));
    }

    /// @param isSealed with the checksum of this port, or of another
    void fire(MemorySegment packet, int length, boolean isSealed) {
        if (isSealed) {
            road.seal(packet, 0, length, road.address(PEER), channel);
        }
        road.send(channel, packet.asSlice(0, length).asByteBuffer());
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
