package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The send queue of a lane: posts random work and checks how each request ends.
final class Sender {
    /// Requests in a row that may go unsignaled; fewer where fewer may be outstanding, since only a
    /// completion tells that there is room again.
    private static final int UNSIGNALED_MAX = 12;

    final Lane lane;
    final Choices choices;

    /// Requests without an end yet, oldest first.
    final ArrayDeque<Message> outstanding = new ArrayDeque<>();

    /// Requests that failed: carried out or not, nobody knows.
    final List<Message> unresolved = new ArrayList<>();

    int posted;
    int quota;
    int messages;

    /// Messages so far that use up a receive.
    long consuming;

    /// Those of them that are known to have come.
    long confirmedConsuming;

    boolean failed;

    private final int limit;
    private final double signalChance;
    private final Workload workload;
    private final List<Runnable> afterwards = new ArrayList<>();
    private int unsignaled;

    Sender(Lane lane, int quota) {
        this.lane = lane;
        this.choices = lane.choices;
        this.quota = quota;
        int most = choices.pick(List.of(1, 2, 4, 16, 32));
        limit = lane.run.hasTooManyReads(lane.index) ? 32 : most;
        signalChance = choices.pick(List.of(0.1, 0.5, 1.0));
        workload = new Workload(this);
    }

    /// Posts as much as may be outstanding.
    void advance() {
        while (posted < quota && outstanding.size() < limit && !lane.isOver() && lane.isReady()) {
            int room = Math.min(lane.queuePair.sendRoom(), limit - outstanding.size());
            int count = Math.min(Math.min(room, quota - posted), choices.between(1, 3));
            if (count <= 0) {
                return;
            }
            SendBatch batch = lane.queuePair.sends();
            for (int i = 0; i < count && posted < quota; i++) {
                add(batch);
            }
            lane.require(batch.post(), "%d requests do not fit, room was %d", count, room);
            afterwards.forEach(Runnable::run);
            afterwards.clear();
            lane.run.progress();
            lane.afterPost();
        }
    }

    private void add(SendBatch batch) {
        Message message = lane.isFaultDue() ? workload.faulty() : workload.next();
        boolean last = posted == quota - 1;
        message.signaled =
                last
                        || unsignaled >= Math.min(UNSIGNALED_MAX, limit - 1)
                        || choices.chance(signalChance);
        unsignaled = message.signaled ? 0 : unsignaled + 1;
        workload.begin(batch, message);
        batch.id(message.id);
        if (message.signaled) {
            batch.signaled();
        }
        if (message.fenced) {
            batch.fence();
        }
        if (message.solicited) {
            batch.solicited();
        }
        outstanding.add(message);
        posted++;
        messages++;
        if (message.kind.received) {
            consuming++;
            if (message.failure.isEmpty()) {
                lane.peer().receiver.expected.add(message);
            }
        }
    }

    /// Memory of its own for one message, to be closed as soon as it is posted.
    MemoryRegion orphan(Message message) {
        MemoryRegion region = lane.host.domain.allocate(Math.max(1, message.length));
        message.copyTo(lane.host.source, region.segment());
        afterwards(region::close);
        return region;
    }

    /// What is to be done as soon as the present batch is posted.
    void afterwards(Runnable work) {
        afterwards.add(work);
    }

    void complete(Completion completion) {
        long id = completion.id();
        while (!failed && !outstanding.isEmpty() && head().id != id) {
            Message silent = outstanding.remove();
            lane.require(!silent.signaled, "%s was passed over by %d", silent, id & 0xFFFF_FFFFL);
            confirm(silent);
        }
        lane.require(!outstanding.isEmpty(), "%d completed, which is not outstanding", id);
        Message message = outstanding.remove();
        lane.require(message.id == id, "%d completed before %s", id & 0xFFFF_FFFFL, message);
        if (completion.isSuccess()) {
            lane.require(!failed, "%s succeeded after a failure", message);
            lane.require(message.signaled, "%s was not signaled", message);
            lane.require(message.failure.isEmpty(), "%s succeeded", message);
            lane.require(
                    completion.operation() == message.kind.completed,
                    "%s completed as %s",
                    message,
                    completion.operation());
            confirm(message);
        } else {
            fail(message, completion.status());
        }
    }

    private Message head() {
        return Objects.requireNonNull(outstanding.peek());
    }

    private void fail(Message message, CompletionStatus status) {
        if (failed) {
            lane.require(
                    status == CompletionStatus.FLUSHED,
                    "%s ended with %s after a failure",
                    message,
                    status);
        } else {
            String complaint = lane.mayFail(message, status);
            if (complaint != null) {
                throw lane.failure("%s ended with %s: %s", message, status, complaint);
            }
        }
        failed = true;
        lane.broken = true;
        giveUp(message);
    }

    /// What failed may have been carried out, unless it was posted to fail.
    private void giveUp(Message message) {
        if (message.kind == Message.Kind.FETCH_ADD_SHARED && message.failure.isEmpty()) {
            lane.peer().host.maybeFetched(message.counter);
        }
        if (message.failure.isEmpty()) {
            unresolved.add(message);
        }
    }

    /// The queue pair is gone: nothing outstanding will ever be reported.
    void abandon() {
        while (!outstanding.isEmpty()) {
            giveUp(outstanding.remove());
        }
        failed = true;
    }

    private void confirm(Message message) {
        lane.require(message.failure.isEmpty(), "%s ended without a failure", message);
        Lane peer = lane.peer();
        Opening opening = message.opening;
        if (opening != null && !message.kind.isLocal() && !message.kind.isSend()) {
            opening.users--;
        }
        switch (message.kind) {
            case SEND, SEND_IMMEDIATE, SEND_INVALIDATE -> confirmedConsuming++;
            case WRITE, WRITE_IMMEDIATE -> {
                if (message.target != null) {
                    message.target.confirm(message, lane.run.sourceBytes);
                }
                confirmedConsuming += message.kind.received ? 1 : 0;
            }
            case READ -> {
                workload.landed(message);
                Area target = message.target;
                MemorySegment from = target == null ? peer.host.source : target.postedView;
                lane.require(
                        message.phantom || message.equalsAt(lane.landing, from, message.targetAt),
                        "%s brought other bytes",
                        message);
            }
            case COMPARE_SWAP, FETCH_ADD, FETCH_ADD_SHARED -> confirmAtomic(message);
            case LOCAL_INVALIDATE, BIND -> {
                if (opening == null) {
                    lane.renewOwn();
                } else {
                    opening.changed();
                }
            }
        }
    }

    private void confirmAtomic(Message message) {
        workload.landed(message);
        long value = lane.landing.get(ValueLayout.JAVA_LONG_UNALIGNED, message.at[0]);
        if (message.kind == Message.Kind.FETCH_ADD_SHARED) {
            lane.peer().host.fetched(message.counter, value);
            return;
        }
        lane.require(
                value == message.before,
                "%s answered 0x%x, the model says 0x%x",
                message,
                value,
                message.before);
        lane.peer().wordsConfirmed[message.counter] = message.after;
    }

    /// At the end: what is left was unsignaled and succeeded in silence.
    void checkEnd() {
        while (!outstanding.isEmpty()) {
            Message silent = outstanding.remove();
            lane.require(!failed && !silent.signaled, "%s never ended", silent);
            confirm(silent);
        }
        lane.require(
                confirmedConsuming <= lane.peer().receiver.received,
                "%d messages were reported as received, %d were",
                confirmedConsuming,
                lane.peer().receiver.received);
    }
}
