package dev.verbena.collectives.link;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.UnsupportedException;
import java.util.EnumSet;

/// What a communicator has on one device: completions, receives that its links share, and memory
/// for their slots.
///
/// The receives have no memory: they are used up by WRITEs with immediate data. When more messages
/// arrive at once than there are receives, their senders wait and try again.
public final class RankDevice implements AutoCloseable {
    /// A link has at most this many requests under way: short messages, grants, long messages, and
    /// credits between them.
    static final int SENDS = 64;

    private static final int RECEIVES_MAX = 4096;
    private static final int RECEIVES_AT_ONCE = 8;

    /// Bytes of an entry in the table of grants.
    static final int GRANT_BYTES = 32;

    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final MemorySource source;
    private final Slab slots;
    private final Slab grants;
    private int used;

    /// @param ranks with which it may have links
    RankDevice(Reception reception, MemorySource source, LinkSettings settings, int ranks) {
        this.domain = reception.domain();
        this.source = source;
        int depth = (int) Math.min(RECEIVES_MAX, 128L * ranks);
        completions = domain.device().completionQueue(4 * depth);
        receives = domain.sharedReceiveQueue(depth);
        slots = new Slab(domain, source, 2L * settings.slots() * settings.shortBytes());
        // Grants are numbers that are read, also where messages have a length alone.
        grants = new Slab(domain, ProtectionDomain::allocate, 2L * settings.grants() * GRANT_BYTES);
        used = depth;
        refill(1);
    }

    public ProtectionDomain domain() {
        return domain;
    }

    public CompletionQueue completions() {
        return completions;
    }

    /// Memory for messages.
    public MemoryRegion allocate(long bytes) {
        return source.make(domain, bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    /// The same memory for this device.
    public MemoryRegion register(MemoryRegion other) {
        try {
            return domain.register(other.segment(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        } catch (UnsupportedException lengthAlone) {
            return allocate(other.length());
        }
    }

    QueuePair pair() {
        return domain.queuePair(
                QueuePairType.RC,
                it ->
                        it.completions(completions)
                                .sharedReceives(receives)
                                .sendDepth(SENDS)
                                .access(EnumSet.of(Access.REMOTE_WRITE)));
    }

    Slab.Piece slots() {
        return slots.take();
    }

    Slab.Piece grants() {
        return grants.take();
    }

    /// A message has used up a receive.
    void used() {
        used++;
        refill(RECEIVES_AT_ONCE);
    }

    private void refill(int atLeast) {
        if (used < atLeast) {
            return;
        }
        ReceiveBatch batch = receives.receives();
        for (int i = 0; i < used; i++) {
            batch.receive();
        }
        if (batch.post()) {
            used = 0;
        }
    }

    @Override
    public void close() {
        receives.close();
        completions.close();
        slots.close();
        grants.close();
    }
}
