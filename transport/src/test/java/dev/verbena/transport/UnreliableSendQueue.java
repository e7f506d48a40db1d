package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.SendBatch;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The send queue of an unreliable service: posts random work, sees every packet leave, and checks
/// that requests complete in order, each once its last packet has left and not before.
abstract class UnreliableSendQueue {
    private static final int UNSIGNALED_MAX = 12;

    final UnreliableEndpoint member;
    final CampaignRun run;
    final Host host;
    final Choices choices;
    final QueuePair queuePair;
    int posted;
    int quota;

    /// Requests without an end yet, and those among them that have not all left, oldest first.
    private final ArrayDeque<UnreliableMessage> outstanding = new ArrayDeque<>();

    private final ArrayDeque<UnreliableMessage> unsent = new ArrayDeque<>();

    private final Map<Integer, UnreliableMessage> byPsn = new HashMap<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final MemorySegment scratch = Arena.ofAuto().allocate(Workload.INLINE_MAX);
    private final int limit;
    private final double signalChance;
    private final double failChance;
    private int drainAt;
    private boolean draining;
    private int unsignaled;
    private int nextPsn;

    /// The send queue has stopped by a failure of its own, and not started again.
    private boolean failed;

    /// The queue pair has failed.
    private boolean stopped;

    UnreliableSendQueue(UnreliableEndpoint member, int quota) {
        this.member = member;
        this.run = member.run;
        this.host = member.host;
        this.choices = member.choices;
        this.queuePair = member.queuePair;
        this.quota = quota;
        limit = choices.pick(List.of(1, 2, 4, 16));
        signalChance = choices.pick(List.of(0.1, 0.5, 1.0));
        drainAt = choices.chance(0.3) ? choices.between(0, quota) : -1;
        failChance = choices.chance(0.3) ? 0.05 : 0;
    }

    /// Draws a request; local memory is named by its pieces.
    abstract UnreliableMessage draw(long id);

    /// Begins it in a batch, without its memory.
    abstract void begin(SendBatch batch, UnreliableMessage posting);

    /// What a packet must say besides what all of them do.
    abstract void check(UnreliableMessage posting, OutboundPacket packet);

    /// A request is done; whether its bytes have come is another question.
    void done(UnreliableMessage posting) {}

    /// A request failed or was flushed.
    void failed(UnreliableMessage posting) {}

    void startAt(int psn) {
        nextPsn = psn;
    }

    /// The message that a packet with this sequence number belongs to.
    UnreliableMessage sentWith(int psn) {
        return Objects.requireNonNull(byPsn.get(psn), "nothing left with psn " + psn);
    }

    /// The send queue has drained, as requested.
    void drained() {
        member.require(draining, "drained without being told");
        draining = false;
        if (queuePair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
            queuePair.modify(QueuePairState.READY_TO_SEND, a -> {});
        }
    }

    void advance() {
        if (queuePair.state() == QueuePairState.READY_TO_SEND && posted == drainAt) {
            drainAt = -1;
            draining = true;
            queuePair.modify(QueuePairState.SEND_QUEUE_DRAINED, a -> a.drainNotify(true));
        }
        if (queuePair.state() == QueuePairState.SEND_QUEUE_ERROR
                && outstanding.isEmpty()
                && choices.chance(0.5)) {
            queuePair.modify(QueuePairState.READY_TO_SEND, a -> {});
            failed = false;
            run.progress();
        }
        while (posted < quota && outstanding.size() < limit && queuePair.state().takesSends()) {
            int room = Math.min(queuePair.sendRoom(), limit - outstanding.size());
            int count = Math.min(Math.min(room, quota - posted), choices.between(1, 3));
            if (count <= 0) {
                return;
            }
            SendBatch batch = queuePair.sends();
            for (int i = 0; i < count; i++) {
                add(batch);
            }
            member.require(batch.post(), "%d requests do not fit, room was %d", count, room);
            afterwards.forEach(Runnable::run);
            afterwards.clear();
            run.progress();
            if (failed) {
                // They complete at once; the loop would not end before the completions are polled.
                return;
            }
        }
    }

    private void add(SendBatch batch) {
        UnreliableMessage posting = draw(member.sendId(posted));
        Message message = posting.message;
        message.signaled =
                posted == quota - 1
                        || unsignaled >= Math.min(UNSIGNALED_MAX, limit - 1)
                        || choices.chance(signalChance);
        unsignaled = message.signaled ? 0 : unsignaled + 1;
        begin(batch, posting);
        if (!message.kind.isLocal()) {
            pieces(batch, posting);
            unsent.add(posting);
        }
        batch.id(message.id);
        if (message.signaled) {
            batch.signaled();
        }
        if (message.solicited) {
            batch.solicited();
        }
        outstanding.add(posting);
        posted++;
    }

    private void pieces(SendBatch batch, UnreliableMessage posting) {
        Message message = posting.message;
        if (message.length > 0 && choices.chance(failChance)) {
            batch.local(dying(posting), 0, message.length);
            return;
        }
        if (run.plan.phantoms && message.length > 0 && choices.chance(0.1)) {
            message.phantom = true;
            batch.local(host.phantom, 0, message.length);
            return;
        }
        if (message.inline) {
            Workload.inline(batch, message, host.source, scratch);
            return;
        }
        for (int i = 0; i < message.pieces; i++) {
            batch.local(host.sourceRegion, message.at[i], message.lengths[i]);
        }
    }

