package dev.verbena.subnet;

/// What a subnet manager is among others, as SMInfo has it (IBA 14.4.1).
public enum ManagerRole {
    /// It looks whether there is a master, and writes nothing.
    DISCOVERING(1),
    /// Another one is master; this one asks it from time to time whether it lives.
    STANDBY(2),
    /// It manages the subnet.
    MASTER(3);

    private final int code;

    ManagerRole(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
