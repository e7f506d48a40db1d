package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One side of an unreliable connection, with a reference of its own of the rules for what comes in
/// (IBA 9.8.3): a message that begins is always taken; one with a packet missing is given up, and
/// the rest of it passed over; its receive is kept for the next, unless others share it.
final class UcEndpoint extends UnreliableEndpoint {
    private static final Set<Access> WINDOW_RIGHTS =
            Set.of(Access.REMOTE_WRITE, Access.REMOTE_READ);

    final int mtu;
    final int longest;

    /// What the peer writes to, by a key that ends now and then, and through a window.
    final Area written;

    final Area windowed;
    final List<WindowModel> windowModels;

    private final UcSender sender;
    private final boolean allowsWrites;
    private @Nullable UcEndpoint peer;

    // The reference.
    private int expectedPsn;
    private @Nullable UnreliableMessage open;
    private @Nullable Receive kept;
    private boolean skipping;

    UcEndpoint(CampaignRun run, Host host, int index, int mtu, int longest) {
        boolean writes = run.plan.choices.chance(0.9);
        super(
                run,
                host,
                index,
                QueuePairType.UC,
                longest,
                options ->
                        options.access(
                                writes
                                        ? EnumSet.of(Access.REMOTE_WRITE)
                                        : EnumSet.noneOf(Access.class)));
        this.mtu = mtu;
        this.longest = longest;
        allowsWrites = writes;
        written = area(2 * longest + 512, Access.REMOTE_WRITE);
        windowed = area(longest + 512, Access.LOCAL_WRITE, Access.WINDOW_BIND);
        windowModels =
                run.plan.windows
                        ? List.of(
                                new WindowModel(
                                        host, choices, windowed.region, windowed, WINDOW_RIGHTS))
                        : List.of();
        sender = new UcSender(this, run.plan.unreliableMessages);
    }

    private Area area(int bytes, Access... rights) {
        MemorySegment memory = host.hostMemory.cut((bytes + 7) & -8);
        return new Area(memory, host.domain.register(memory, rights));
    }

    UcEndpoint peer() {
        return Objects.requireNonNull(peer);
    }

    void join(UcEndpoint other, int sendPsn, int receivePsn) {
        peer = other;
        sender.startAt(sendPsn);
        expectedPsn = receivePsn;
    }

    @Override
    UnreliableSendQueue sender() {
        return sender;
    }

    @Override
    Service service() {
        return Service.UC;
    }

    @Override
    @Nullable Receive kept() {
        return kept;
    }

    @Override
    int capacity() {
        return choices.chance(0.9) ? longest : choices.between(0, longest);
    }

    @Override
    void advance() {
        super.advance();
        if (!closed && choices.chance(0.01)) {
            written.region.renew();
        }
    }

    @Override
    void expect(InboundPacket packet, CounterModel model) {
        if (!admits(packet, model)) {
            return;
        }
        int psn = packet.view().psn();
        UnreliableMessage posting = peer().sender.sentWith(psn);
        int index = Psn.distance(psn, posting.firstPsn);
        boolean last = index == posting.packets - 1;
        boolean isNext = psn == expectedPsn;
        expectedPsn = Psn.plus(psn, 1);
        if (!isNext) {
            model.owe(Counter.OUT_OF_SEQUENCE);
        }
        if (index == 0) {
            giveUp(model);
        } else if (skipping) {
            model.owe(Counter.SKIPPED_PACKET);
            skipping = !last;
            return;
        } else if (!isNext) {
            giveUp(model);
            skipping = !last;
            return;
        }
        require(index == 0 || open == posting, "%s goes on as %s", open, posting);
        boolean taken =
                posting.message.kind.isSend()
                        ? send(posting, index, last, model)
                        : write(posting, index, last, model);
        if (!taken) {
            drop(CompletionStatus.REMOTE_ABORTED);
        }
        skipping = !taken && !last;
    }

    /// An open message has lost a packet.
    private void giveUp(CounterModel model) {
        if (open != null) {
            model.owe(Counter.BROKEN_MESSAGE);
            drop(CompletionStatus.REMOTE_ABORTED);
        }
    }

    /// Others that share the receives do not wait for this one.
    private void drop(CompletionStatus status) {
        open = null;
        if (kept != null && shared != null) {
            owe(kept, status, null);
            kept = null;
        }
    }

