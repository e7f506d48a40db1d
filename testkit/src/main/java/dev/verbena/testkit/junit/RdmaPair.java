package dev.verbena.testkit.junit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Two connected hosts, and the time that they share.
public final class RdmaPair {
    private final RdmaGroup group;

    RdmaPair(RdmaGroup group) {
        this.group = group;
    }

    public RdmaHost left() {
        return group.host(0);
    }

    public RdmaHost right() {
        return group.host(1);
    }

    /// The same hosts as a group.
    public RdmaGroup group() {
        return group;
    }

    /// Advances the time; events that are due meanwhile happen.
    public void advance(Duration time) {
        group.advance(time);
    }

    /// Lets time pass until the condition holds; the test fails when it does not within
    /// [RdmaGroup#LIMIT].
    public void awaitUntil(String what, BooleanSupplier condition) {
        group.awaitUntil(what, condition);
    }
}
