package dev.verbena.benchmarks.netty;

import java.util.List;

/// What is measured, and the figures that it gives.
enum NettySubject {
    LATENCY(1, NettyFigure.MEDIAN, NettyFigure.TAIL),
    ECHOES(32, NettyFigure.ECHOES),
    STREAM(1, NettyFigure.RATE, NettyFigure.PROCESSOR);

    final int connections;

    @SuppressWarnings("ImmutableEnumChecker") // it is not handed out
    private final NettyFigure[] figures;

    NettySubject(int connections, NettyFigure... figures) {
        this.connections = connections;
        this.figures = figures;
    }

    List<NettyFigure> figures() {
        return List.of(figures);
    }

    /// Larger rings are of use to streams only.
    boolean takes(NettyTransport transport) {
        return transport != NettyTransport.LARGE || this == STREAM;
    }
}
