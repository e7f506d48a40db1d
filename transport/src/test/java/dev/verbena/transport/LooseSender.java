package dev.verbena.transport;

import dev.verbena.testkit.Choices;
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
abstract class LooseSender {
    private static final int UNSIGNALED_MAX = 12;

    final LooseMember member;
    final CampaignRun run;
    final Host host;
    final Choices choices;
    final QueuePair queuePair;
    int posted;
    int quota;

    /// Requests without an end yet, and those among them that have not all left, oldest first.
    private final ArrayDeque<Letter> outstanding = new ArrayDeque<>();

    private final ArrayDeque<Letter> unsent = new ArrayDeque<>();

    private final Map<Integer, Letter> byPsn = new HashMap<>();
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

    LooseSender(LooseMember member, int quota) {
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
    abstract Letter draw(long id);

    /// Begins it in a batch, without its memory.
    abstract void begin(SendBatch batch, Letter letter);

    /// What a packet must say besides what all of them do.
    abstract void check(Letter letter, OutboundPacket packet);

    /// A request is done; whether its bytes have come is another question.
    void done(Letter letter) {}

    /// A request failed or was flushed.
    void failed(Letter letter) {}

    void startAt(int psn) {
        nextPsn = psn;
    }

    /// The message that a packet with this sequence number belongs to.
    Letter sentWith(int psn) {
        return Objects.requireNonNull(byPsn.get(psn), "nothing left with psn " + psn);
    }

    /// The send queue has run dry, as it was told to.
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
                // They come back at once; the loop would not end before somebody looks.
                return;
            }
        }
    }

    private void add(SendBatch batch) {
        Letter letter = draw(member.sendId(posted));
        Message message = letter.message;
        message.signaled =
                posted == quota - 1
                        || unsignaled >= Math.min(UNSIGNALED_MAX, limit - 1)
                        || choices.chance(signalChance);
        unsignaled = message.signaled ? 0 : unsignaled + 1;
        begin(batch, letter);
        if (!message.kind.isLocal()) {
            pieces(batch, letter);
            unsent.add(letter);
        }
        batch.id(message.id);
        if (message.signaled) {
            batch.signaled();
        }
        if (message.solicited) {
            batch.solicited();
        }
        outstanding.add(letter);
        posted++;
    }

    private void pieces(SendBatch batch, Letter letter) {
        Message message = letter.message;
        if (message.length > 0 && choices.chance(failChance)) {
            batch.local(dying(letter), 0, message.length);
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
    private MemoryRegion dying(Letter letter) {
        Arena arena = Arena.ofShared();
        Message message = letter.message;
        MemorySegment bytes = arena.allocate(message.length);
        MemoryRegion region = host.domain.register(bytes, Access.LOCAL_WRITE);
        regions.add(region);
        message.copyTo(host.source, bytes);
        message.failure = Set.of(CompletionStatus.LOCAL_PROTECTION_ERROR);
        letter.mayLive = choices.chance(0.5);
        if (letter.mayLive) {
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
        Letter letter = unsent.peek();
        if (letter == null) {
            throw member.failure("a packet left that nobody posted");
        }
        Message message = letter.message;
        MemorySegment header = packet.header();
        long at = packet.headerAt();
        Opcode opcode = Opcode.of(Bth.opcode(header, at));
        boolean last = letter.sent == letter.packets - 1;
        member.require(
                opcode == Opcode.of(member.service(), operation(letter)),
                "%s left as %s",
                letter,
                opcode);
        member.require(
                Bth.psn(header, at) == nextPsn && !Bth.ackRequest(header, at),
                "%s left with psn %d instead of %d",
                letter,
                Bth.psn(header, at),
                nextPsn);
        member.require(
                Bth.solicited(header, at) == (last && message.solicited),
                "%s left with a wrong solicited bit",
                letter);
        if (opcode.has(ExtendedHeader.IMM_DT)) {
            long data = at + Bth.LENGTH + opcode.offsetOf(ExtendedHeader.IMM_DT);
            member.require(ImmDt.data(header, data) == message.immediate, "%s: immediate", letter);
        }
        check(letter, packet);
        if (letter.sent == 0) {
            letter.firstPsn = nextPsn;
        }
        byPsn.put(nextPsn, letter);
        nextPsn = Psn.plus(nextPsn, 1);
        letter.sent++;
        if (last) {
            unsent.remove();
        }
    }

    private static Operation operation(Letter letter) {
        boolean first = letter.sent == 0;
        boolean last = letter.sent == letter.packets - 1;
        boolean immediate = letter.message.hasImmediate();
        if (letter.message.kind.isSend()) {
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
            Letter silent = outstanding.remove();
            member.require(
                    !silent.message.signaled && succeeds(silent), "%s was passed over", silent);
            done(silent);
        }
        member.require(!outstanding.isEmpty(), "0x%x completed, which is not outstanding", id);
        Letter letter = outstanding.remove();
        CompletionStatus status = completion.status();
        if (status == CompletionStatus.SUCCESS) {
            member.require(letter.message.signaled && succeeds(letter), "%s completed", letter);
            member.require(
                    completion.operation() == letter.message.kind.completed,
                    "%s completed as %s",
                    letter,
                    completion.operation());
            done(letter);
        } else {
            fail(letter, status);
        }
    }

    private static boolean succeeds(Letter letter) {
        return (letter.message.failure.isEmpty() || letter.mayLive) && letter.isSent();
    }

    private Letter head() {
        return Objects.requireNonNull(outstanding.peek());
    }

    private void fail(Letter letter, CompletionStatus status) {
        if (status == CompletionStatus.FLUSHED) {
            member.require(
                    (failed || stopped) && (letter.packets == 0 || !letter.isSent()),
                    "%s flushed",
                    letter);
        } else {
            member.require(
                    !failed && letter.message.failure.contains(status),
                    "%s ended with %s",
                    letter,
                    status);
            failed = true;
            draining = false;
        }
        failed(letter);
        if (!letter.message.kind.isLocal()) {
            member.require(unsent.poll() == letter, "%s was not the next to leave", letter);
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
            Letter silent = outstanding.remove();
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

    @Nullable Letter oldest() {
        return outstanding.peek();
    }
}
