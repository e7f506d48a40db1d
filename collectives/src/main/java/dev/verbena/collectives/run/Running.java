package dev.verbena.collectives.run;

/// An operation that is being carried out.
public interface Running {
    /// Goes on; returns whether all is done.
    boolean advance(long nowNs);

    /// When [#advance] has something to do though nothing arrives, or `Long.MAX_VALUE`.
    long nextNs();

    /// A rank for which this one waits, or -1.
    int awaited();
}
