package dev.verbena.verbs;

/// Checks of arguments that are the caller's to keep.
final class Require {
    private Require() {}

    static void range(String object, String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    object,
                    what + " " + value + " is out of range",
                    "use " + least + " to " + most);
        }
    }
}
