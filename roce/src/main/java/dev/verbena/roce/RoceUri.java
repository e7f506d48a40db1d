package dev.verbena.roce;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.control.ControlFacts;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.NoDeviceException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads `roce://ADDRESS[:PORT]?option=value&…`.
final class RoceUri {
    private static final String KNOWN =
            "progress, spin, path, share, gso, rcvbuf, mtu, window, recovery, ack, cc, rtt, loss,"
                    + " seed";

    /// What has a letter is no IPv4 address.
    private static final Pattern NAME = Pattern.compile(".*[A-Za-z].*");

    private static final long MEGABIT = 1_000_000;
    private static final int LINE_MAX_MBITS = 1_000_000;
    private static final int DELAY_MAX_US = 10_000;
    private static final int ACK_REQUESTS_MAX = 1024;
    private static final int NS_PER_US = 1000;
    private static final int SPIN_MAX_US = 100_000;
    private static final int DEFAULT_RTT_US = 100;
    private static final int RTT_MAX_US = 10_000_000;
    private static final int MTU = 4096;

    private static final String OFF = "off";

    /// What cc says for DCQCN.
    private static final Set<String> DCQCN = Set.of("published", "adapter", "production");

    private final URI uri;
    private final Map<String, String> given = new HashMap<>();

    private RoceUri(URI uri) {
        this.uri = uri;
        String query = uri.getQuery();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            int split = part.indexOf('=');
            if (split <= 0 || split == part.length() - 1) {
                throw refused("'" + part + "' has no value", "write it as progress=caller");
            }
            if (given.put(part.substring(0, split), part.substring(split + 1)) != null) {
                throw refused(part.substring(0, split) + " stands there twice", "say it once");
            }
        }
    }

    static RoceSettings parse(URI uri) {
        return new RoceUri(uri).settings();
    }

    private RoceSettings settings() {
        Gid address = address();
        boolean thread = choice("progress", "thread", "caller");
        long spinUs = number("spin", RoceSettings.DEFAULT_SPIN_US, 0, SPIN_MAX_US);
        SocketPath path = path();
        boolean shared = choice("share", "on", "off");
        boolean segmentation = choice("gso", "on", "off");
        int buffer = (int) number("rcvbuf", RoceSettings.DEFAULT_RECEIVE_BUFFER, 1 << 14, 1 << 30);
        int mtu = (int) number("mtu", 0, 0, 4096);
        if (mtu != 0 && (Integer.bitCount(mtu) != 1 || mtu < 256)) {
            throw refused("mtu " + mtu, "use 256, 512, 1024, 2048 or 4096");
        }
        boolean adaptive = choice("window", "adaptive", "fixed");
        boolean goesBack = choice("recovery", "goback", "selective");
        int port = uri.getPort() < 0 ? Address.ROCE_PORT : uri.getPort();
        if (port == 0 || port > 0xFFFF) {
            throw refused("port " + port, "use 1 to 65535");
        }
        int[] ack = acknowledge();
        String named = Objects.requireNonNullElse(given.remove("cc"), OFF);
        boolean isDcqcn = DCQCN.contains(named);
        CongestionSettings congestion = isDcqcn ? congestion(named) : null;
        ControlChoice control = isDcqcn || named.equals(OFF) ? null : control(named);
        Loss loss = loss();
        OptionalLong seed = seed();
        if (!given.isEmpty()) {
            throw refused("no option " + String.join(", ", given.keySet()), "use some of " + KNOWN);
        }
        return new RoceSettings(
                address,
                port,
                thread,
                spinUs * NS_PER_US,
                path,
                shared,
                segmentation,
                buffer,
                mtu,
                adaptive,
                !goesBack,
                ack[0],
                (long) ack[1] * NS_PER_US,
                congestion,
                control,
                loss,
                seed);
    }

    private Gid address() {
        String host = uri.getHost();
        if (host == null) {
            throw new NoDeviceException(
                    "device " + uri,
                    "it names no address",
                    "write it as roce://192.0.2.10, roce://[2001:db8::1] or roce://localhost");
        }
        String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        boolean isName = !host.startsWith("[") && NAME.matcher(host).matches();
        Gid address = isName ? HostName.resolve(uri, host) : Gid.parse(literal);
        boolean isWildcard = address.equals(Gid.NONE) || address.equals(Gid.parse("0.0.0.0"));
        if (isWildcard || address.isMulticast()) {
            throw new NoDeviceException(
                    "device " + uri,
                    address + " is not the address of one port",
                    "peers must know where you are: use one of `ip address`");
        }
        return address;
    }

    private boolean choice(String name, String usual, String other) {
        String value = given.remove(name);
        if (value == null || value.equals(usual)) {
            return true;
        }
        if (!value.equals(other)) {
            throw refused(name + " cannot be '" + value + "'", "use " + usual + " or " + other);
        }
        return false;
    }

    private SocketPath path() {
        if (!given.containsKey("path")) {
            return SocketPath.AUTOMATIC;
        }
        return choice("path", "foreign", "portable") ? SocketPath.FOREIGN : SocketPath.PORTABLE;
    }

    private long number(String name, long usual, long least, long most) {
        String value = given.remove(name);
        return value == null ? usual : number(name, value, least, most);
    }

    private long number(String name, String text, long least, long most) {
        try {
            long value = Long.parseLong(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException malformed) {
            // Told below.
        }
        throw refused(name + " cannot be '" + text + "'", "use " + least + " to " + most);
    }

    private int[] acknowledge() {
        String value = given.remove("ack");
        if (value == null) {
            return new int[] {1, 0};
        }
        int split = value.indexOf(',');
        if (split < 0) {
            throw refused("ack cannot be '" + value + "'", "write it as ack=16,50");
        }
        return new int[] {
            (int) number("ack", value.substring(0, split), 1, ACK_REQUESTS_MAX),
            (int) number("ack", value.substring(split + 1), 0, DELAY_MAX_US)
        };
    }

    /// `cc=published&rp_max_rate=10000`, with other parameters by the names that operators know.
    private CongestionSettings congestion(String preset) {
        long maxRate = line(preset);
        CongestionSettings settings =
                switch (preset) {
                    case "published" -> CongestionSettings.published(maxRate);
                    case "adapter" -> CongestionSettings.adapter(maxRate);
                    default -> CongestionSettings.production(maxRate);
                };
        for (String name : settings.byName().keySet()) {
            String value = given.remove(name);
            if (value != null) {
                settings = changed(settings, name, number(name, value, 0, Integer.MAX_VALUE));
            }
        }
        return settings;
    }

    private long line(String control) {
        String line = given.remove("rp_max_rate");
        if (line == null) {
            throw refused(
                    "cc=" + control + " does not say how fast the line is",
                    "add rp_max_rate in Mb/s: rp_max_rate=10000 is 10 Gb/s");
        }
        return number("rp_max_rate", line, 1, LINE_MAX_MBITS) * MEGABIT;
    }

    /// `cc=swift&rp_max_rate=10000&rtt=50&beta=0.5`: a controller that is found by its name.
    private ControlChoice control(String name) {
        long rate = line(name);
        long roundTripNs = number("rtt", DEFAULT_RTT_US, 1, RTT_MAX_US) * NS_PER_US;
        ControlFacts facts = new ControlFacts(rate, MTU, roundTripNs);
        try {
            ControlChoice usual = ControlChoice.named(name, facts, Map.of());
            Map<String, Double> changed = new HashMap<>();
            for (String parameter : usual.parameters().keySet()) {
                String value = given.remove(parameter);
                if (value != null) {
                    changed.put(parameter, Double.valueOf(value));
                }
            }
            return ControlChoice.of(usual.provider(), facts, changed);
        } catch (IllegalArgumentException wrong) {
            throw refused(
                    "cc=" + name + ": " + wrong.getMessage(),
                    "or use off, published, adapter or production");
        }
    }

    private CongestionSettings changed(CongestionSettings settings, String name, long value) {
        try {
            return settings.with(name, value);
        } catch (IllegalArgumentException outOfRange) {
            throw refused(name + " cannot be " + value, String.valueOf(outOfRange.getMessage()));
        }
    }

    /// `loss=0.02` or, with a seed, `loss=0.02,7`.
    private Loss loss() {
        String value = given.remove("loss");
        if (value == null) {
            return Loss.NONE;
        }
        String[] parts = value.split(",", 2);
        double probability = -1;
        try {
            probability = Double.parseDouble(parts[0]);
        } catch (NumberFormatException malformed) {
            // Refused below.
        }
        // Written so that NaN is refused as well.
        if (!(probability >= 0 && probability <= 1)) {
            throw refused("loss cannot be '" + value + "'", "use 0 to 1, and a seed: loss=0.02,7");
        }
        boolean isSeeded = parts.length > 1;
        return new Loss(
                probability,
                isSeeded
                        ? number("loss", parts[1], Long.MIN_VALUE, Long.MAX_VALUE)
                        : Loss.NONE.seed());
    }

    private OptionalLong seed() {
        String value = given.remove("seed");
        return value == null
                ? OptionalLong.empty()
                : OptionalLong.of(number("seed", value, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    private InvalidRequestException refused(String problem, String remedy) {
        return new InvalidRequestException("device " + uri, problem, remedy);
    }
}
