package dev.verbena.ibverbs;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;

/// Error codes of failed calls, as Linux numbers them, and their meaning for a caller of this API.
final class Errno {
    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EFAULT = 14;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;
    static final int EPROTONOSUPPORT = 93;
    static final int EOPNOTSUPP = 95;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ENETUNREACH = 101;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;

    private static final String DOCTOR = "run verbena doctor on this host";

    private Errno() {}

    /// As Linux names and explains it.
    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM (not permitted)";
            case EAGAIN -> "EAGAIN (would have to wait, or out of a resource)";
            case ENOMEM -> "ENOMEM (out of memory, or of a resource of the device)";
            case EACCES -> "EACCES (permission denied)";
            case EFAULT -> "EFAULT (no such memory)";
            case EBUSY -> "EBUSY (in use)";
            case ENODEV -> "ENODEV (no such device)";
            case EINVAL -> "EINVAL (invalid argument)";
            case EMFILE -> "EMFILE (too many open files)";
            case ENOSPC -> "ENOSPC (no room)";
            case ENOSYS -> "ENOSYS (not implemented)";
            case EPROTONOSUPPORT -> "EPROTONOSUPPORT (not supported)";
            case EOPNOTSUPP -> "EOPNOTSUPP (not supported)";
            case EADDRINUSE -> "EADDRINUSE (address already in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (no such address on this machine)";
            case ENETUNREACH -> "ENETUNREACH (network is unreachable)";
            case ETIMEDOUT -> "ETIMEDOUT (no answer in time)";
            case ECONNREFUSED -> "ECONNREFUSED (refused)";
            case EHOSTUNREACH -> "EHOSTUNREACH (host is unreachable)";
            default -> "errno " + errno;
        };
    }

    private static String problem(String what, int errno) {
        return "the device refused " + what + ": " + text(errno);
    }

    /// A request that was not posted; the device says no more of it than the number.
    static VerbsException notPosted(String object, String what, int errno) {
        String problem = problem(what, errno);
        return switch (errno) {
            case ENOMEM, EAGAIN, ENOSPC ->
                    new LimitExceededException(
                            object, problem, "take completions, then post again");
            case ENOSYS, EOPNOTSUPP ->
                    new UnsupportedException(object, problem, "use an operation the device has");
            default ->
                    new InvalidRequestException(
                            object,
                            problem,
                            "see whether the state, the operation, its pieces and its keys are"
                                    + " those of this queue pair; those before it were posted");
        };
    }

    /// The exception for a call that the device refused.
    ///
    /// @param what the requested object or action, such as "a queue pair of depth 128"
    static VerbsException refusal(String object, String what, int errno) {
        String problem = problem(what, errno);
        return switch (errno) {
            case ENOMEM, EAGAIN, ENOSPC, EMFILE ->
                    new LimitExceededException(
                            object,
                            problem,
                            "use less or raise the limit on locked memory (ulimit -l), " + DOCTOR);
            case ENOSYS, EOPNOTSUPP, EPROTONOSUPPORT ->
                    new UnsupportedException(
                            object, problem, "use a value that the device supports");
            case ETIMEDOUT, ENETUNREACH, EHOSTUNREACH ->
                    new InvalidRequestException(
                            object, problem, "check that the peer's address can be reached");
            default -> new InvalidRequestException(object, problem, DOCTOR);
        };
    }
}
