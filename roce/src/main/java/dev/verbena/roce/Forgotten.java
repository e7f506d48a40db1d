package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/// What a device leaves behind when its program forgets it: here it is closed and reported. Nothing
/// in it refers to the device.
final class Forgotten implements Runnable {
    /// Whether to remember where devices were opened: `-Dverbena.record=true`.
    private static final boolean RECORDS = Boolean.getBoolean("verbena.record");

    private static final System.Logger LOG = System.getLogger(Forgotten.class.getName());

    private static final Cleaner CLEANER =
            Cleaner.create(
                    Thread.ofPlatform().daemon().name("verbena forgotten devices").factory());

    private final Carrier carrier;
    private final @Nullable Throwable opened;

    private Forgotten(Carrier carrier) {
        this.carrier = carrier;
        opened = RECORDS ? new Throwable(carrier + " was opened here") : null;
    }

    /// Closes the device when nothing refers to it any more.
    static void watch(TransportDevice device, Carrier carrier) {
        CLEANER.register(device, new Forgotten(carrier));
    }

    @Override
    public void run() {
        if (carrier.isClosed) {
            return;
        }
        String where = opened == null ? " -Dverbena.record=true tells where it was opened." : "";
        try {
            LOG.log(
                    Level.WARNING,
                    carrier
                            + " was forgotten: it was not closed, and nothing refers to it. It is"
                            + " closed now; close devices that are no longer used."
                            + where,
                    opened);
        } finally {
            // Its memory stays: the program may still have segments of it.
            carrier.closed();
        }
    }
}
