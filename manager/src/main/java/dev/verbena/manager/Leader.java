package dev.verbena.manager;

import dev.verbena.subnet.ManagerSettings;
import dev.verbena.subnet.RouteRunner;
import dev.verbena.subnet.SubnetManager;
import dev.verbena.subnet.SweepReport;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A manager while it leads. It begins with a term and its M_Key; the subnet manager starts when
/// the log has them.
final class Leader {
    private final ManagerSettings settings;
    private final RouteRunner runner;
    private final Proposals proposals;
    private final SubnetState state;
    private final Queue<Batch.Item> more;
    private final long term;
    private boolean hasBegun;
    private boolean isRefused;
    private @Nullable SubnetManager manager;

    /// @param keys gives an M_Key that was never used
    /// @param news runs when there is something to do, on any thread
    Leader(
            Replica replica,
            ManagerSettings settings,
            RouteRunner runner,
            LongSupplier keys,
            Runnable news) {
        this.settings = settings;
        this.runner = runner;
        proposals = new Proposals(replica, news);
        ReplicatedState.Copy copy = replica.copy();
        state = copy.state();
        more = copy.more();
        term = state.terms().isEmpty() ? 1 : state.terms().getFirst().number() + 1;
        proposals.propose(
                new Command.BeginTerm(term, keys.getAsLong()),
                outcome -> {
                    hasBegun = outcome.isDone();
                    isRefused = !hasBegun;
                });
        proposals.pump();
    }

    long term() {
        return term;
    }

    /// Whether it cannot lead any more.
    boolean hasFailed() {
        return proposals.hasFailed() || isRefused;
    }

    /// Takes what the log has, and sends what it is to have.
    ///
    /// @return the subnet manager, once its term has begun
    @Nullable SubnetManager follow() {
        SubnetManager current = manager;
        if (!more.isEmpty()) {
            if (current == null) {
                deliver();
            } else {
                current.deliver(System.nanoTime(), this::deliver);
            }
        }
        if (hasBegun && manager == null) {
            SubnetManager made = new SubnetManager(settings, runner, state, proposals);
            made.start(System.nanoTime());
            manager = made;
        }
        proposals.pump();
        return manager;
    }

    private void deliver() {
        for (Batch.Item item = more.poll(); item != null; item = more.poll()) {
            proposals.applied(item.number(), state.apply(item.command()));
        }
    }

    /// Hands over what the subnet manager has found and done.
    void report(Consumer<SweepReport> reports) {
        SubnetManager current = manager;
        while (current != null) {
            SweepReport next = current.pollReport().orElse(null);
            if (next == null) {
                return;
            }
            reports.accept(next);
        }
    }
}
