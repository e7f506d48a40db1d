package dev.verbena.roce;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One side of several connections that are always busy: WRITE, READ, SEND and atomics, a few
/// requests of each on their way at any time, and the peer's the other way.
final class Traffic implements AutoCloseable {
    /// What a queue pair does all the time.
    enum Kind {
        WRITE,
        READ,
        SEND,
        ADD
    }

    private static final Set<Access> RIGHTS =
            EnumSet.of(
                    Access.LOCAL_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_ATOMIC);
    private static final int DEPTH = 4;
    private static final int RECEIVES = 2 * DEPTH;

    /// Several packets each, so that most moments are in the middle of one.
    static final int BYTES = 64 << 10;

    private static final long PATTERN = 0x0123_4567_89AB_CDEFL;

    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final List<Lane> lanes = new ArrayList<>();
    private final Map<CompletionStatus, Integer> failures = new EnumMap<>(CompletionStatus.class);

    Traffic(Device device) {
        domain = device.protectionDomain();
        completions = device.completionQueue(Kind.values().length * (DEPTH + RECEIVES));
        for (Kind kind : Kind.values()) {
            lanes.add(new Lane(kind));
        }
    }

    /// What the other side needs, in a line of text.
    String offer() {
        StringBuilder line = new StringBuilder();
        for (Lane lane : lanes) {
            line.append(line.isEmpty() ? "" : " ")
                    .append(lane.pair.endpoint().toText())
                    .append(' ')
                    .append(HexFormat.of().formatHex(lane.region.remote().toBytes()));
        }
        return line.toString();
    }

    /// Connects every queue pair to the one that the other side offers in its place.
    ///
    /// @param timeout the code of the acknowledgement timeout; negative: the default
    void connect(String offered, int timeout) {
        String[] words = offered.split(" ", -1);
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            Endpoint peer = Endpoint.parse(words[2 * i]);
            lane.remote = RemoteSlice.of(HexFormat.of().parseHex(words[2 * i + 1]));
            if (timeout < 0) {
                lane.pair.connect(peer);
            } else {
                lane.pair.connect(peer, it -> it.timeout(timeout));
            }
        }
    }

    /// Posts the first requests; the other side is connected.
    void begin() {
        for (Lane lane : lanes) {
            for (int i = 0; i < DEPTH; i++) {
                lane.post();
            }
        }
    }

    /// Waits for completions a while, and goes on with what is done.
    void pump(Duration patience) {
        completions.await(patience, this::completed);
    }

    private void completed(Completion done) {
        Lane lane = lanes.get((int) done.id() >> 1);
        boolean isReceive = (done.id() & 1) != 0;
        if (done.status() != CompletionStatus.SUCCESS) {
            failures.merge(done.status(), 1, Integer::sum);
            lane.outstanding--;
        } else if (isReceive) {
            lane.outstanding--;
            lane.receive();
        } else {
            lane.outstanding--;
            lane.done++;
            lane.check();
            lane.post();
        }
    }

    /// Whether one of its queue pairs has this number.
    boolean has(int number) {
        return lanes.stream().anyMatch(lane -> lane.pair.number() == number);
    }

    /// Requests that have not ended, receives among them.
    int outstanding() {
        return lanes.stream().mapToInt(lane -> lane.outstanding).sum();
    }

    /// Requests that the slowest queue pair has finished.
    long leastDone() {
        return lanes.stream().mapToLong(lane -> lane.done).min().orElse(0);
    }

    /// How requests ended that did not succeed.
    Map<CompletionStatus, Integer> failures() {
        return failures;
    }

    @Override
    public String toString() {
        return lanes + ", failed: " + failures;
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.pair.close());
        lanes.forEach(lane -> lane.region.close());
        completions.close();
        domain.close();
    }

    /// A queue pair with its memory: what it sends, what comes, and what the peer may write.
    private final class Lane {
        final Kind kind;
        final MemoryRegion region;
        final QueuePair pair;
        RemoteSlice remote;
        int outstanding;
        long done;

        Lane(Kind kind) {
            this.kind = kind;
            region = domain.allocate(3L * BYTES, RIGHTS.toArray(new Access[0]));
            for (long at = 0; at < BYTES; at += Long.BYTES) {
                region.segment().set(ValueLayout.JAVA_LONG, at, PATTERN * (at + 1));
            }
            remote = region.remote();
            pair =
                    domain.queuePair(
                            QueuePairType.RC,
                            it ->
                                    it.completions(completions)
                                            .access(RIGHTS)
                                            .sendDepth(DEPTH)
                                            .receiveDepth(RECEIVES));
            if (kind == Kind.SEND) {
                for (int i = 0; i < RECEIVES; i++) {
                    receive();
                }
            }
        }

        void receive() {
            pair.receives().receive().local(region, BYTES, BYTES).id(id() | 1).post();
            outstanding++;
        }

        void post() {
            SendBatch batch = pair.sends();
            long there = remote.address();
            switch (kind) {
                case WRITE ->
                        batch.write(there + 2L * BYTES, remote.key()).local(region, 0, BYTES);
                case READ -> batch.read(there, remote.key()).local(region, BYTES, BYTES);
                case SEND -> batch.send().local(region, 0, BYTES);
                case ADD ->
                        batch.fetchAndAdd(there + 2L * BYTES, remote.key(), 1)
                                .local(region, BYTES, Long.BYTES);
            }
            if (!batch.id(id()).signaled().post()) {
                throw new AssertionError(pair + " has no room for request " + done);
            }
            outstanding++;
        }

        /// Whether what was read is what is there.
        void check() {
            if (kind == Kind.READ) {
                long at = BYTES - Long.BYTES;
                long last = region.segment().get(ValueLayout.JAVA_LONG, BYTES + at);
                if (last != PATTERN * (at + 1)) {
                    throw new AssertionError(pair + " has read 0x" + Long.toHexString(last));
                }
            }
        }

        @Override
        public String toString() {
            return "%s by %s, %s: %d done, %d open"
                    .formatted(kind, pair, pair.state(), done, outstanding);
        }

        @SuppressWarnings("EnumOrdinal") // an index into a list of this process, never stored
        private long id() {
            return 2L * kind.ordinal();
        }
    }
}
