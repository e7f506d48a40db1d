package dev.verbena.ibverbs;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.WindowType;
import java.util.Set;

/// The rules for the binding of a window (IBA 10.6.7.2.2) that can be checked when it is posted.
final class WindowRules {
    private static final int WRITES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();
    private static final int REMOTE = Access.REMOTE_READ.bit() | WRITES;

    private WindowRules() {}

    static void check(
            IbvQueuePair pair,
            IbvWindow window,
            IbvRegion region,
            long offset,
            long length,
            Set<Access> rights) {
        int bits = Access.bits(rights);
        if ((region.rightBits & Access.WINDOW_BIND.bit()) == 0) {
            throw refused(pair, region + " takes no windows", "give it WINDOW_BIND");
        }
        if ((bits & ~REMOTE) != 0) {
            throw refused(
                    pair,
                    "a window cannot give other rights than remote ones",
                    "use REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC");
        }
        if ((bits & WRITES) != 0 && (region.rightBits & Access.LOCAL_WRITE.bit()) == 0) {
            throw refused(pair, region + " may not be written", "give it LOCAL_WRITE");
        }
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw refused(
                    pair,
                    "no bytes %d to %d in %s".formatted(offset, offset + length, region),
                    "stay inside the region");
        }
        if (length == 0 && window.type() == WindowType.TYPE_2) {
            throw refused(
                    pair,
                    "a window of type 2 is not unbound by binding it to nothing",
                    "invalidate its key");
        }
    }

    private static InvalidRequestException refused(
            IbvQueuePair pair, String problem, String remedy) {
        return new InvalidRequestException(pair + ", " + SendKind.BIND.title(), problem, remedy);
    }
}
