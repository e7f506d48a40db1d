package dev.verbena.stream;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RemoteSlice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The messages that carry no data of the program: credits, parts of the ring, the end. They need
/// no credit, and at most four are under way, each with an entry of 16 bytes to write from.
final class Controls {
    static final int BYTES = ByteStream.CONTROLS_MAX * Targets.ENTRY;

    private final QueuePair pair;
    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int base;
    private final long idBase;
    private RemoteSlice peerTargets = new RemoteSlice(0, 0, 0);
    private int peerTargetCount;

    /// The peer's first entry is the one of its hello.
    private int peerTarget = 1;

    private long posted;
    private long completed;

    /// @param base of the entries in the region
    Controls(QueuePair pair, MemoryRegion region, int base, long idBase) {
        this.pair = pair;
        this.region = region;
        this.base = base;
        this.idBase = idBase;
        memory = region.segment().asByteBuffer();
    }

    void begin(Hello peer) {
        peerTargets = peer.targets();
        peerTargetCount = (int) (peerTargets.length() / Targets.ENTRY);
        // The list is read by the peer's processor.
        memory.order(peer.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    boolean hasRoom() {
        return posted - completed < ByteStream.CONTROLS_MAX;
    }

    boolean isIdle() {
        return posted == completed;
    }

    void completed() {
        completed++;
    }

    boolean credit(int end) {
        return post(Message.of(Message.CREDIT, end));
    }

    boolean farewell(int kind) {
        return post(Message.of(Message.CONTROL, kind));
    }

    /// Gives the peer a part of the ring, and credits.
    boolean publish(long address, int key, int length, int end) {
        int entry = base + (int) (posted % ByteStream.CONTROLS_MAX) * Targets.ENTRY;
        memory.putLong(entry, address).putInt(entry + 8, key).putInt(entry + 12, length);
        int message = Message.of(Message.CREDIT, end);
        long at = peerTargets.address() + (long) peerTarget * Targets.ENTRY;
        boolean isPosted =
                pair.sends()
                        .writeImmediate(at, peerTargets.key(), message)
                        .local(region, entry, Targets.ENTRY)
                        .id(id(message))
                        .signaled()
                        .post();
        if (isPosted) {
            posted++;
            peerTarget = (peerTarget + 1) % peerTargetCount;
        }
        return isPosted;
    }

    private boolean post(int message) {
        boolean isPosted =
                pair.sends().writeImmediate(0, 0, message).id(id(message)).signaled().post();
        if (isPosted) {
            posted++;
        }
        return isPosted;
    }

    private long id(int message) {
        return idBase | Integer.toUnsignedLong(message);
    }
}
