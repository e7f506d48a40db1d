package dev.verbena.subnet;

import dev.verbena.wire.Gid;
import java.util.ArrayList;
import java.util.List;

/// The router that leads to another subnet.
///
/// @param prefix of that subnet; 0: any
/// @param guid of the router's port in this one; 0: of any router, which destinations share
public record PrefixRoute(long prefix, long guid) {
    private static final int ROUTES_MAX = 1024;
    private static final int DIGITS_MAX = 16;

    boolean leadsTo(Gid destination) {
        return prefix == 0 || prefix == destination.high();
    }

    /// Reads routes in the format of OpenSM's `prefix_routes.conf`: in each line a prefix and a
    /// GUID, either of them `*` for any; the first that matches counts.
    ///
    /// @throws IllegalArgumentException that names the line that is wrong
    public static List<PrefixRoute> parse(String text) {
        List<PrefixRoute> routes = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.replaceFirst("#.*", "").strip();
            if (content.isEmpty()) {
                continue;
            }
            String[] parts = content.split("\\s+", -1);
            if (parts.length != 2) {
                throw wrong(number, "use a prefix and a GUID, such as 0xfec0000000000001 *");
            }
            if (routes.size() == ROUTES_MAX) {
                throw wrong(number, "use at most " + ROUTES_MAX + " routes");
            }
            routes.add(new PrefixRoute(number(number, parts[0]), number(number, parts[1])));
        }
        return routes;
    }

    private static long number(int line, String text) {
        if (text.equals("*")) {
            return 0;
        }
        String digits = text.startsWith("0x") ? text.substring(2) : "";
        boolean isNumber =
                digits.length() <= DIGITS_MAX
                        && digits.matches("[0-9a-fA-F]+")
                        && !digits.matches("0+");
        if (!isNumber) {
            throw wrong(line, text + ": use * or a number such as 0xfec0000000000001");
        }
        return Long.parseUnsignedLong(digits, 16);
    }

    private static IllegalArgumentException wrong(int line, String what) {
        return new IllegalArgumentException("line %d: %s".formatted(line, what));
    }
}
