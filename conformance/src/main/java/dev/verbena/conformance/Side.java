package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One end of a [Connection]: a queue pair with all that belongs to it, on one device.
public final class Side {
    private static final VarHandle FIRST = ValueLayout.JAVA_LONG.varHandle();

    private final World world;
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final Inbox sent;
    private final Inbox received;
    private final @Nullable SharedReceiveQueue shared;
    private final QueuePair pair;
    private final List<AsyncEvent> events = new ArrayList<>();

    Side(
            World world,
            ProtectionDomain domain,
            MemoryRegion memory,
            QueuePairType type,
            @Nullable SharedReceiveQueue shared,
            Consumer<QueuePairOptions> options) {
        this.world = world;
        this.domain = domain;
        this.memory = memory;
        this.shared = shared;
        Device device = domain.device();
        sent = new Inbox(world, device.completionQueue(Setup.COMPLETIONS));
        received = new Inbox(world, device.completionQueue(Setup.COMPLETIONS));
        pair =
                domain.queuePair(
                        type,
                        given -> {
                            given.sendCompletions(sent.queue())
                                    .receiveCompletions(received.queue());
                            if (shared != null) {
                                given.sharedReceives(shared);
                            }
                            options.accept(given);
                        });
    }

    /// Another queue pair like this one, with queues of its own, on the same memory.
    Side another() {
        return another(options -> {});
    }

    /// Another queue pair on the same memory, with options of its own.
    Side another(Consumer<QueuePairOptions> options) {
        return new Side(world, domain, memory, pair.type(), shared, options);
    }

    public World world() {
        return world;
    }

    public Device device() {
        return domain.device();
    }

    public ProtectionDomain domain() {
        return domain;
    }

    /// Memory of this side with every ordinary right.
    public MemoryRegion memory() {
        return memory;
    }

    public QueuePair pair() {
        return pair;
    }

    /// The queue that it takes its receives from, which it shares.
    public SharedReceiveQueue shared() {
        return Objects.requireNonNull(shared, "this side shares no receives");
    }

    /// An address handle for another side's port, for datagrams.
    public AddressHandle wayTo(Side peer) {
        return domain.addressHandle(Address.to(peer.pair().endpoint()));
    }

    /// Completions of the send queue.
    public Inbox sent() {
        return sent;
    }

    /// Completions of the receive queue.
    public Inbox received() {
        return received;
    }

    /// A piece of this side's memory.
    public LocalSlice slice(long offset, long length) {
        return memory.slice(offset, length);
    }

    /// A piece of this side's memory, as the peer names it.
    public RemoteSlice remote(long offset, long length) {
        return memory.remote().slice(offset, length);
    }

    /// Posts to the send queue, which must have room.
    public void post(Consumer<? super SendBatch> work) {
        assertThat(pair.post(work)).as("room in the send queue").isTrue();
    }

    /// Posts a receive into this side's memory.
    public void receive(long id, long offset, long length) {
        receive(id, slice(offset, length));
    }

    /// Posts a receive into any memory.
    public void receive(long id, LocalSlice into) {
        postReceive(batch -> batch.receive(into).id(id));
    }

    /// Posts a receive without memory.
    public void receiveNothing(long id) {
        postReceive(batch -> batch.receive().id(id));
    }

    /// Posts to the receive queue, its own or the shared one, which must have room.
    public void postReceive(Consumer<? super ReceiveBatch> work) {
        assertThat(shared == null ? pair.postReceive(work) : shared.postReceive(work))
                .as("room in the receive queue")
                .isTrue();
    }

    /// Posts one piece of work that must fail, and checks how; the work is to be signaled or not.
    public void fails(CompletionStatus expected, Consumer<? super SendBatch> work) {
        post(work);
        wasRefused(sent.next(), expected);
        comesTo(QueuePairState.ERROR);
    }

    /// Fails the test unless a request ended as the peer's answer says; a lost answer is excused.
    public void wasRefused(Seen seen, CompletionStatus expected) {
        boolean excused =
                seen.status() == CompletionStatus.RETRY_EXCEEDED
                        && world.lacks(Feature.LOSSLESS).isPresent();
        if (!excused) {
            seen.ended(expected);
        }
    }

    /// Waits until the queue pair is in a state.
    public void comesTo(QueuePairState state) {
        world.advanceUntil(() -> pair.state() == state, Inbox.LIMIT);
        assertThat(pair.state()).as("state of qp 0x%x", pair.number()).isEqualTo(state);
    }

    /// Waits for an event of this side's queue pair.
    public void raises(AsyncEvent.Type type) {
        raises(type, pair.number());
    }

    /// Waits for an event of this side's device.
    public void raises(AsyncEvent.Type type, int subject) {
        assertThat(world.advanceUntil(() -> count(type, subject) > 0, Inbox.LIMIT))
                .as("%s of 0x%x among %s", type, subject, events)
                .isTrue();
    }

    /// Whether there was such an event of this side's queue pair.
    public boolean hasRaised(AsyncEvent.Type type) {
        return count(type, pair.number()) > 0;
    }

    /// How many such events of this side's device there were.
    public long count(AsyncEvent.Type type, int subject) {
        for (AsyncEvent event = device().pollEvent(); event != null; event = device().pollEvent()) {
            events.add(event);
        }
        return events.stream()
                .filter(event -> event.type() == type && event.subject() == subject)
                .count();
    }

    /// Fills memory with bytes that differ from place to place and from salt to salt.
    public void fill(long offset, long length, int salt) {
        fill(memory.segment(), offset, length, salt);
    }

    static void fill(MemorySegment segment, long offset, long length, int salt) {
        for (long at = offset; at < offset + length; at++) {
            int mixed = ((int) at + salt * 7919) * 0x9E37_79B1;
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) (mixed >>> 24));
        }
    }

    public byte[] bytes(long offset, long length) {
        return memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Fails the test unless this side has the same bytes here as the other has there.
    public void holds(long offset, byte[] expected) {
        long differs =
                memory.segment()
                        .asSlice(offset, expected.length)
                        .mismatch(MemorySegment.ofArray(expected));
        assertThat(differs)
                .as("first wrong byte of %d at offset %d", expected.length, offset)
                .isEqualTo(-1);
    }

    /// Waits until the first bytes of memory that was all zero have come.
    public void beginsToHold(MemorySegment segment) {
        boolean came =
                world.advanceUntil(() -> (long) FIRST.getAcquire(segment, 0L) != 0, Inbox.LIMIT);
        assertThat(came).as("the first bytes of a message came").isTrue();
    }

    /// Fails the test unless these bytes are all still zero.
    public void isUntouched(long offset, long length) {
        holds(offset, new byte[Math.toIntExact(length)]);
    }
}
