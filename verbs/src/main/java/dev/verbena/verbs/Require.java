package dev.verbena.verbs;

/// Checks of arguments that the caller supplies.
final class Require {
    private static final int SMALLEST_MTU = 256;
    private static final int LARGEST_MTU = 4096;

    private Require() {}

    static void range(String object, String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    object,
                    what + " " + value + " is out of range",
                    "use " + least + " to " + most);
        }
    }

    /// IBA 9.4: the payload of a packet has one of five maximum sizes, each twice the previous one.
    static void mtu(String object, String what, int bytes) {
        if (bytes < SMALLEST_MTU || bytes > LARGEST_MTU || Integer.bitCount(bytes) != 1) {
            throw new InvalidRequestException(
                    object,
                    what + " " + bytes + " does not exist",
                    "use 256, 512, 1024, 2048 or 4096");
        }
    }

    /// Checks that `bytes` bytes from `offset` lie within `length`. Uses no addition, so it cannot
    /// overflow; and it builds the name of the object only for an error.
    static void within(Object object, long offset, long bytes, long length) {
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new InvalidRequestException(
                    object.toString(),
                    "there are no " + bytes + " bytes from byte " + offset + " on",
                    "it has " + length + " bytes");
        }
    }
}
