package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ReceiveBatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Receive requests of one queue in the order of posting, and the memory behind them.
final class ReceivePool {
    /// What fills memory that nothing was received into.
    static final byte EMPTY = (byte) 0xEE;

    private static final int GAP = 8;
    private static final MemorySegment EMPTY_BYTES = HostMemory.filled(64 << 10, EMPTY);

    final MemoryRegion region;
    final int depth;

    /// Those that no message has taken yet, oldest first.
    final ArrayDeque<Receive> posted = new ArrayDeque<>();

    private final Choices choices;
    private final long firstId;
    private final MemorySegment memory;
    private final int slotBytes;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final int slots;
    private long count;

    /// @param inUse how many may be taken and not yet given back, besides those that are posted
    ReceivePool(Host host, Choices choices, int depth, int inUse, int longest, long firstId) {
        this.choices = choices;
        this.depth = depth;
        this.firstId = firstId;
        slotBytes = (longest + 3 * GAP + 7) & -8;
        memory = host.hostMemory.cut((depth + inUse) * slotBytes).fill(EMPTY);
        region = host.domain.register(memory, Access.LOCAL_WRITE);
        slots = depth + inUse;
        for (int i = 0; i < slots; i++) {
            free.add(i * slotBytes);
        }
    }

    /// How many were posted so far.
    long count() {
        return count;
    }

    /// How many were taken and not given back.
    int inUse() {
        return slots - free.size() - posted.size();
    }

    int missing() {
        return Math.min(depth - posted.size(), free.size());
    }

    long nextId() {
        return firstId + count;
    }

    /// Puts the next one into a batch.
    void add(ReceiveBatch batch) {
        add(batch, slotBytes - 2 * GAP);
    }

    void add(ReceiveBatch batch, int capacity) {
        boolean split = choices.chance(0.2);
        int first = split ? choices.between(0, capacity) : capacity;
        Receive receive = new Receive(nextId(), free.remove(), first, capacity - first);
        batch.receive().local(region, receive.at(), first).id(receive.id());
        if (split) {
            batch.local(region, receive.at() + first + GAP, capacity - first);
        }
        posted.add(receive);
        count++;
    }

    /// The next one was posted elsewhere, with its own memory.
    void addForeign(int capacity) {
        posted.add(new Receive(nextId(), free.remove(), capacity, 0));
        count++;
    }

    /// Whether the receive holds these bytes from `offset` on.
    boolean holds(Receive receive, int offset, MemorySegment source, long from, int bytes) {
        int head = Math.max(0, Math.min(bytes, receive.first() - offset));
        int second = receive.at() + receive.first() + GAP + Math.max(0, offset - receive.first());
        return offset + bytes <= receive.capacity()
                && Message.same(memory, receive.at() + offset, source, from, head)
                && Message.same(memory, second, source, from + head, bytes - head);
    }

    /// Whether nothing was written into the first bytes of the receive.
    boolean isEmpty(Receive receive, int bytes) {
        return holds(receive, 0, EMPTY_BYTES, 0, bytes);
    }

    /// Whether the receive holds the bytes of a message, taken from a source, from `offset` on.
    boolean holds(Receive receive, int offset, Message message, MemorySegment source) {
        int done = offset;
        for (int i = 0; i < message.pieces; i++) {
            if (!holds(receive, done, source, message.at[i], message.lengths[i])) {
                return false;
            }
            done += message.lengths[i];
        }
        return true;
    }

    /// The first bytes of the receive, in a row.
    MemorySegment head(Receive receive, int bytes) {
        MemorySegment head = MemorySegment.ofArray(new byte[bytes]);
        int first = Math.min(bytes, receive.first());
        MemorySegment.copy(memory, receive.at(), head, 0, first);
        int second = receive.at() + receive.first() + GAP;
        MemorySegment.copy(memory, second, head, first, bytes - first);
        return head;
    }

    /// Empties what was received, and tells whether anything was written behind it.
    boolean empty(Receive receive, int length) {
        int head = Math.min(length, receive.first());
        boolean second =
                length > receive.first() || (receive.second() > 0 && length == receive.first());
        MemorySegment.copy(EMPTY_BYTES, 0, memory, receive.at(), head);
        int tail = length - head;
        int end = receive.at() + head;
        if (second) {
            end = receive.at() + receive.first() + GAP;
            MemorySegment.copy(EMPTY_BYTES, 0, memory, end, tail);
            end += tail;
        }
        free.add(receive.at());
        return Message.same(memory, end, EMPTY_BYTES, 0, GAP);
    }

    /// Takes a receive back whatever it holds.
    void wipe(Receive receive) {
        MemorySegment.copy(EMPTY_BYTES, 0, memory, receive.at(), slotBytes);
        free.add(receive.at());
    }

    /// Whether all of the memory is as if nothing had ever been received.
    boolean isEmpty() {
        for (long at = 0; at < memory.byteSize(); at += EMPTY_BYTES.byteSize()) {
            int bytes = (int) Math.min(EMPTY_BYTES.byteSize(), memory.byteSize() - at);
            if (!Message.same(memory, at, EMPTY_BYTES, 0, bytes)) {
                return false;
            }
        }
        return true;
    }
}
