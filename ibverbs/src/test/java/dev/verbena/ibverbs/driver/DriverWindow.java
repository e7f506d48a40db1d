package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.WindowType;
import org.jspecify.annotations.Nullable;

/// A memory window. Its key has eight bits that a bind chooses, unlike those of the transport, so
/// that the driver translates between both.
final class DriverWindow extends DriverObject {
    private static final int KEY_BITS = 8;
    private static final int CHOSEN = 0xFF;

    final DriverDomain domain;
    final MemoryWindow window;
    private int key;
    private @Nullable DriverRegion region;
    private @Nullable DriverPair binder;

    private DriverWindow(DriverDomain domain, MemoryWindow window) {
        super(domain.driver, Layouts.MW);
        this.domain = domain;
        this.window = window;
        this.key = (driver.nextWindow++ << KEY_BITS) | CHOSEN;
        domain.users++;
        driver.keys.put(key, window.remoteKey());
        Layouts.MW.put(address, "context", domain.context.address);
        Layouts.MW.put(address, "pd", domain.address);
        Layouts.MW.put(address, "rkey", key);
    }

    static DriverWindow allocate(DriverDomain domain, int type) {
        for (WindowType known : WindowType.values()) {
            if (known.code() == type) {
                return new DriverWindow(domain, domain.domain.window(known));
            }
        }
        throw new Refusal(Refusal.EINVAL);
    }

    /// Whether the structure holds the key that the device knows.
    boolean isCurrent() {
        return Layouts.MW.getInt(address, "rkey") == key;
    }

    void bound(DriverRegion to, DriverPair by, int chosen) {
        unbind();
        key = (key & ~CHOSEN) | (chosen & CHOSEN);
        driver.keys.put(key, window.remoteKey());
        region = to;
        to.windows++;
        if (window.type() == WindowType.TYPE_2) {
            binder = by;
            by.windows++;
        }
    }

    private void unbind() {
        if (region != null) {
            region.windows--;
            region = null;
        }
        if (binder != null) {
            binder.windows--;
            binder = null;
        }
    }

    void close() {
        unbind();
        window.close();
        domain.users--;
        free();
    }
}
