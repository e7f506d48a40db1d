package dev.verbena.verbs.spi;

import dev.verbena.verbs.Device;
import java.net.URI;
import java.util.List;

/// Opens devices of one kind of fabric; found by `ServiceLoader`.
public interface DeviceProvider {
    /// The scheme of the URIs that this provider opens, such as `roce` or `ibverbs`.
    String scheme();

    /// Opens a device.
    ///
    /// @throws dev.verbena.verbs.NoDeviceException when there is none by this name, with the reason
    Device open(URI uri);

    /// What could be opened here and now; empty when the fabric is not there. Never fails.
    List<URI> available();
}
