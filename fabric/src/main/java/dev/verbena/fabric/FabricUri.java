package dev.verbena.fabric;

import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.spi.UriOptions;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;

/// A `fabric://` URI in its parts.
///
/// @param fabric name of the fabric
/// @param host name of the host
/// @param given the parameters, by name, each with its value as text
record FabricUri(String fabric, String host, Map<String, String> given) {
    private static final Pattern NAME = Pattern.compile("[\\w.-]{1,64}");
    private static final String AS = "write it as fabric://cluster/host-7?hosts=16";

    static FabricUri of(URI uri) {
        String fabric = uri.getAuthority();
        requireName(fabric == null ? "" : fabric, "device " + uri);
        String path = uri.getPath();
        String host = path == null || path.isEmpty() ? "" : path.substring(1);
        if (host.isEmpty()) {
            throw new NoDeviceException("device " + uri, "it names no host", AS);
        }
        return new FabricUri(fabric == null ? "" : fabric, host, UriOptions.of(uri, "hosts=16"));
    }

    /// Refuses what cannot be the name of a fabric.
    static void requireName(String fabric, String who) {
        if (!NAME.matcher(fabric).matches()) {
            throw new NoDeviceException(
                    who,
                    fabric.isEmpty()
                            ? "it names no fabric"
                            : "'" + fabric + "' is no name for a fabric",
                    AS + ", with letters, digits, '.', '_' and '-' in the name");
        }
    }
}
