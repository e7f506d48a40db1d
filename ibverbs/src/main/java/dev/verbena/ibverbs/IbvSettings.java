package dev.verbena.ibverbs;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.NoDeviceException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The parts of a URI: `ibverbs://DEVICE[/PORT][?gid=INDEX&sge=N&inline=BYTES]`.
///
/// @param device as `ibv_devices` lists it
/// @param port which of its ports, from 1
/// @param gid index of the source GID of packets; by default the one with the widest scope
/// @param pieces of memory that a request may name
/// @param inlineBytes that a request may carry, if the device can
record IbvSettings(String device, int port, OptionalInt gid, int pieces, int inlineBytes) {
    private static final int PIECES = 4;
    private static final int PIECES_MAX = 64;
    private static final int INLINE_BYTES = 128;
    private static final int INLINE_MAX = 4096;
    private static final String KNOWN = "gid, sge, inline";

    static IbvSettings parse(URI uri) {
        // An underscore, as in mlx5_0, is not for a host's name, so that there is no host.
        String device = uri.getRawAuthority();
        if (device == null || device.isEmpty() || device.contains(":")) {
            throw new NoDeviceException(
                    "device " + uri,
                    "it names no device",
                    "write it as ibverbs://mlx5_0, with a name that ibv_devices lists");
        }
        Map<String, String> given = options(uri);
        String gid = given.remove("gid");
        IbvSettings settings =
                new IbvSettings(
                        device,
                        port(uri),
                        gid == null
                                ? OptionalInt.empty()
                                : OptionalInt.of(number(uri, "gid", gid, 0, 255)),
                        number(uri, "sge", given.remove("sge"), PIECES, 1, PIECES_MAX),
                        number(uri, "inline", given.remove("inline"), INLINE_BYTES, 0, INLINE_MAX));
        if (!given.isEmpty()) {
            throw refused(uri, "no option " + String.join(", ", given.keySet()), KNOWN);
        }
        return settings;
    }

    /// How messages call the device.
    String name() {
        return "ibverbs://" + device + (port == 1 ? "" : "/" + port);
    }

    private static int port(URI uri) {
        String path = uri.getPath();
        return path == null || path.length() < 2
                ? 1
                : number(uri, "port", path.substring(1), 1, 255);
    }

    private static Map<String, String> options(URI uri) {
        Map<String, String> given = new HashMap<>();
        String query = uri.getQuery();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            int split = part.indexOf('=');
            if (split <= 0 || split == part.length() - 1) {
                throw refused(uri, "'" + part + "' has no value", KNOWN);
            }
            if (given.put(part.substring(0, split), part.substring(split + 1)) != null) {
                throw refused(uri, part.substring(0, split) + " stands there twice", KNOWN);
            }
        }
        return given;
    }

    private static int number(
            URI uri, String what, @Nullable String text, int unless, int least, int most) {
        return text == null ? unless : number(uri, what, text, least, most);
    }

    private static int number(URI uri, String what, String text, int least, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            // Told below.
        }
        throw new InvalidRequestException(
                "device " + uri, what + " " + text, "use " + least + " to " + most);
    }

    private static InvalidRequestException refused(URI uri, String problem, String known) {
        return new InvalidRequestException("device " + uri, problem, "use some of " + known);
    }
}
