package dev.verbena.collectives;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.StepTrace;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Brings the traces of all ranks to rank 0, with times by its clock.
///
/// Rank 0 asks one rank after the other for its time, a few times: half of the shortest round trip
/// is how wrong the answer may be. Then the rank sends what it has kept, in a message as long as
/// that.
public final class TraceGathering {
    private static final ValueLayout.OfLong WORD = JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ROUNDS = 8;
    private static final long TIME_BYTES = 8;
    private static final long HEAD_BYTES = 16;

    private final Communicator ranks;
    private final StepTrace own;
    private final LongSupplier clock;

    private TraceGathering(Communicator ranks, StepTrace own) {
        this.ranks = ranks;
        this.own = own;
        clock = own::nowNs;
    }

    /// All ranks call it, with traces of the same size; it ends the tracing. Returns all traces in
    /// the order of ranks at rank 0, and none at the others.
    public static List<RankTrace> gather(Communicator ranks, StepTrace own)
            throws RankFailedException {
        ranks.traceTo(null);
        TraceGathering gathering = new TraceGathering(ranks, own);
        if (ranks.rank() != 0) {
            gathering.give();
            return List.of();
        }
        List<RankTrace> all = new ArrayList<>();
        all.add(own.of(0));
        for (int peer = 1; peer < ranks.size(); peer++) {
            all.add(gathering.take(peer));
        }
        return all;
    }

    private void give() throws RankFailedException {
        long bytes = own.bytes();
        try (RankMemory memory = ranks.allocate(Math.max(HEAD_BYTES, bytes))) {
            Span time = memory.span(0, TIME_BYTES);
            for (int i = 0; i < ROUNDS; i++) {
                ranks.receive(time, 0).await();
                memory.segment().set(WORD, 0, clock.getAsLong());
                ranks.send(time, 0).await();
            }
            memory.segment().set(WORD, 0, bytes);
            memory.segment().set(WORD, TIME_BYTES, own.overwritten());
            ranks.send(memory.span(0, HEAD_BYTES), 0).await();
            if (bytes > 0) {
                own.write(memory.segment(), WORD);
                ranks.send(memory.span(0, bytes), 0).await();
            }
        }
    }

    private RankTrace take(int peer) throws RankFailedException {
        try (RankMemory memory = ranks.allocate(Math.max(HEAD_BYTES, own.bytesMax()))) {
            long aheadNs = ahead(peer, memory);
            ranks.receive(memory.span(0, HEAD_BYTES), peer).await();
            long bytes = memory.segment().get(WORD, 0);
            long overwritten = memory.segment().get(WORD, TIME_BYTES);
            if (bytes < 0 || bytes > own.bytesMax() || bytes % StepTrace.STEP_BYTES != 0) {
                throw new IllegalStateException(
                        ("rank %d has a trace of %,d bytes, this one has room for %,d: all ranks"
                                        + " must trace as many steps")
                                .formatted(peer, bytes, own.bytesMax()));
            }
            if (bytes > 0) {
                ranks.receive(memory.span(0, bytes), peer).await();
            }
            return RankTrace.read(
                            peer,
                            ranks.size(),
                            memory.segment().asSlice(0, bytes),
                            WORD,
                            Math.max(0, overwritten))
                    .shifted(aheadNs);
        }
    }

    /// How much more the clock of a rank shows than this one's.
    private long ahead(int peer, RankMemory memory) throws RankFailedException {
        Span time = memory.span(0, TIME_BYTES);
        long bestNs = Long.MAX_VALUE;
        long aheadNs = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long askedNs = clock.getAsLong();
            ranks.send(time, peer).await();
            ranks.receive(time, peer).await();
            long tookNs = clock.getAsLong() - askedNs;
            if (tookNs < bestNs) {
                bestNs = tookNs;
                aheadNs = memory.segment().get(WORD, 0) - (askedNs + tookNs / 2);
            }
        }
        return aheadNs;
    }
}
