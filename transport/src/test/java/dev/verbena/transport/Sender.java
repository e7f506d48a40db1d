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

/// The send queue of an endpoint: posts random work and checks how each request ends.
final class Sender {
    /// Requests in a row that may go unsignaled; fewer where fewer may be outstanding, since only a
    /// completion tells that there is room again.
    private static final int UNSIGNALED_MAX = 12;

    final RcEndpoint endpoint;
    final Choices choices;

    /// Requests without an end yet, oldest first.
    final ArrayDeque<Message> outstanding = new ArrayDeque<>();

    /// Requests that failed: whether they were executed is not known.
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

    Sender(RcEndpoint endpoint, int quota) {
        this.endpoint = endpoint;
        this.choices = endpoint.choices;
        this.quota = quota;
        int most = choices.pick(List.of(1, 2, 4, 16, 32));
        limit = endpoint.run.hasTooManyReads(endpoint.index) ? 32 : most;
        signalChance = choices.pick(List.of(0.1, 0.5, 1.0));
        workload = new Workload(this);
    }

    /// Posts as much as may be outstanding.
    void advance() {
        while (posted < quota
                && outstanding.size() < limit
                && !endpoint.isOver()
                && endpoint.isReady()) {
            int room = Math.min(endpoint.queuePair.sendRoom(), limit - outstanding.size());
            int count = Math.min(Math.min(room, quota - posted), choices.between(1, 3));
            if (count <= 0) {
                return;
            }
            SendBatch batch = endpoint.queuePair.sends();
            for (int i = 0; i < count && posted < quota; i++) {
                add(batch);
            }
            endpoint.require(batch.post(), "%d requests do not fit, room was %d", count, room);
            afterwards.forEach(Runnable::run);
            afterwards.clear();
            endpoint.run.progress();
            endpoint.afterPost();
        }
    }

    private void add(SendBatch batch) {
        Message message = endpoint.isFaultDue() ? workload.faulty() : workload.next();
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
                endpoint.peer().receiver.expected.add(message);
            }
        }
    }

    /// Memory of its own for one message, to be closed as soon as it is posted.
    MemoryRegion orphan(Message message) {
        MemoryRegion region = endpoint.host.domain.allocate(Math.max(1, message.length));
        message.copyTo(endpoint.host.source, region.segment());
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
            endpoint.require(
                    !silent.signaled, "%s was passed over by %d", silent, id & 0xFFFF_FFFFL);
            confirm(silent);
        }
        endpoint.require(!outstanding.isEmpty(), "%d completed, which is not outstanding", id);
        Message message = outstanding.remove();
        endpoint.require(message.id == id, "%d completed before %s", id & 0xFFFF_FFFFL, message);
        if (completion.isSuccess()) {
            endpoint.require(!failed, "%s succeeded after a failure", message);
            endpoint.require(message.signaled, "%s was not signaled", message);
            endpoint.require(message.failure.isEmpty(), "%s succeeded", message);
            endpoint.require(
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
            endpoint.require(
                    status == CompletionStatus.FLUSHED,
                    "%s ended with %s after a failure",
                    message,
                    status);
        } else {
            String complaint = endpoint.mayFail(message, status);
            if (complaint != null) {
                throw endpoint.failure("%s ended with %s: %s", message, status, complaint);
            }
        }
        failed = true;
        endpoint.broken = true;
        giveUp(message);
    }

    /// What failed may have been carried out, unless it was posted to fail.
    private void giveUp(Message message) {
        if (message.kind == Message.Kind.FETCH_ADD_SHARED && message.failure.isEmpty()) {
            endpoint.peer().host.maybeFetched(message.counter);
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
        endpoint.require(message.failure.isEmpty(), "%s ended without a failure", message);
        RcEndpoint peer = endpoint.peer();
        WindowModel windowModel = message.windowModel;
        if (windowModel != null && !message.kind.isLocal() && !message.kind.isSend()) {
            windowModel.users--;
        }
        switch (message.kind) {
            case SEND, SEND_IMMEDIATE, SEND_INVALIDATE -> confirmedConsuming++;
            case WRITE, WRITE_IMMEDIATE -> {
                if (message.target != null) {
                    message.target.confirm(message, endpoint.run.sourceBytes);
                }
                confirmedConsuming += message.kind.received ? 1 : 0;
            }
            case READ -> {
                workload.landed(message);
                Area target = message.target;
                MemorySegment from = target == null ? peer.host.source : target.postedView;
                endpoint.require(
                        message.phantom
                                || message.equalsAt(endpoint.landing, from, message.targetAt),
                        "%s brought other bytes",
                        message);
            }
            case COMPARE_SWAP, FETCH_ADD, FETCH_ADD_SHARED -> confirmAtomic(message);
            case LOCAL_INVALIDATE, BIND -> {
                if (windowModel == null) {
                    endpoint.renewOwn();
                } else {
                    windowModel.changed();
                }
            }
        }
    }

    private void confirmAtomic(Message message) {
        workload.landed(message);
        long value = endpoint.landing.get(ValueLayout.JAVA_LONG_UNALIGNED, message.at[0]);
        if (message.kind == Message.Kind.FETCH_ADD_SHARED) {
            endpoint.peer().host.fetched(message.counter, value);
            return;
        }
        endpoint.require(
                value == message.before,
                "%s answered 0x%x, the model says 0x%x",
                message,
                value,
                message.before);
        endpoint.peer().wordsConfirmed[message.counter] = message.after;
    }

    /// At the end: what is left was unsignaled and succeeded in silence.
    void checkEnd() {
        while (!outstanding.isEmpty()) {
            Message silent = outstanding.remove();
            endpoint.require(!failed && !silent.signaled, "%s never ended", silent);
            confirm(silent);
        }
        endpoint.require(
                confirmedConsuming <= endpoint.peer().receiver.received,
                "%d messages were reported as received, %d were",
                confirmedConsuming,
                endpoint.peer().receiver.received);
    }
}
