package dev.verbena.verbs.spi;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.InvalidRequestException;

/// Refusals of objects that a program cannot use: closed ones, and those of another device.
public final class ObjectRules {
    static final String CLOSED = "it was closed";

    private ObjectRules() {}

    /// The object was closed.
    public static ClosedException closed(Object who) {
        return closed(who, "use it before closing it");
    }

    /// The same for a protection domain, whose objects live on.
    public static ClosedException closedDomain(Object who) {
        return closed(who, "make everything before that");
    }

    /// The same with a remedy of the provider's.
    public static ClosedException closed(Object who, String remedy) {
        return new ClosedException(who.toString(), CLOSED, remedy);
    }

    /// The given object belongs to another device, or to another provider.
    public static InvalidRequestException foreign(Object who, Object given, String remedy) {
        return new InvalidRequestException(
                who.toString(), given + " belongs to another device", remedy);
    }
}
