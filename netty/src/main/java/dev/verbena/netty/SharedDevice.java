package dev.verbena.netty;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import org.jspecify.annotations.Nullable;

/// A device that all loops of a group use: opened for the first, closed after the last.
final class SharedDevice {
    private final String uri;
    private @Nullable Device device;
    private int users;

    SharedDevice(String uri) {
        this.uri = uri;
    }

    synchronized Device take() {
        Device open = device;
        if (open == null) {
            open = Devices.open(uri);
            device = open;
        }
        users++;
        return open;
    }

    synchronized void giveBack() {
        if (--users == 0 && device != null) {
            device.close();
            device = null;
        }
    }
}
