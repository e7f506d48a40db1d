package dev.verbena.fabric;

import dev.verbena.transport.carrier.Baton;
import dev.verbena.transport.carrier.Guard;
import dev.verbena.transport.carrier.OneThread;
import org.jspecify.annotations.Nullable;

/// For devices of a program: one thread at a time, and where a [Baton] is passed the thread that
/// has it.
final class ProgramGuard implements Guard {
    private final OneThread alone;
    private volatile @Nullable Baton baton;

    ProgramGuard(String name) {
        alone = new OneThread(name);
    }

    /// Changed while no thread is inside.
    void baton(@Nullable Baton passed) {
        baton = passed;
    }

    @Nullable Baton baton() {
        return baton;
    }

    @Override
    public void enter() {
        Guard now = baton;
        (now == null ? alone : now).enter();
    }

    @Override
    public void exit() {
        Guard now = baton;
        (now == null ? alone : now).exit();
    }
}
