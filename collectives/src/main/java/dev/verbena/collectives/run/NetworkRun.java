package dev.verbena.collectives.run;

import dev.verbena.collectives.memory.Span;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import dev.verbena.verbs.spi.NetworkReduction.Member;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Has one operation after the other carried out by the switches of the network.
///
/// The network cuts a vector into packets itself. Only where a vector is copied before it leaves
/// does it go in pieces, so that copies and packets overlap.
public final class NetworkRun implements Running {
    /// Pieces under way.
    private static final int PIECES = 16;

    private static final long NOT_YET = -1;

    private final Run times;
    private @Nullable Member member;
    private @Nullable Arithmetic arithmetic;
    private @Nullable Span from;
    private @Nullable Span to;
    private long bytes;
    private long piece;
    private long pieces;
    private long posted;
    private long taken;
    private long first;
    private long seen;
    private long sendReadyNs;
    private long receiveReadyNs;

    /// @param times of copies, which the plans of this rank have in common with this
    public NetworkRun(Run times) {
        this.times = times;
    }

    /// Begins an operation; the one before is over.
    ///
    /// @param input null when there are no bytes
    /// @param output null where the result is not wanted
    /// @param pieceBytes a whole number of elements
    public void begin(
            Member through,
            @Nullable Span input,
            @Nullable Span output,
            Arithmetic elements,
            long pieceBytes) {
        member = through;
        arithmetic = elements;
        from = input;
        to = output;
        bytes = input == null ? 0 : input.length();
        piece = times.isInstant() ? Math.max(1, bytes) : pieceBytes;
        pieces = Math.max(1, Math.ceilDiv(bytes, piece));
        posted = 0;
        taken = 0;
        sendReadyNs = NOT_YET;
        receiveReadyNs = NOT_YET;
    }

    private Member member() {
        return Objects.requireNonNull(member, "an operation begins before it goes on");
    }

    @Override
    public boolean advance(long nowNs) {
        boolean any = true;
        while (any) {
            any = take(nowNs);
            any |= post(nowNs);
        }
        return taken == pieces;
    }

    private long length(long number) {
        return Math.min(piece, bytes - number * piece);
    }

    private boolean post(long nowNs) {
        if (posted == pieces || posted - taken == PIECES) {
            return false;
        }
        long length = length(posted);
        if (sendReadyNs == NOT_YET) {
            sendReadyNs = times.preparedNs(nowNs, length, 0);
        }
        if (sendReadyNs > nowNs) {
            return false;
        }
        sendReadyNs = NOT_YET;
        Arithmetic elements = Objects.requireNonNull(arithmetic, "set with the member");
        long number = member().post(length, slice(from, length), slice(to, length), elements);
        first = posted++ == 0 ? number : first;
        return true;
    }

    private @Nullable LocalSlice slice(@Nullable Span span, long length) {
        return span == null || length == 0
                ? null
                : span.memory().region(0).slice(span.offset() + posted * piece, length);
    }

    private boolean take(long nowNs) {
        if (taken == posted || member().done() < first + taken) {
            return false;
        }
        if (receiveReadyNs == NOT_YET) {
            receiveReadyNs = to == null ? nowNs : times.takenNs(nowNs, length(taken), false, 0);
        }
        if (receiveReadyNs > nowNs) {
            return false;
        }
        receiveReadyNs = NOT_YET;
        taken++;
        return true;
    }

    /// Whether results have arrived since the last call.
    public boolean hasMoved() {
        long before = seen;
        seen = member().progress();
        return seen != before;
    }

    @Override
    public long nextNs() {
        long next = receiveReadyNs == NOT_YET ? Long.MAX_VALUE : receiveReadyNs;
        return sendReadyNs == NOT_YET ? next : Math.min(next, sendReadyNs);
    }

    @Override
    public int awaited() {
        return member().awaited();
    }
}
