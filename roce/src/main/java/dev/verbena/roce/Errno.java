package dev.verbena.roce;

import org.jspecify.annotations.Nullable;

/// Reasons of failed system calls, with Linux' numbers, names and explanations.
final class Errno {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EMSGSIZE = 90;
    static final int EAFNOSUPPORT = 97;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ENETDOWN = 100;
    static final int ENETUNREACH = 101;
    static final int ECONNABORTED = 103;
    static final int ENOBUFS = 105;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;

    /// All of Linux' are below.
    static final int COUNT = 134;

    private Errno() {}

    /// As Linux names and explains it.
    static String text(int errno) {
        String says = says(errno);
        return says == null ? "errno " + errno : name(errno) + " (" + says + ")";
    }

    static String name(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM";
            case EINTR -> "EINTR";
            case EIO -> "EIO";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EINVAL -> "EINVAL";
            case ENFILE -> "ENFILE";
            case EMFILE -> "EMFILE";
            case EMSGSIZE -> "EMSGSIZE";
            case EAFNOSUPPORT -> "EAFNOSUPPORT";
            case EADDRINUSE -> "EADDRINUSE";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
            case ENETDOWN -> "ENETDOWN";
            case ENETUNREACH -> "ENETUNREACH";
            case ECONNABORTED -> "ECONNABORTED";
            case ENOBUFS -> "ENOBUFS";
            case ECONNREFUSED -> "ECONNREFUSED";
            case EHOSTUNREACH -> "EHOSTUNREACH";
            default -> "errno_" + errno;
        };
    }

    private static @Nullable String says(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case EINTR -> "interrupted";
            case EIO -> "input/output error";
            case EAGAIN -> "would have to wait";
            case ENOMEM -> "cannot allocate memory";
            case EACCES -> "permission denied";
            case EINVAL -> "invalid argument";
            case ENFILE -> "too many open files on this machine";
            case EMFILE -> "too many open files";
            case EMSGSIZE -> "message too long";
            case EAFNOSUPPORT -> "address family not supported";
            case EADDRINUSE -> "address already in use";
            case EADDRNOTAVAIL -> "no such address on this machine";
            case ENETDOWN -> "network is down";
            case ENETUNREACH -> "network is unreachable";
            case ECONNABORTED -> "connection aborted";
            case ENOBUFS -> "no buffer space";
            case ECONNREFUSED -> "connection refused";
            case EHOSTUNREACH -> "no route to host";
            default -> null;
        };
    }

    /// Whether it goes away by itself: a queue of this machine is full for the moment.
    static boolean isPassing(int errno) {
        return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM || errno == EINTR;
    }

    /// What a program can do about packets that did not leave.
    static String remedy(int errno) {
        return switch (errno) {
            case EMSGSIZE ->
                    "a link on the way has a smaller MTU: open the device with a smaller mtu=";
            case EINVAL ->
                    "no packet goes from this device's address to the peer's: look at `ip route"
                            + " get`";
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN ->
                    "look at the address, and at `ip route get`";
            case EPERM, EACCES -> "a firewall of this machine refuses them";
            default -> "look at the address and the interface";
        };
    }

    /// The number of what the JDK passes on as a message; EIO when it is another.
    static int of(@Nullable String message) {
        if (message != null) {
            for (int errno = 1; errno < COUNT; errno++) {
                String says = says(errno);
                if (says != null && message.toLowerCase(java.util.Locale.ROOT).startsWith(says)) {
                    return errno;
                }
            }
        }
        return EIO;
    }
}
