package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/// The options behind the `?` of a device's URI, for providers.
public final class UriOptions {
    private UriOptions() {}

    /// By name, each with its value as text, in the order of the URI.
    ///
    /// @param example how an option is written, for the error
    /// @throws InvalidRequestException for an option without a value, or one that stands there
    ///   twice
    public static Map<String, String> of(URI uri, String example) {
        Map<String, String> given = new LinkedHashMap<>();
        String query = uri.getRawQuery();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            int split = part.indexOf('=');
            if (split <= 0 || split == part.length() - 1) {
                throw new InvalidRequestException(
                        "device " + uri, "'" + part + "' has no value", "write it as " + example);
            }
            String name = part.substring(0, split);
            if (given.put(name, decoded(part.substring(split + 1))) != null) {
                throw new InvalidRequestException(
                        "device " + uri, name + " stands there twice", "say it once");
            }
        }
        return given;
    }

    /// A part of a URI without its escapes.
    private static String decoded(String raw) {
        return URI.create("value:" + raw).getSchemeSpecificPart();
    }
}
