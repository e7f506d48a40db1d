package dev.verbena.fabric;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.NoDeviceException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The fabrics of this process by name, of which `Devices.open("fabric://NAME/HOST")` opens
/// devices.
///
/// A program or a test that has built a fabric registers it here:
///
/// ```
/// Fabric fabric = new Fabric(FatTree.threeTiers(4, 8).topology(), FabricSettings.ROCE);
/// try (var registered = Fabrics.register("cluster", fabric)) {
///     Device device = Devices.open("fabric://cluster/host-7");
///     …
/// }
/// ```
///
/// A URI with parameters builds a fabric by itself, see [FabricProvider].
public final class Fabrics {
    /// Fabrics that may be known at a time.
    public static final int FABRICS_MAX = 1024;

    /// Of the hosts of one fabric, those that are listed as available.
    private static final int LISTED_MAX = 1024;

    private static final Map<String, Known> KNOWN = new LinkedHashMap<>();

    /// A fabric and how it came here.
    ///
    /// @param plan what a URI described, or null for one that was registered
    /// @param given the parameters of that URI
    /// @param options changes the options of each device
    private record Known(
            Fabric fabric,
            @Nullable FabricPlan plan,
            Map<String, String> given,
            Consumer<TransportOptions> options) {}

    private Fabrics() {}

    /// Makes a fabric known by a name, until the registration is closed. The fabric and its devices
    /// stay the program's: closing a registration closes no device.
    ///
    /// @throws InvalidRequestException when there is a fabric of this name already
    public static Registration register(String name, Fabric fabric) {
        return register(name, fabric, options -> {});
    }

    /// The same with changes to the options of each device, as in [Fabric#open].
    public static Registration register(
            String name, Fabric fabric, Consumer<TransportOptions> options) {
        FabricUri.requireName(name, "fabric");
        synchronized (KNOWN) {
            if (KNOWN.containsKey(name)) {
                throw new InvalidRequestException(
                        FabricPlan.who(name),
                        "there is one of this name already",
                        "use another name, or close that one first");
            }
            put(name, new Known(fabric, null, Map.of(), options));
        }
        return new Registration(name, fabric);
    }

    private static void put(String name, Known known) {
        if (KNOWN.size() == FABRICS_MAX) {
            throw new LimitExceededException(
                    FabricPlan.who(name),
                    "%,d fabrics are known already".formatted(FABRICS_MAX),
                    "close some");
        }
        KNOWN.put(name, known);
    }

    /// The fabric of this name, if there is one.
    public static Optional<Fabric> find(String name) {
        synchronized (KNOWN) {
            return Optional.ofNullable(KNOWN.get(name)).map(Known::fabric);
        }
    }

    static TransportDevice open(FabricUri uri) {
        String name = uri.fabric();
        synchronized (KNOWN) {
            Known known = KNOWN.get(name);
            if (known != null) {
                requireFits(known, uri);
                return open(known, uri);
            }
            if (uri.given().isEmpty()) {
                throw new NoDeviceException(
                        FabricPlan.who(name),
                        KNOWN.isEmpty()
                                ? "there is none, nor any other"
                                : "there is none; known are " + String.join(", ", KNOWN.keySet()),
                        "register it first with Fabrics.register, or describe it:"
                                + " fabric://%s/%s?hosts=16".formatted(name, uri.host()));
            }
            FabricPlan plan = FabricPlan.of(uri);
            Fabric fabric = plan.build(name);
            Known made = new Known(fabric, plan, uri.given(), options -> {});
            put(name, made);
            boolean isOpen = false;
            try {
                TransportDevice device = open(made, uri);
                fabric.whenEmpty(() -> forget(name, fabric));
                isOpen = true;
                return device;
            } finally {
                if (!isOpen) {
                    // A fabric whose first device does not open never was.
                    KNOWN.remove(name);
                }
            }
        }
    }

    private static void requireFits(Known known, FabricUri uri) {
        FabricPlan plan = known.plan;
        if (plan != null) {
            plan.requireFits(uri, known.given);
        } else if (!uri.given().isEmpty()) {
            throw new InvalidRequestException(
                    FabricPlan.who(uri.fabric()),
                    "the program built and registered it, and now %s is asked for"
                            .formatted(uri.given()),
                    "leave the parameters out, or use another name");
        }
    }

    private static TransportDevice open(Known known, FabricUri uri) {
        Fabric fabric = known.fabric;
        int host = fabric.host(uri.host());
        if (host < 0) {
            int last = fabric.topology().hosts() - 1;
            throw new NoDeviceException(
                    FabricPlan.who(uri.fabric()),
                    "it has no host '" + uri.host() + "'",
                    "its hosts are %s to %s; more of them: hosts=N where it is described"
                            .formatted(
                                    fabric.topology().hostText(0),
                                    fabric.topology().hostText(last)));
        }
        return fabric.openForProgram(host, known.options);
    }

    private static void forget(String name, Fabric fabric) {
        synchronized (KNOWN) {
            Known known = KNOWN.get(name);
            if (known != null && known.fabric.equals(fabric)) {
                KNOWN.remove(name);
            }
        }
    }

    /// Hosts that are not open, and a URI that makes one more fabric.
    static List<URI> available() {
        List<URI> found = new ArrayList<>();
        synchronized (KNOWN) {
            KNOWN.forEach((name, known) -> list(name, known.fabric, found));
            if (!KNOWN.containsKey("local")) {
                found.add(URI.create(FabricProvider.SCHEME + "://local/host-0?hosts=2"));
            }
        }
        return found;
    }

    private static void list(String name, Fabric fabric, List<URI> found) {
        int hosts = Math.min(LISTED_MAX, fabric.topology().hosts());
        for (int host = 0; host < hosts; host++) {
            if (!fabric.nic(host).isOpen()) {
                try {
                    found.add(
                            new URI(
                                    FabricProvider.SCHEME,
                                    name,
                                    "/" + fabric.topology().hostText(host),
                                    null,
                                    null));
                } catch (URISyntaxException impossible) {
                    throw new AssertionError("a path may have any characters", impossible);
                }
            }
        }
    }

    /// A fabric that is known by a name as long as this is open.
    public static final class Registration implements AutoCloseable {
        private final String name;
        private final Fabric fabric;

        private Registration(String name, Fabric fabric) {
            this.name = name;
            this.fabric = fabric;
        }

        public String name() {
            return name;
        }

        public Fabric fabric() {
            return fabric;
        }

        /// Forgets the name. Devices that are open stay open.
        @Override
        public void close() {
            forget(name, fabric);
        }
    }
}
