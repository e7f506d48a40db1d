package dev.verbena.roce;

/// Reasons of failed system calls that are worth a word of our own.
final class Errno {
    static final int EIO = 5;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EMSGSIZE = 90;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ENETUNREACH = 101;
    static final int ECONNABORTED = 103;
    static final int ENOBUFS = 105;

    private Errno() {}

    /// As Linux names and explains it.
    static String text(int errno) {
        return switch (errno) {
            case EIO -> "EIO (input/output error)";
            case EINTR -> "EINTR (interrupted)";
            case EAGAIN -> "EAGAIN (would have to wait)";
            case EACCES -> "EACCES (permission denied)";
            case EINVAL -> "EINVAL (invalid argument)";
            case ENFILE -> "ENFILE (too many open files on this machine)";
            case EMFILE -> "EMFILE (too many open files)";
            case EMSGSIZE -> "EMSGSIZE (message too long)";
            case EADDRINUSE -> "EADDRINUSE (address already in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (no such address on this machine)";
            case ENETUNREACH -> "ENETUNREACH (network is unreachable)";
            case ENOBUFS -> "ENOBUFS (no buffer space)";
            default -> "errno " + errno;
        };
    }
}
