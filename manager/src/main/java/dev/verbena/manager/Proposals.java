package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.CommandLog;
import dev.verbena.subnet.state.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.protocol.RaftClientReply;
import org.jspecify.annotations.Nullable;

/// The commands that a leader has proposed. One entry is under way at a time, with all commands
/// that came meanwhile in the next, so that the log has them in the order in which they came.
final class Proposals implements CommandLog {
    private final Replica replica;
    private final Runnable news;
    private final ArrayDeque<Batch.Item> waiting = new ArrayDeque<>();
    private final Map<Long, Consumer<Outcome>> pending = new HashMap<>();
    private @Nullable CompletableFuture<RaftClientReply> underWay;
    private boolean hasFailed;

    /// @param news runs when an entry has ended, on any thread
    Proposals(Replica replica, Runnable news) {
        this.replica = replica;
        this.news = news;
    }

    @Override
    public void propose(Command command, Consumer<Outcome> applied) {
        long number = replica.nextNumber();
        waiting.add(new Batch.Item(number, command));
        pending.put(number, applied);
    }

    /// Sends the next entry, if none is under way.
    void pump() {
        CompletableFuture<RaftClientReply> current = underWay;
        if (current != null && current.isDone()) {
            hasFailed |= current.isCompletedExceptionally() || !current.join().isSuccess();
            underWay = null;
        }
        if (underWay == null && !waiting.isEmpty() && !hasFailed) {
            CompletableFuture<RaftClientReply> next = replica.submit(next());
            underWay = next;
            CompletableFuture<RaftClientReply> _ = next.whenComplete((_, _) -> news.run());
        }
    }

    private Batch next() {
        List<Batch.Item> items = new ArrayList<>();
        int length = 0;
        while (!waiting.isEmpty()
                && items.size() < Batch.COUNT_MAX
                && length < Batch.BYTES_MAX / 4) {
            Batch.Item item = waiting.remove();
            items.add(item);
            // Most are small; the few large ones have limits of their own.
            length += length(item.command());
        }
        return new Batch(items);
    }

    private static int length(Command command) {
        return switch (command) {
            case Command.SetPartitions _ -> Batch.BYTES_MAX / 4;
            case Command.GiveLids it -> 12 * it.gifts().size();
            default -> 256;
        };
    }

    /// Whether an entry did not get into the log: then this manager does not lead any more.
    boolean hasFailed() {
        return hasFailed;
    }

    /// Hands over the outcome of a command, if it was proposed here.
    void applied(long number, Outcome outcome) {
        Consumer<Outcome> own = pending.remove(number);
        if (own != null) {
            own.accept(outcome);
        }
    }
}
