package dev.verbena.easy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A TCP connection that moves the frames of one channel, each behind its length in four bytes.
///
/// One thread reads and one writes, without the channel's lock, so that a socket whose buffer is
/// full holds up nothing else.
final class TcpLane implements Lane {
    private static final int LENGTH_BYTES = 4;

    private final Gate gate;
    private final LaneUser user;
    private final Slab slab;
    private final SocketChannel socket;
    private final String peer;
    private final MemorySegment memory;
    private final IntRing outgoing;
    private final int[] lengths;
    private final IntRing freeReceives;
    private final ArrayDeque<Thread> writer = new ArrayDeque<>(1);
    private boolean isEnded;

    TcpLane(Gate gate, Slab slab, LaneUser user, SocketChannel socket) throws IOException {
        this.gate = gate;
        this.user = user;
        this.slab = slab;
        this.socket = socket;
        peer = text((InetSocketAddress) socket.getRemoteAddress());
        memory = Arena.ofAuto().allocate(slab.bytes(), 64);
        outgoing = new IntRing(slab.sends);
        lengths = new int[slab.sends];
        freeReceives = IntRing.full(slab.receives);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + " port " + address.getPort() + " (TCP)";
    }

    /// Exchanges greetings; returns the peer's, or null when it sent something else.
    static @Nullable Greeting greet(SocketChannel socket, Greeting own, Duration limit)
            throws IOException {
        socket.write(ByteBuffer.wrap(own.toBytes()));
        socket.socket().setSoTimeout((int) Math.max(1, limit.toMillis()));
        // The channel's own stream has no limit; the adaptor's has.
        InputStream in = socket.socket().getInputStream();
        byte[] theirs = in.readNBytes(Greeting.LENGTH);
        return Greeting.of(theirs);
    }

    void start(Tasks tasks) {
        tasks.start(this::read);
        tasks.start(this::write);
    }

    // ---- reading

    private void read() {
        try {
            ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES);
            while (true) {
                fill(length.clear());
                int bytes = length.getInt(0);
                if (bytes < Frame.LENGTH || bytes > Frame.LENGTH + slab.messageBytes) {
                    throw new IOException("a frame of %d bytes".formatted(bytes));
                }
                int slot = takeReceive();
                MemorySegment frame = memory.asSlice(slab.ofReceive(slot), bytes);
                fill(frame.asByteBuffer());
                gate.lock();
                try {
                    if (isEnded) {
                        return;
                    }
                    user.arrived(slot, bytes);
                } finally {
                    gate.unlock();
                }
            }
        } catch (IOException | RuntimeException gone) {
            failed(gone);
        }
    }

    private void fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (socket.read(buffer) < 0) {
                throw new EOFException("the peer has closed the connection");
            }
        }
    }

    private int takeReceive() throws IOException {
        gate.lock();
        try {
            if (freeReceives.isEmpty()) {
                throw new IOException("the peer has sent more than it may");
            }
            return freeReceives.take();
        } finally {
            gate.unlock();
        }
    }

    @Override
    public void receive(int slot) {
        freeReceives.add(slot);
    }

    // ---- writing

    @Override
    public void send(int slot, int bytes) {
        lengths[slot] = bytes;
        outgoing.add(slot);
        gate.wake(writer);
    }

    private void write() {
        try {
            ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES);
            while (true) {
                int slot = nextOutgoing();
                if (slot < 0) {
                    return;
                }
                int bytes = lengths[slot];
                length.clear().putInt(0, bytes);
                ByteBuffer frame = memory.asSlice(slab.ofSend(slot), bytes).asByteBuffer();
                ByteBuffer[] both = {length, frame};
                while (frame.hasRemaining()) {
                    socket.write(both);
                }
                gate.lock();
                try {
                    user.sent(slot);
                } finally {
                    gate.unlock();
                }
            }
        } catch (IOException | RuntimeException gone) {
            failed(gone);
        }
    }

    /// Waits for a frame to send; -1 when the lane has ended.
    private int nextOutgoing() throws InterruptedIOException {
        gate.lock();
        try {
            gate.await(writer, Waits.NEVER, () -> isEnded || !outgoing.isEmpty());
            return isEnded ? -1 : outgoing.take();
        } finally {
            gate.unlock();
        }
    }

    private void failed(Exception why) {
        gate.lock();
        try {
            if (!isEnded) {
                String message = "the connection to %s has ended: %s".formatted(peer, why);
                user.failed(new ChannelException(message, null, why));
            }
        } finally {
            gate.unlock();
        }
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void end() {
        gate.lock();
        try {
            isEnded = true;
            gate.wake(writer);
        } finally {
            gate.unlock();
        }
        try {
            socket.close();
        } catch (IOException unclean) {
            // The threads that use it see that it is closed.
        }
    }
}
