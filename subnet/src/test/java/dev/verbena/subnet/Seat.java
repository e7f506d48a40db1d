package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.Outcome;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The place of a manager in a [SharedLab]. It moves only when the test lets it, so that one can be
/// stopped, overtaken and continued.
final class Seat {
    private static final int STEPS_MAX = 100_000;

    private record Proposal(Command command, Consumer<Outcome> applied) {}

    private record Incoming(int lid, int pair, MemorySegment mad) {}

    private final SharedLab lab;
    private final int host;
    private final ManagementPort port;
    private final ArrayDeque<Incoming> inbox = new ArrayDeque<>();
    private final ArrayDeque<Proposal> proposals = new ArrayDeque<>();
    private @Nullable SubnetManager manager;
    private SubnetState state = new SubnetState();
    private long term;

    /// Whether commands get into the log at once.
    boolean commits = true;

    /// Datagrams to the manager that are lost.
    Predicate<MemorySegment> loses = _ -> false;

    int sent;
    private Optional<SweepReport> last = Optional.empty();

    Seat(SharedLab lab, int host) {
        this.lab = lab;
        this.host = host;
        port = lab.subnet.port(host);
        port.receiver(
                (envelope, mad) -> {
                    MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
                    inbox.add(
                            new Incoming(
                                    envelope.sourceLid(),
                                    envelope.sourceQueuePair(),
                                    copy.copyFrom(mad)));
                    return true;
                });
        port.isManager(true);
    }

    int host() {
        return host;
    }

    long term() {
        return term;
    }

    SubnetState state() {
        return state;
    }

    SubnetManager manager() {
        SubnetManager made = manager;
        assertThat(made).as("a manager that has led").isNotNull();
        return made;
    }

    int waiting() {
        return proposals.size();
    }

    /// Begins a term: with all commands of the log, and nothing else that others knew.
    void lead() {
        state = new SubnetState();
        lab.log.forEach(state::apply);
        Command.BeginTerm begin = lab.nextTerm();
        lab.log.add(begin);
        assertThat(state.apply(begin).isDone()).isTrue();
        term = begin.number();
        proposals.clear();
        inbox.clear();
        manager =
                new SubnetManager(
                        LabSettings.ANY,
                        RouteRunner.IN_PLACE,
                        state,
                        (command, applied) -> proposals.add(new Proposal(command, applied)));
        manager.start(lab.plane.nowNs());
    }

    /// Leads, and works until there is no work.
    SweepReport takeOver() {
        lead();
        return settle();
    }

    /// Sends at most so many datagrams, and takes the answers.
    void run(int datagrams) {
        int until = sent + datagrams;
        boolean hasMore = true;
        while (hasMore && sent < until) {
            lab.sending(this);
            hasMore = manager().transmit(lab.plane.nowNs(), this::send);
            lab.sending(null);
            hasMore |= take();
        }
    }

    private boolean take() {
        boolean hasMore = false;
        while (!inbox.isEmpty()) {
            hasMore = true;
            Incoming next = inbox.remove();
            if (!loses.test(next.mad)) {
                manager().handle(lab.plane.nowNs(), next.lid, next.pair, next.mad);
            }
        }
        // Of a manager that was overtaken the log takes nothing.
        boolean isLeader = term == lab.term();
        hasMore |= commits && isLeader && !proposals.isEmpty();
        if (commits && isLeader) {
            commit();
        }
        for (Optional<SweepReport> next = manager().pollReport();
                next.isPresent();
                next = manager().pollReport()) {
            last = next;
        }
        return hasMore;
    }

    /// Commands get into the log, and their outcomes to the manager.
    void commit() {
        manager()
                .deliver(
                        lab.plane.nowNs(),
                        () -> {
                            while (!proposals.isEmpty()) {
                                Proposal next = proposals.remove();
                                lab.log.add(next.command);
                                next.applied.accept(state.apply(next.command));
                            }
                        });
    }

    SweepReport settle() {
        last = Optional.empty();
        lab.plane.advance(lab.plane.nowNs());
        run(Integer.MAX_VALUE - sent);
        for (int step = 0; !manager().isIdle(); step++) {
            assertThat(step).as("steps until there is no work").isLessThan(STEPS_MAX);
            long next = Math.min(manager().timeoutNs(), lab.plane.nextActionNs());
            assertThat(next).as("time of the next step").isNotEqualTo(Long.MAX_VALUE);
            lab.plane.advance(next);
            manager().handleTimeout(lab.plane.nowNs());
            run(Integer.MAX_VALUE - sent);
        }
        return last.orElseThrow(() -> new AssertionError("a report"));
    }

    /// Lets traps and timeouts come that are due.
    void pass(long untilNs) {
        run(Integer.MAX_VALUE - sent);
        long next = Math.min(manager().timeoutNs(), lab.plane.nextActionNs());
        for (int step = 0; next <= untilNs; step++) {
            assertThat(step).as("steps").isLessThan(STEPS_MAX);
            lab.plane.advance(next);
            manager().handleTimeout(lab.plane.nowNs());
            run(Integer.MAX_VALUE - sent);
            next = Math.min(manager().timeoutNs(), lab.plane.nextActionNs());
        }
        lab.plane.advance(untilNs);
    }

    void send(int lid, int pair, MemorySegment mad) {
        sent++;
        port.send(
                lid == DatagramSink.DIRECTED
                        ? MadEnvelope.DIRECTED
                        : new MadEnvelope(lid, 0, pair, pair == 0 ? 0 : 1),
                mad);
    }
}
