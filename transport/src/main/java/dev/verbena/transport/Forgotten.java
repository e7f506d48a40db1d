package dev.verbena.transport;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a device leaves behind when its program forgets it: here it is closed and reported. Knows
/// nothing that refers to the device.
final class Forgotten implements Runnable {
    /// Whether to remember where devices were opened: `-Dverbena.record=true`.
    private static final boolean RECORDS = Boolean.getBoolean("verbena.record");

    private static final System.Logger LOG = System.getLogger(Forgotten.class.getName());

    /// Its thread starts with the first device that is watched.
    private static final class Watch {
        static final Cleaner CLEANER =
                Cleaner.create(
                        Thread.ofPlatform().daemon().name("verbena forgotten devices").factory());

        private Watch() {}
    }

    private final String name;
    private final Driver driver;
    private final Set<Arena> memory;
    private final @Nullable Throwable opened;
    private boolean isClosed;
    private Cleaner.@Nullable Cleanable cleanable;

    private Forgotten(String name, Driver driver, Set<Arena> memory) {
        this.name = name;
        this.driver = driver;
        this.memory = memory;
        opened = RECORDS ? new Throwable(name + " was opened here") : null;
    }

    static Forgotten watch(TransportDevice device, Driver driver, Set<Arena> memory) {
        Forgotten made = new Forgotten(device.name(), driver, memory);
        made.cleanable = Watch.CLEANER.register(device, made);
        return made;
    }

    /// The program has closed the device.
    void closed() {
        isClosed = true;
        if (cleanable != null) {
            cleanable.clean();
        }
    }

    @Override
    public void run() {
        if (isClosed) {
            return;
        }
        String where = opened == null ? " -Dverbena.record=true tells where it was opened." : "";
        LOG.log(
                Level.WARNING,
                name
                        + " was forgotten: it was not closed, and nothing refers to it. It is"
                        + " closed now; close devices that are no longer used."
                        + where,
                opened);
        try {
            driver.closed();
        } finally {
            for (Arena arena : new HashSet<>(memory)) {
                close(arena);
            }
        }
    }

    private static void close(Arena arena) {
        try {
            arena.close();
        } catch (IllegalStateException used) {
            // A thread of the program is in a system call with it, or it is closed.
        }
    }
}