    private boolean send(UnreliableMessage posting, int index, boolean last, CounterModel model) {
        if (index == 0) {
            if (kept == null && !hasReceive()) {
                model.owe(Counter.DROPPED_NO_RECEIVE);
                return false;
            }
            kept = kept == null ? take() : kept;
            open = posting;
        }
        Receive receive = Objects.requireNonNull(kept);
        int bytes = bytes(posting, index);
        boolean tooLong = index * peer().mtu + bytes > receive.capacity();
        if (tooLong || !fits(bytes, last)) {
            model.owe(fits(bytes, last) ? Counter.TOO_LONG_MESSAGE : Counter.REFUSED_LENGTH);
            drop(CompletionStatus.LOCAL_LENGTH_ERROR);
            return false;
        }
        if (bytes > 0 && !posting.message.phantom && isDying(receive)) {
            open = null;
            kept = null;
            fail(receive, model);
            return false;
        }
        if (last) {
            model.owe(Counter.RECEIVED_SENDS);
            owe(receive, CompletionStatus.SUCCESS, posting);
            open = null;
            kept = null;
        }
        return true;
    }

    private boolean write(UnreliableMessage posting, int index, boolean last, CounterModel model) {
        boolean immediate = last && posting.message.hasImmediate();
        Counter problem = null;
        int bytes = bytes(posting, index);
        if (index == 0 && !allowsWrites) {
            problem = Counter.REFUSED_OPERATION;
        } else if (immediate && kept == null && !hasReceive()) {
            problem = Counter.DROPPED_NO_RECEIVE;
        } else if (!fits(bytes, last)) {
            problem = Counter.REFUSED_LENGTH;
        } else if (bytes > 0) {
            problem = place(posting, index, bytes);
        }
        if (problem != null) {
            model.owe(problem);
            return false;
        }
        open = last ? null : posting;
        if (last) {
            model.owe(Counter.RECEIVED_WRITES);
        }
        if (immediate) {
            owe(kept == null ? take() : kept, CompletionStatus.SUCCESS, posting);
            kept = null;
        }
        return true;
    }

    /// Puts bytes where the key and the address say, or tells why not.
    private @Nullable Counter place(UnreliableMessage posting, int index, int bytes) {
        Message message = posting.message;
        // The events that the program has seen by now decide.
        windowModels.forEach(_ -> run.drain(host));
        for (WindowModel windowModel : windowModels) {
            WindowModel.Binding binding = windowModel.inForce;
            if (binding != null && binding.key() == message.key) {
                long offset = posting.address - windowModel.region.address();
                if (!binding.rights().contains(Access.REMOTE_WRITE)) {
                    return Counter.DENIED_RIGHT;
                }
                if (!binding.covers(offset, message.length)) {
                    return Counter.DENIED_BOUNDS;
                }
                windowed.place(message, (int) offset, index * peer().mtu, bytes, posting.from.host);
                return null;
            }
        }
        MemoryRegion region = written.region;
        if (message.key == region.remoteKey()) {
            long offset = posting.address - region.address();
            if (offset < 0 || offset + message.length > region.length()) {
                return Counter.DENIED_BOUNDS;
            }
            written.place(message, (int) offset, index * peer().mtu, bytes, posting.from.host);
            return null;
        }
        if (message.key == host.phantom.remoteKey()) {
            return null;
        }
        return message.key == host.sourceRegion.remoteKey()
                ? Counter.DENIED_RIGHT
                : message.key == host.elsewhere.remoteKey()
                        ? Counter.DENIED_DOMAIN
                        : Counter.DENIED_KEY;
    }

    private int bytes(UnreliableMessage posting, int index) {
        return Math.min(peer().mtu, posting.message.length - index * peer().mtu);
    }

    private boolean fits(int bytes, boolean last) {
        return last ? bytes <= mtu : bytes == mtu;
    }

    @Override
    void check(Due expected, UnreliableMessage posting, Completion completion) {
        Message message = posting.message;
        boolean write = message.kind.isWrite();
        require(
                completion.operation()
                                == (write
                                        ? CompletedOperation.RECEIVE_WRITE_IMMEDIATE
                                        : CompletedOperation.RECEIVE)
                        && completion.byteLength() == message.length
                        && completion.hasImmediate() == message.hasImmediate()
                        && completion.immediate() == message.immediate
                        && completion.isSolicited() == message.solicited
                        && !completion.hasInvalidatedKey()
                        && completion.sourceQueuePair() == 0
                        && !completion.hasGlobalHeader(),
                "%s came as %s of %d bytes",
                posting,
                completion,
                completion.byteLength());
        Receive receive = expected.receive();
        if (write || message.phantom) {
            // Whatever a broken message has left there stays.
            pool.wipe(receive);
            return;
        }
        require(
                pool.holds(receive, 0, message, posting.from.host.source),
                "%s came with other bytes in %s",
                posting,
                receive);
        pool.wipe(receive);
    }

    @Override
    void checkStopped() {
        super.checkStopped();
        written.checkAll("written area of " + number);
        windowed.checkAll("windowed area of " + number);
    }

    @Override
    void close() {
        windowModels.forEach(WindowModel::close);
        written.region.close();
        windowed.region.close();
        super.close();
    }
}