    /// Memory that goes away: before it is needed, or in the middle of its message, or after it.
    private MemoryRegion dying(UnreliableMessage posting) {
        Arena arena = Arena.ofShared();
        Message message = posting.message;
        MemorySegment bytes = arena.allocate(message.length);
        MemoryRegion region = host.domain.register(bytes, Access.LOCAL_WRITE);
        regions.add(region);
        message.copyTo(host.source, bytes);
        message.failure = Set.of(CompletionStatus.LOCAL_PROTECTION_ERROR);
        posting.mayLive = choices.chance(0.5);
        if (posting.mayLive) {
            run.pair.at(run.pair.nowNs() + choices.between(0, 20_000), arena::close);
        } else {
            afterwards(arena::close);
        }
        return region;
    }

    /// What is to be done as soon as the present batch is posted.
    void afterwards(Runnable work) {
        afterwards.add(work);
    }

    /// A packet leaves.
    void leaving(OutboundPacket packet) {
        UnreliableMessage posting = unsent.peek();
        if (posting == null) {
            throw member.failure("a packet left that was not posted");
        }
        Message message = posting.message;
        MemorySegment header = packet.header();
        long at = packet.headerAt();
        Opcode opcode = Opcode.of(Bth.opcode(header, at));
        boolean last = posting.sent == posting.packets - 1;
        member.require(
                opcode == Opcode.of(member.service(), operation(posting)),
                "%s left as %s",
                posting,
                opcode);
        member.require(
                Bth.psn(header, at) == nextPsn && !Bth.ackRequest(header, at),
                "%s left with psn %d instead of %d",
                posting,
                Bth.psn(header, at),
                nextPsn);
        member.require(
                Bth.solicited(header, at) == (last && message.solicited),
                "%s left with a wrong solicited bit",
                posting);
        if (opcode.has(ExtendedHeader.IMM_DT)) {
            long data = at + Bth.LENGTH + opcode.offsetOf(ExtendedHeader.IMM_DT);
            member.require(ImmDt.data(header, data) == message.immediate, "%s: immediate", posting);
        }
        check(posting, packet);
        if (posting.sent == 0) {
            posting.firstPsn = nextPsn;
        }
        byPsn.put(nextPsn, posting);
        nextPsn = Psn.plus(nextPsn, 1);
        posting.sent++;
        if (last) {
            unsent.remove();
        }
    }

    private static Operation operation(UnreliableMessage posting) {
        boolean first = posting.sent == 0;
        boolean last = posting.sent == posting.packets - 1;
        boolean immediate = posting.message.hasImmediate();
        if (posting.message.kind.isSend()) {
            return first && last
                    ? immediate ? Operation.SEND_ONLY_IMMEDIATE : Operation.SEND_ONLY
                    : first
                            ? Operation.SEND_FIRST
                            : !last
                                    ? Operation.SEND_MIDDLE
                                    : immediate
                                            ? Operation.SEND_LAST_IMMEDIATE
                                            : Operation.SEND_LAST;
        }
        return first && last
                ? immediate ? Operation.WRITE_ONLY_IMMEDIATE : Operation.WRITE_ONLY
                : first
                        ? Operation.WRITE_FIRST
                        : !last
                                ? Operation.WRITE_MIDDLE
                                : immediate ? Operation.WRITE_LAST_IMMEDIATE : Operation.WRITE_LAST;
    }

    void complete(Completion completion) {
        long id = completion.id();
        while (!outstanding.isEmpty() && head().message.id != id) {
            UnreliableMessage silent = outstanding.remove();
            member.require(
                    !silent.message.signaled && succeeds(silent), "%s was passed over", silent);
            done(silent);
        }
        member.require(!outstanding.isEmpty(), "0x%x completed, which is not outstanding", id);
        UnreliableMessage posting = outstanding.remove();
        CompletionStatus status = completion.status();
        if (status == CompletionStatus.SUCCESS) {
            member.require(posting.message.signaled && succeeds(posting), "%s completed", posting);
            member.require(
                    completion.operation() == posting.message.kind.completed,
                    "%s completed as %s",
                    posting,
                    completion.operation());
            done(posting);
        } else {
            fail(posting, status);
        }
    }

    private static boolean succeeds(UnreliableMessage posting) {
        return (posting.message.failure.isEmpty() || posting.mayLive) && posting.isSent();
    }

    private UnreliableMessage head() {
        return Objects.requireNonNull(outstanding.peek());
    }

    private void fail(UnreliableMessage posting, CompletionStatus status) {
        if (status == CompletionStatus.FLUSHED) {
            member.require(
                    (failed || stopped) && (posting.packets == 0 || !posting.isSent()),
                    "%s flushed",
                    posting);
        } else {
            member.require(
                    !failed && posting.message.failure.contains(status),
                    "%s ended with %s",
                    posting,
                    status);
            failed = true;
            draining = false;
        }
        failed(posting);
        if (!posting.message.kind.isLocal()) {
            member.require(unsent.poll() == posting, "%s was not the next to leave", posting);
        }
    }

    /// The queue pair fails: what has not left will be flushed.
    void stop() {
        stopped = true;
    }

    /// The queue pair is gone: nothing outstanding will ever be reported.
    void abandon() {
        outstanding.clear();
        unsent.clear();
        quota = posted;
    }

    /// When nothing moves any more: all is posted and has left.
    void checkEnd() {
        while (!outstanding.isEmpty()) {
            UnreliableMessage silent = outstanding.remove();
            member.require(!silent.message.signaled && succeeds(silent), "%s never ended", silent);
            done(silent);
        }
        member.require(!draining || failed || stopped, "never drained");
        member.require(
                posted == quota || stopped,
                "stuck: %d of %d posted, state %s",
                posted,
                quota,
                queuePair.state());
    }

    void close() {
        regions.forEach(MemoryRegion::close);
    }

    @Nullable UnreliableMessage oldest() {
        return outstanding.peek();
    }
}
