package dev.verbena.verbs;

import dev.verbena.verbs.spi.DeviceProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Finds providers and opens devices by URI: `roce://192.0.2.10`, `ibverbs://mlx5_0`.
///
/// A provider that cannot be loaded, for example because a library is missing, does not affect the
/// other providers.
public final class Devices {
    private static final String AS = "write it as roce://192.0.2.10 or ibverbs://mlx5_0";

    private Devices() {}

    /// Opens the device that the URI names.
    ///
    /// @throws InvalidRequestException when the text is not a URI, or has no scheme
    /// @throws NoDeviceException when no provider supports the scheme, or the provider has no such
    ///   device
    public static Device open(String uri) {
        try {
            return open(new URI(uri));
        } catch (URISyntaxException malformed) {
            throw new InvalidRequestException(
                    "device '" + uri + "'", "not a device URI: " + malformed.getReason(), AS);
        }
    }

    /// Opens the device that the URI names.
    ///
    /// @throws InvalidRequestException when the URI has no scheme
    /// @throws NoDeviceException when no provider supports the scheme, or the provider has no such
    ///   device
    public static Device open(URI uri) {
        String scheme = uri.getScheme();
        if (scheme == null) {
            throw new InvalidRequestException(
                    "device '" + uri + "'", "not a device URI: it has no scheme", AS);
        }
        Providers providers = Providers.load();
        TreeSet<String> known = new TreeSet<>();
        for (DeviceProvider provider : providers.loaded()) {
            if (provider.scheme().equalsIgnoreCase(scheme)) {
                return provider.open(uri);
            }
            known.add(provider.scheme());
        }
        String object = "device " + uri;
        String problem = "no provider for the scheme " + scheme + " was found";
        String remedy =
                known.isEmpty()
                        ? "add a provider, such as verbena-roce, to the dependencies"
                        : "use one of " + known + ", or add the provider to the dependencies";
        throw providers.failed().isEmpty()
                ? new NoDeviceException(object, problem, remedy)
                : new NoDeviceException(
                        object,
                        problem + "; these providers did not load: " + providers.failures(),
                        "fix the provider if it is the one you need, or " + remedy,
                        providers.failed().getFirst());
    }

    /// All devices that the providers can open on this machine now. A provider that cannot be
    /// loaded has no devices here; [#open(URI)] reports the reason.
    public static List<URI> available() {
        List<URI> found = new ArrayList<>();
        for (DeviceProvider provider : Providers.load().loaded()) {
            found.addAll(provider.available());
        }
        return List.copyOf(found);
    }
}
