package dev.verbena.transport.carrier;

import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.Baton;
import org.jspecify.annotations.Nullable;

/// For devices of a program on a network in virtual time: one thread at a time, and where a [Baton]
/// is passed the thread that has it.
public final class ProgramGuard implements Guard {
    private final String name;
    private final OneThread alone;
    private volatile @Nullable Baton baton;

    /// @param name what the threads share
    public ProgramGuard(String name) {
        this.name = name;
        alone = new OneThread(name);
    }

    /// Sets the baton, or takes it away; while no thread is inside.
    public void baton(@Nullable Baton passed) {
        if (alone.isInside()) {
            throw new WrongStateException(
                    name,
                    "threads are to take turns, and one is in the middle of a call",
                    "start them in the program, not in listeners");
        }
        baton = passed;
    }

    public @Nullable Baton baton() {
        return baton;
    }

    /// Only threads that pass a baton are woken.
    @Override
    public boolean isShared() {
        return baton != null;
    }

    @Override
    public void enter() {
        Baton now = baton;
        if (now == null) {
            alone.enter();
        } else {
            now.require();
        }
    }

    @Override
    public void exit() {
        if (baton == null) {
            alone.exit();
        }
    }

    @Override
    public void beginWait() {
        if (baton == null) {
            alone.beginWait();
        }
    }

    @Override
    public void endWait() {
        if (baton == null) {
            alone.endWait();
        }
    }
}
