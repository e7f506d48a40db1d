package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.VerbsException;

/// A call fails with an error code of Linux.
final class Refusal extends RuntimeException {
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EFAULT = 14;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int EOPNOTSUPP = 95;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ETIMEDOUT = 110;
    static final int EISCONN = 106;

    private static final long serialVersionUID = 1;

    final int errno;

    Refusal(int errno) {
        super("errno " + errno, null, false, false);
        this.errno = errno;
    }

    static void unless(boolean allowed, int errno) {
        if (!allowed) {
            throw new Refusal(errno);
        }
    }

    /// The code that the kernel has for what the transport refuses.
    static int of(VerbsException refused) {
        return switch (refused) {
            case LimitExceededException _ -> ENOMEM;
            case UnsupportedException _ -> EOPNOTSUPP;
            default -> EINVAL;
        };
    }
}
