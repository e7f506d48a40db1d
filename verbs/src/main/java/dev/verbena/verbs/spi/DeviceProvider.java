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
    /// @throws dev.verbena.verbs.NoDeviceException when there is no device with this name, with the
    ///   reason
    Device open(URI uri);

    /// The devices that can be opened on this machine now; empty when the fabric is not available.
    /// Never fails.
    List<URI> available();
}
