package dev.verbena.fabric;

import dev.verbena.verbs.InvalidRequestException;
import java.util.Map;

/// A fabric as the parameters of a URI describe it.
record FabricPlan(Shape shape, FabricSettings settings) {
    /// The most hosts that a URI may ask for.
    static final int HOSTS_MAX = 1 << 17;

    private static final String KNOWN =
            "hosts, topology, tiers, radix, oversubscription, chain, kind, rate, length, mtu, nic,"
                    + " seed";
    private static final String KIND = "kind";

    /// The parameters of the topology.
    ///
    /// @param file a topology file, or empty
    /// @param tiers 0 for the fewest
    /// @param chain switches in a row, or 0 for a tree
    record Shape(int hosts, String file, int tiers, int radix, double oversubscription, int chain) {
        static final Shape DEFAULT = new Shape(0, "", 0, 64, 1, 0);

        Shape withHosts(int value) {
            return new Shape(value, file, tiers, radix, oversubscription, chain);
        }

        Shape withFile(String value) {
            return new Shape(hosts, value, tiers, radix, oversubscription, chain);
        }

        Shape withTiers(int value) {
            return new Shape(hosts, file, value, radix, oversubscription, chain);
        }

        Shape withRadix(int value) {
            return new Shape(hosts, file, tiers, value, oversubscription, chain);
        }

        Shape withOversubscription(double value) {
            return new Shape(hosts, file, tiers, radix, value, chain);
        }

        Shape withChain(int value) {
            return new Shape(hosts, file, tiers, radix, oversubscription, value);
        }

        private Topology topology() {
            if (!file.isEmpty()) {
                return TopologyFile.read(file);
            }
            if (chain > 0) {
                return new Chain(chain, hosts).topology();
            }
            return tiers > 0
                    ? FatTree.ofRadix(hosts, tiers, radix, oversubscription).topology()
                    : FatTree.ofRadix(hosts, radix, oversubscription).topology();
        }
    }

    /// The plan that the parameters of a URI give.
    static FabricPlan of(FabricUri uri) {
        Map<String, String> given = uri.given();
        FabricPlan plan = new FabricPlan(Shape.DEFAULT, base(uri.fabric(), given));
        for (Map.Entry<String, String> one : given.entrySet()) {
            plan = plan.with(uri.fabric(), one.getKey(), one.getValue());
        }
        plan.requireShape(uri);
        return plan;
    }

    /// The kind decides what the other settings are unless given.
    private static FabricSettings base(String fabric, Map<String, String> given) {
        String kind = given.getOrDefault(KIND, "roce");
        return switch (kind) {
            case "roce" -> FabricSettings.ROCE;
            case "ib" -> FabricSettings.INFINIBAND;
            default -> throw refused(fabric, KIND, kind, "use roce or ib");
        };
    }

    private void requireShape(FabricUri uri) {
        boolean hasFile = !shape.file.isEmpty();
        if (hasFile == shape.hosts > 0) {
            throw new InvalidRequestException(
                    who(uri.fabric()),
                    hasFile
                            ? "topology and hosts are both given"
                            : "neither hosts nor topology is given",
                    "give one of them, as hosts=16");
        }
        Map<String, String> given = uri.given();
        for (String other : new String[] {"tiers", "radix", "oversubscription"}) {
            if (given.containsKey(other) && (hasFile || shape.chain > 0)) {
                throw new InvalidRequestException(
                        who(uri.fabric()),
                        "%s is for a tree, and %s is given"
                                .formatted(other, hasFile ? "topology" : "chain"),
                        "leave one of them out");
            }
        }
        if (hasFile && shape.chain > 0) {
            throw new InvalidRequestException(
                    who(uri.fabric()), "topology and chain are both given", "leave one out");
        }
    }

