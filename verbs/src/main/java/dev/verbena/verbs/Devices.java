package dev.verbena.verbs;

import dev.verbena.verbs.spi.DeviceProvider;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/// Finds providers and opens devices by URI: `roce://192.0.2.10`, `ibverbs://mlx5_0`.
public final class Devices {
    private Devices() {}

    /// Opens the device that the URI names.
    ///
    /// @throws NoDeviceException when no provider knows the scheme, or the provider has no such
    ///   device
    public static Device open(String uri) {
        return open(URI.create(uri));
    }

    /// Opens the device that the URI names.
    ///
    /// @throws NoDeviceException when no provider knows the scheme, or the provider has no such
    ///   device
    public static Device open(URI uri) {
        TreeSet<String> known = new TreeSet<>();
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
            if (provider.scheme().equals(uri.getScheme())) {
                return provider.open(uri);
            }
            known.add(provider.scheme());
        }
        throw new NoDeviceException(
                "device " + uri,
                "no provider for the scheme " + uri.getScheme() + " is on the module path",
                known.isEmpty()
                        ? "add a provider, such as verbena-roce, to the dependencies"
                        : "use one of " + known + ", or add the provider to the dependencies");
    }

    /// Every device that some provider could open here and now.
    public static List<URI> available() {
        List<URI> found = new ArrayList<>();
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
            found.addAll(provider.available());
        }
        return List.copyOf(found);
    }
}
