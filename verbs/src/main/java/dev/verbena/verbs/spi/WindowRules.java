package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkKind.BIND_WINDOW;
import static dev.verbena.verbs.spi.WorkRules.refused;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.WindowType;
import java.util.Set;

/// The rules for the binding of a window (IBA 10.6.7.2.2) that can be checked when it is posted. As
/// in [WorkRules], `who` is the owner of the queue.
public final class WindowRules {
    private static final int WRITES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();
    private static final int REMOTE = Access.REMOTE_READ.bit() | WRITES;

    private WindowRules() {}

    /// Checks a bind of a window to a region, both of which are open and of the right domain.
    ///
    /// @param regionRights bits of the region's rights
    /// @param given rights that the window is to give
    /// @return their bits
    public static int check(
            Object who,
            WindowType type,
            MemoryRegion region,
            int regionRights,
            long offset,
            long length,
            Set<Access> given) {
        int rights = Access.bits(given);
        if ((regionRights & Access.WINDOW_BIND.bit()) == 0) {
            throw refused(who, BIND_WINDOW, region + " takes no windows", "give it WINDOW_BIND");
        }
        if ((rights & ~REMOTE) != 0) {
            throw refused(
                    who,
                    BIND_WINDOW,
                    "a window cannot give other rights than remote ones",
                    "use REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC");
        }
        if ((rights & WRITES) != 0 && (regionRights & Access.LOCAL_WRITE.bit()) == 0) {
            throw WorkRules.notWritable(who, BIND_WINDOW, region);
        }
        WorkRules.requireInside(who, BIND_WINDOW, region, region.length(), offset, length);
        if (length == 0 && type == WindowType.TYPE_2) {
            throw refused(
                    who,
                    BIND_WINDOW,
                    "a window of type 2 is not unbound by binding it to nothing",
                    "invalidate its key");
        }
        return rights;
    }
}
