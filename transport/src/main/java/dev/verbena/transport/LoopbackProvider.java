package dev.verbena.transport;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.spi.DeviceProvider;
import java.net.URI;
import java.util.List;

/// Opens `loopback://NAME`: devices of one network in this process, for one thread.
///
/// Keys and numbers are the same in every run: a place to try programs, not to keep secrets.
public final class LoopbackProvider implements DeviceProvider {
    private static final long SEED = 1;
    private static final Loopback NETWORK = new Loopback(SEED);

    /// Called by the service loader.
    public LoopbackProvider() {}

    @Override
    public String scheme() {
        return "loopback";
    }

    @Override
    public Device open(URI uri) {
        String name = uri.getHost();
        if (name == null || name.isEmpty()) {
            throw new NoDeviceException(
                    "device " + uri, "it has no name", "write it as loopback://left");
        }
        return NETWORK.open(name);
    }

    @Override
    public List<URI> available() {
        return List.of(URI.create("loopback://local"));
    }
}
