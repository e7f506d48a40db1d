package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Completion;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/// A thread of an episode: does one thing after another. A refusal is as good as a success.
final class Worker implements Runnable {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final int POLLED = 16;
    private static final int WRONG = 0x5EED;

    private final Episode episode;
    private final SplittableRandom random;

    Worker(Episode episode, SplittableRandom random) {
        this.episode = episode;
        this.random = random;
    }

    /// What a listener or handler of the program throws.
    static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown() {
            super("of a hostile program", null, false, false);
        }
    }

    @Override
    public void run() {
        for (int left = episode.acts; left > 0 && !episode.isFailed(); left--) {
            Act act = Act.pick(random);
            if (episode.rules.leftOut().contains(act)) {
                continue;
            }
            try {
                perform(act);
                episode.tally.done(act);
            } catch (VerbsException | Thrown refused) {
                episode.tally.refused(act);
            } catch (IllegalStateException refused) {
                // An arena may be in use at the moment; nothing else of ours answers with this.
                if (act == Act.CLOSE_ARENA) {
                    episode.tally.refused(act);
                } else {
                    episode.fail(act + ": " + refused, refused);
                }
            } catch (RuntimeException | Error fault) {
                episode.fail(act + ": " + fault, fault);
            }
            if (random.nextInt(8) == 0) {
                Thread.interrupted();
            }
        }
    }

    private void perform(Act act) {
        Side side = episode.side(random);
        switch (act) {
            case WRITE -> send(side, (batch, peer) -> batch.write(local(side, peer), peer));
            case READ -> send(side, (batch, peer) -> batch.read(local(side, peer), peer));
            case SEND -> post(side, batch -> batch.send(slice(side)));
            case RECEIVE -> receive(side);
            case ATOMIC -> atomic(side);
            case INLINE -> inline(side);
            case WRONG_KEY -> post(side, it -> it.write(0x1000, WRONG).local(slice(side)));
            case ABANDONED_BATCH -> pair(side).queuePair.sends().send(slice(side)).signaled();
            case POLL -> side.queue.poll(POLLED, episode.ledger::completed);
            case POLL_AND_THROW -> side.queue.poll(POLLED, this::takeAndThrow);
            case POLL_AND_CLOSE -> side.queue.poll(POLLED, done -> takeAndClose(done, side));
            case AWAIT -> side.queue.await(SHORT, episode.ledger::completed);
            case PROGRESS -> side.device.progress();
            case ARM -> side.queue.arm(Notification.ANY);
            case THROWING_LISTENER ->
                    side.queue.onNotification(
                            () -> {
                                throw new Thrown();
                            });
            case ENDING_LISTENER -> side.queue.onNotification(ending(pair(side)));
            case POISON ->
                    Poison.spread(random, () -> side.queue.await(SHORT, episode.ledger::completed));
            case INTERRUPT -> episode.interruptOne(random);
            case REGISTER -> side.register(random);
            case CUT_FILE -> side.registerCutFile();
            case CONNECT -> connect(side);
            case ACCEPT -> accept(side);
            case DISCONNECT -> any(side.connections).disconnect();
            case COUNTERS -> side.device.counters();
            case FAIL_PAIR -> pair(side).queuePair.modify(QueuePairState.ERROR, it -> {});
            case RESET_PAIR -> reset(pair(side));
            case CLOSE_ARENA -> closeArena(any(side.closables));
            case CLOSE_REGION -> any(side.regions).close();
            case CLOSE_PAIR -> closePair(pair(side));
            case CLOSE_QUEUE -> closeQueue(side);
            case CLOSE_LISTENER -> side.listener.close();
            case CLOSE_DEVICE -> closeDevice(side);
        }
    }

    /// A listener that ends a queue pair, perhaps the one that has just completed something.
    private Runnable ending(Pair pair) {
        int way = random.nextInt(3);
        return () -> {
            try {
                switch (way) {
                    case 0 -> closePair(pair);
                    case 1 -> reset(pair);
                    default -> pair.queuePair.modify(QueuePairState.ERROR, it -> {});
                }
            } catch (VerbsException refused) {
                // It has ended before.
            }
        };
    }

    private void takeAndThrow(Completion done) {
        episode.ledger.completed(done);
        throw new Thrown();
    }

    private void takeAndClose(Completion done, Side side) {
        episode.ledger.completed(done);
        closePair(pair(side));
    }

    private <T> T any(List<T> all) {
        Object[] now = all.toArray();
        if (now.length == 0) {
            throw new Thrown();
        }
        @SuppressWarnings("unchecked")
        T one = (T) now[random.nextInt(now.length)];
        return one;
    }

    private Pair pair(Side side) {
        return any(side.pairs);
    }

    private LocalSlice slice(Side side) {
        MemoryRegion region = any(side.regions);
        long length = 1 + random.nextLong(region.length());
        return region.slice(random.nextLong(region.length() - length + 1), length);
    }

    /// As long as the peer's part.
    private LocalSlice local(Side side, RemoteSlice peer) {
        return any(side.regions).slice(0, peer.length());
    }

    private RemoteSlice remote(Side side) {
        RemoteSlice all = any(episode.other(side).regions).remote();
        long length = 1 + random.nextLong(Math.min(all.length(), 20_000));
        return all.slice(random.nextLong(all.length() - length + 1), length);
    }

    private void send(Side side, BiConsumer<SendBatch, RemoteSlice> work) {
        RemoteSlice peer = remote(side);
        post(side, batch -> work.accept(batch, peer));
    }

    private void atomic(Side side) {
        RemoteSlice all = any(episode.other(side).regions).remote();
        RemoteSlice word = all.slice(8 * random.nextLong(all.length() / 8), 8);
        LocalSlice result = any(side.regions).slice(0, 8);
        post(side, batch -> batch.fetchAndAdd(result, word, 0));
    }

    private void inline(Side side) {
        RemoteSlice peer = any(episode.other(side).regions).remote().slice(0, 32);
        MemorySegment bytes = Arena.ofAuto().allocate(32);
        bytes.fill(Side.OURS);
        post(side, batch -> batch.write(peer.address(), peer.key()).inline(bytes, 0, 32));
    }

    private void post(Side side, Consumer<SendBatch> work) {
        Pair pair = pair(side);
        record(
                pair,
                id ->
                        pair.queuePair.post(
                                batch -> {
                                    work.accept(batch);
                                    batch.id(id).signaled();
                                }));
    }

    private void receive(Side side) {
        Pair pair = pair(side);
        LocalSlice into = slice(side);
        record(pair, id -> pair.queuePair.postReceive(batch -> batch.receive(into).id(id)));
    }

    /// Posts a request that the ledger knows, by its number.
    private void record(Pair pair, IntPredicate post) {
        int id = episode.ledger.begin(pair);
        if (id < 0) {
            return;
        }
        String refusal = "unknown";
        try {
            refusal = post.test(id) ? "" : "no room";
        } catch (RuntimeException | Error refused) {
            refusal = refused.toString();
            throw refused;
        } finally {
            if (!refusal.isEmpty()) {
                episode.ledger.refused(id, refusal);
            }
        }
    }

    private void connect(Side side) {
        Pair pair = side.newPair();
        if (pair != null) {
            Side peer = episode.other(side);
            side.connections.add(side.device.connect(pair.queuePair, peer.address(), peer.port));
        }
    }

    private void accept(Side side) {
        ConnectionRequest request = side.listener.await(SHORT);
        if (request == null) {
            return;
        }
        Pair pair = side.newPair();
        if (pair == null || random.nextInt(4) == 0) {
            request.reject();
        } else {
            side.connections.add(request.accept(pair.queuePair));
        }
    }

    private void closeArena(Closable memory) {
        if (episode.rules.holdsArenas()) {
            memory.region().close();
        } else {
            memory.arena().close();
        }
    }

    private static void reset(Pair pair) {
        pair.mayForget = true;
        pair.queuePair.modify(QueuePairState.RESET, it -> {});
    }

    private static void closePair(Pair pair) {
        pair.mayForget = true;
        pair.queuePair.close();
    }

    private static void closeQueue(Side side) {
        side.isForgetful = true;
        side.queue.close();
    }

    private static void closeDevice(Side side) {
        side.isForgetful = true;
        side.device.close();
    }
}
