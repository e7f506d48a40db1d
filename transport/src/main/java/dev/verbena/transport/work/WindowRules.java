package dev.verbena.transport.work;

import dev.verbena.transport.memory.TransportRegion;
import dev.verbena.transport.memory.TransportWindow;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.WindowType;

/// The rules for the binding of a window (IBA 10.6.7.2.2) that can be checked when it is posted.
final class WindowRules {
    private static final int WRITES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();
    private static final int REMOTE = Access.REMOTE_READ.bit() | WRITES;

    private WindowRules() {}

    static void check(
            WorkChain chain,
            TransportWindow window,
            TransportRegion region,
            long offset,
            long length,
            int rights) {
        if ((region.rightBits & Access.WINDOW_BIND.bit()) == 0) {
            throw chain.refused(
                    Work.BIND_WINDOW, region + " takes no windows", "give it WINDOW_BIND");
        }
        if ((rights & ~REMOTE) != 0) {
            throw chain.refused(
                    Work.BIND_WINDOW,
                    "a window cannot give other rights than remote ones",
                    "use REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC");
        }
        if ((rights & WRITES) != 0 && (region.rightBits & Access.LOCAL_WRITE.bit()) == 0) {
            throw chain.refused(
                    Work.BIND_WINDOW, region + " may not be written", "give it LOCAL_WRITE");
        }
        if ((rights & Access.REMOTE_ATOMIC.bit()) != 0 && region.isPhantom()) {
            throw chain.refused(
                    Work.BIND_WINDOW,
                    "a phantom region has no value that an atomic could change",
                    "leave REMOTE_ATOMIC out");
        }
        if (offset < 0 || length < 0 || offset > region.length - length) {
            throw chain.refused(
                    Work.BIND_WINDOW,
                    "no bytes %d to %d in %s".formatted(offset, offset + length, region),
                    "stay inside the region");
        }
        if (length == 0 && window.type() == WindowType.TYPE_2) {
            throw chain.refused(
                    Work.BIND_WINDOW,
                    "a window of type 2 is not unbound by binding it to nothing",
                    "invalidate its key");
        }
    }
}
