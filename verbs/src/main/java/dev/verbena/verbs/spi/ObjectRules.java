package dev.verbena.verbs.spi;

import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.InvalidRequestException;

/// ConnectionRefusals of objects that a program cannot use: closed ones, and those of another
/// device.
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

    /// The device was closed.
    public static ClosedException closedDevice(String name) {
        return new ClosedException(name, "the device was closed", "open it again");
    }

    private static ClosedException closed(Object who, String remedy) {
        return new ClosedException(who.toString(), CLOSED, remedy);
    }

    /// The given object belongs to another device, or to another provider.
    public static InvalidRequestException foreign(Object who, Object given) {
        return new InvalidRequestException(
                who.toString(),
                given + " belongs to another device",
                "use an object of this device");
    }

    /// Checks the number of a port: a device has one, whatever the port's number on the machine.
    public static void requirePort(Object device, int number) {
        if (number != 1) {
            throw new InvalidRequestException(
                    device.toString(), "no port " + number, "a device has one port, number 1");
        }
    }
}
