package dev.verbena.fabric;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.Group;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// The first and the last host of a fabric, opened by URI.
final class UriWorld {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final long ORGANISATION_LOCAL = 0xFF18_0000_0000_0000L;

    private UriWorld() {}

    /// A fabric that the test built and registered, with the suite's small limits.
    static World registered(FabricSettings settings) {
        return registered(settings, fabric -> {}, it -> {});
    }

    /// The same, with something done to the fabric first, and more options of its devices.
    static TurnWorld registered(
            FabricSettings settings, Consumer<Fabric> first, Consumer<TransportOptions> more) {
        String name = "suite-" + MADE.incrementAndGet();
        Fabric fabric = new Fabric(FatTree.threeTiers(2, 2).topology(), settings);
        first.accept(fabric);
        Fabrics.Registration registration =
                Fabrics.register(
                        name,
                        fabric,
                        it -> {
                            it.limits(World.SMALL_LIMITS).partitionKeys(World.PARTITION_KEYS);
                            more.accept(it);
                        });
        try (registration) {
            return world(fabric, open(name, "host-0"), open(name, "host-7"));
        }
    }

    /// A fabric that the URI of its first device describes.
    static World described(String parameters) {
        String name = "suite-" + MADE.incrementAndGet();
        Device first = open(name, "host-0?" + parameters);
        return world(Fabrics.find(name).orElseThrow(), first, open(name, "host-7"))
                .lacking(Feature.TWO_PARTITIONS, "a URI gives no partition keys");
    }

    private static Device open(String fabric, String rest) {
        return Devices.open("fabric://" + fabric + "/" + rest);
    }

    private static TurnWorld world(Fabric fabric, Device first, Device last) {
        TurnWorld world =
                new TurnWorld(
                        () -> fabric.nowPs() / Clock.PS_PER_NS,
                        fabric::turn,
                        fabric::idle,
                        List.of(first, last));
        return fabric.settings().layer() == LinkLayer.ETHERNET
                ? world
                : world.groups(index -> group(fabric, index));
    }

    private static Group group(Fabric fabric, int index) {
        Gid gid = new Gid(ORGANISATION_LOCAL, index + 1L);
        return new Group(gid, fabric.multicastLid(gid));
    }
}
