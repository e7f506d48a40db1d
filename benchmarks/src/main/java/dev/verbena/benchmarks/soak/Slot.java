package dev.verbena.benchmarks.soak;

import java.lang.foreign.ValueLayout;

/// A request that is on its way, and what must be there when it has ended.
final class Slot {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// What a request does.
    enum Kind {
        /// A letter to the peer.
        SEND,
        /// A WRITE, and a READ of what it wrote.
        WRITE_READ,
        /// One more on the peer's counter.
        ADD,
        /// The last letter, which tells what there was.
        LAST
    }

    final int number;
    boolean isBusy;
    Kind kind = Kind.SEND;
    long length;
    long expected;

    Slot(int number) {
        this.number = number;
    }

    /// Where its bytes go out from, in the region of its lane.
    long outAt() {
        return 2L * number * SoakSettings.LARGEST;
    }

    /// Where what it gets comes to.
    long inAt() {
        return outAt() + SoakSettings.LARGEST;
    }
}
