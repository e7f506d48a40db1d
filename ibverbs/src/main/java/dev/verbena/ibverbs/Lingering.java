package dev.verbena.ibverbs;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/// Objects that the program has closed while requests were still in flight on them: regions and
/// address handles. Each is destroyed when the last such request is done.
///
/// Nothing is counted per request, which would cost two atomic instructions on each: the closing
/// thread searches the requests and, as long as some object lingers, every polling thread does so
/// again.
final class Lingering {
    /// Something that can be ended when no request is on it.
    interface Thing {
        boolean isBusy();

        /// Gives it back to the device.
        void end();
    }

    private final IbvContext context;
    private final List<Thing> things = new ArrayList<>();

    /// Read by polling threads.
    private volatile boolean isAny;

    Lingering(IbvContext context) {
        this.context = context;
    }

    /// Ends it now, or when it can be; with the device's lock held.
    void end(Thing thing) {
        VarHandle.fullFence(); // it is closed: what is begun on it from now on sees that
        if (thing.isBusy()) {
            things.add(thing);
            isAny = true;
        } else {
            thing.end();
        }
    }

    /// Looks again; costs nothing when nothing lingers.
    void look() {
        if (isAny) {
            sweep(false);
        }
    }

    /// Destroys the objects that are no longer in use, or all of them.
    void sweep(boolean all) {
        context.lock.lock();
        try {
            for (int i = things.size() - 1; i >= 0; i--) {
                Thing thing = things.get(i);
                if (all || !thing.isBusy()) {
                    things.remove(i);
                    thing.end();
                }
            }
            isAny = !things.isEmpty();
        } finally {
            context.lock.unlock();
        }
    }
}
