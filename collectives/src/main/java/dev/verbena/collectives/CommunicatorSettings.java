package dev.verbena.collectives;

import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.collectives.link.MemorySource;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.collectives.plan.Shape;
import dev.verbena.collectives.run.LocalWork;
import dev.verbena.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.function.LongSupplier;

/// How a communicator works. All its ranks have the same settings.
///
/// @param clock nanoseconds, such as `System::nanoTime`; a simulation hands in its own
/// @param timeout after how long without any message an operation fails; zero for never
/// @param pieceBytes longest message; a longer vector is cut into pieces, so that sending and
///   reducing overlap
/// @param lanes for one direction of a ring, each with queue pairs of its own
/// @param window messages of an all-to-all under way from each rank and lane
/// @param choice of algorithms
/// @param links sizes and times of links
/// @param memory where its memory is from
/// @param work how long a rank needs for work that takes no time by itself, in a simulation
public record CommunicatorSettings(
        LongSupplier clock,
        Duration timeout,
        int pieceBytes,
        int lanes,
        int window,
        Choice choice,
        LinkSettings links,
        MemorySource memory,
        LocalWork work) {
    private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(10);
    private static final int USUAL_PIECE_BYTES = 1 << 17;
    private static final int LIVE_PIECE_BYTES = 1 << 19;
    private static final int USUAL_LANES = 2;

    /// The usual settings with a clock of the caller.
    public static CommunicatorSettings of(LongSupplier clock) {
        return new CommunicatorSettings(
                clock,
                USUAL_TIMEOUT,
                USUAL_PIECE_BYTES,
                USUAL_LANES,
                Shape.WINDOW,
                Choice.of(Costs.sockets()),
                LinkSettings.DEFAULT,
                ProtectionDomain::allocate,
                LocalWork.NONE);
    }

    /// The settings for programs on machines, with a clock of the caller: longer pieces and longer
    /// short messages than the usual ones. A rank on a socket moves the packets itself while it
    /// waits, so that pieces overlap with little, and each message costs it the time of many bytes.
    public static CommunicatorSettings live(LongSupplier clock) {
        return of(clock).withPieceBytes(LIVE_PIECE_BYTES).withLinks(LinkSettings.LIVE);
    }

    public CommunicatorSettings withTimeout(Duration value) {
        return new CommunicatorSettings(
                clock, value, pieceBytes, lanes, window, choice, links, memory, work);
    }

    public CommunicatorSettings withLinks(LinkSettings value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, lanes, window, choice, value, memory, work);
    }

    public CommunicatorSettings withMemory(MemorySource value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, lanes, window, choice, links, value, work);
    }

    public CommunicatorSettings withWork(LocalWork value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, lanes, window, choice, links, memory, value);
    }

    public CommunicatorSettings withPieceBytes(int value) {
        return new CommunicatorSettings(
                clock, timeout, value, lanes, window, choice, links, memory, work);
    }

    public CommunicatorSettings withLanes(int value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, value, window, choice, links, memory, work);
    }

    public CommunicatorSettings withChoice(Choice value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, lanes, window, value, links, memory, work);
    }

    public CommunicatorSettings withWindow(int value) {
        return new CommunicatorSettings(
                clock, timeout, pieceBytes, lanes, value, choice, links, memory, work);
    }
}