    private FabricPlan with(String fabric, String name, String text) {
        return switch (name) {
            case KIND -> this; // it was the first to be looked at
            case "hosts" -> with(shape.withHosts(number(fabric, name, text, 2, HOSTS_MAX)));
            case "topology" -> with(shape.withFile(text));
            case "tiers" -> with(shape.withTiers(number(fabric, name, text, 1, 3)));
            case "radix" -> with(shape.withRadix(number(fabric, name, text, 2, Tag.PORTS_MAX)));
            case "chain" -> with(shape.withChain(number(fabric, name, text, 1, HOSTS_MAX)));
            case "oversubscription" ->
                    with(shape.withOversubscription(decimal(fabric, name, text, 1, 1000)));
            case "rate" -> {
                Rate rate = Rate.gbits(number(fabric, name, text, 1, 100_000));
                yield with(settings.withCable(new Cable(rate, settings.cable().delayPs())));
            }
            case "length" -> {
                double metres = decimal(fabric, name, text, 0, 1_000_000);
                yield with(settings.withCable(Cable.ofMetres(settings.cable().rate(), metres)));
            }
            case "mtu" -> with(settings.withMtu(mtu(fabric, text)));
            case "nic" -> with(settings.withNic(nic(fabric, text)));
            case "seed" -> with(settings.withSeed(seed(fabric, text)));
            default ->
                    throw new InvalidRequestException(
                            who(fabric), "no parameter " + name, "use some of " + KNOWN);
        };
    }

    private FabricPlan with(Shape value) {
        return new FabricPlan(value, settings);
    }

    private FabricPlan with(FabricSettings value) {
        return new FabricPlan(shape, value);
    }

    /// Refuses to join a fabric that was opened with other parameters. Parameters that are not
    /// given match any value.
    void requireFits(FabricUri uri, Map<String, String> first) {
        for (Map.Entry<String, String> one : uri.given().entrySet()) {
            String name = one.getKey();
            String value = one.getValue();
            boolean isSame =
                    name.equals(KIND)
                            ? base(uri.fabric(), uri.given()).layer() == settings.layer()
                            : with(uri.fabric(), name, value).equals(this);
            if (!isSame) {
                throw new InvalidRequestException(
                        who(uri.fabric()),
                        "it is open with %s %s, and now %s is asked for"
                                .formatted(name, first.getOrDefault(name, "the default"), value),
                        "the first device decides for all: leave parameters out of later ones, or"
                                + " use another name for the fabric");
            }
        }
    }

    Fabric build(String fabric) {
        try {
            return new Fabric(shape.topology(), settings);
        } catch (IllegalArgumentException impossible) {
            throw new InvalidRequestException(
                    who(fabric),
                    "it cannot be built: " + impossible.getMessage(),
                    "change its parameters");
        }
    }

    private static int mtu(String fabric, String text) {
        int mtu = number(fabric, "mtu", text, 256, 4096);
        if (Integer.bitCount(mtu) != 1) {
            throw refused(fabric, "mtu", text, "use 256, 512, 1024, 2048 or 4096");
        }
        return mtu;
    }

    private static NicProfile nic(String fabric, String text) {
        return NicModel.of(text)
                .orElseThrow(() -> refused(fabric, "nic", text, "use " + NicModel.names()))
                .profile();
    }

    private static long seed(String fabric, String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException malformed) {
            throw refused(fabric, "seed", text, "write it as seed=42");
        }
    }

    private static int number(String fabric, String name, String text, int least, int most) {
        int value = -1;
        try {
            value = Integer.parseInt(text);
        } catch (NumberFormatException malformed) {
            // Refused below, as any number is that is too large.
        }
        if (value < least || value > most) {
            throw refused(fabric, name, text, "use %,d to %,d".formatted(least, most));
        }
        return value;
    }

    private static double decimal(
            String fabric, String name, String text, double least, double most) {
        double value = Double.NaN;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException malformed) {
            // Refused below, as any number is that is too large.
        }
        if (!(value >= least && value <= most)) {
            throw refused(fabric, name, text, "use %,.0f to %,.0f".formatted(least, most));
        }
        return value;
    }

    static String who(String fabric) {
        return "fabric " + fabric;
    }

    private static InvalidRequestException refused(
            String fabric, String name, String text, String remedy) {
        return new InvalidRequestException(who(fabric), name + " cannot be '" + text + "'", remedy);
    }
}
