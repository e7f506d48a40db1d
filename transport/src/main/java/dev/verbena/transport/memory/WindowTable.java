package dev.verbena.transport.memory;

import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.transport.common.Places;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WindowType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The memory windows of a device.
public final class WindowTable {
    final GuardedEntry entry;
    final MemoryTable memory;
    private final String device;
    private final Places places;
    private @Nullable TransportWindow[] windows = new TransportWindow[1];

    public WindowTable(DeviceSettings settings, GuardedEntry entry, MemoryTable memory) {
        this.device = settings.name;
        this.entry = entry;
        this.memory = memory;
        this.places = new Places(settings.limits.memoryWindows());
    }

    public TransportWindow create(ProtectionDomain domain, WindowType type) {
        int index = places.take();
        if (index == Places.NONE) {
            throw new LimitExceededException(
                    device,
                    "it holds " + places.used() + " memory windows already",
                    "close some, or bind one again and again");
        }
        if (index >= windows.length) {
            windows = Arrays.copyOf(windows, Places.grown(windows.length, index));
        }
        TransportWindow window = new TransportWindow(domain, this, type, index);
        windows[index] = window;
        window.announce(memory.freshKey());
        return window;
    }

    /// A window that is there: its key is in force, or a bind of it is in flight.
    public TransportWindow at(int index) {
        return Objects.requireNonNull(windows[index], "work in flight holds its window");
    }

    void remove(TransportWindow window) {
        windows[window.index] = null;
        places.give(window.index);
    }

    public void closeAll() {
        for (int i = 0; i < places.top(); i++) {
            TransportWindow window = windows[i];
            if (window != null) {
                window.close();
            }
        }
    }

    public int size() {
        return places.used();
    }
}
