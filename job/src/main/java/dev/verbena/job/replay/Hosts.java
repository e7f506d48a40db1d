package dev.verbena.job.replay;

import dev.verbena.fabric.Fabric;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The devices of the hosts of a job, opened when they are first used.
final class Hosts implements AutoCloseable {
    private final Fabric fabric;
    private final Consumer<TransportOptions> options;
    private final @Nullable TransportDevice[] devices;

    Hosts(Fabric fabric, Consumer<TransportOptions> options) {
        this.fabric = fabric;
        this.options = options;
        devices = new TransportDevice[fabric.topology().hosts()];
    }

    TransportDevice device(int host) {
        TransportDevice device = devices[host];
        if (device == null) {
            device = fabric.open(host, options);
            devices[host] = device;
        }
        return device;
    }

    @Override
    public void close() {
        for (TransportDevice device : devices) {
            if (device != null) {
                device.close();
            }
        }
    }
}
