package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import java.time.Duration;
import java.util.List;

/// Two network namespaces of our own with a pair of virtual Ethernet devices between them.
final class VethLab implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String DEVICE = "veth0";

    private final String left;
    private final String right;
    private final WireEnds place;

    private VethLab(int mtu, boolean segments) {
        String stem = "vbench" + ProcessHandle.current().pid();
        left = stem + "l";
        right = stem + "r";
        String name = "veth, MTU %,d".formatted(mtu) + (segments ? ", cut up at the device" : "");
        place =
                new WireEnds(
                        name,
                        new WireEnds.Host("10.66.0.1", left),
                        new WireEnds.Host("10.66.0.2", right),
                        DEVICE,
                        mtu >= 4200 ? 4096 : 1024,
                        Disturbance.NONE);
    }

    /// Makes them; needs root.
    ///
    /// @param segments whether trains are cut up before they cross, as before a NIC that cannot
    static VethLab open(int mtu, boolean segments) {
        VethLab lab = new VethLab(mtu, segments);
        try {
            lab.make(mtu, segments);
        } catch (BenchException failed) {
            lab.close();
            throw failed;
        }
        return lab;
    }

    private void make(int mtu, boolean segments) {
        run("ip netns add " + left);
        run("ip netns add " + right);
        run(
                "ip link add %s netns %s type veth peer name %s netns %s"
                        .formatted(DEVICE, left, DEVICE, right));
        for (WireEnds.Host host : List.of(place.left(), place.right())) {
            String namespace = host.namespace();
            String ip = "ip -n " + namespace;
            run("%s address add %s/24 dev %s".formatted(ip, host.address(), DEVICE));
            run("%s link set %s mtu %d up".formatted(ip, DEVICE, mtu));
            run("%s link set lo up".formatted(ip));
            if (segments) {
                run(
                        "ip netns exec %s ethtool -K %s gso off tso off tx-udp-segmentation off"
                                .formatted(namespace, DEVICE));
            }
        }
    }

    WireEnds place() {
        return place;
    }

    private static void run(String line) {
        Command.run(LIMIT, line.split(" ", -1));
    }

    @Override
    public void close() {
        for (String namespace : List.of(left, right)) {
            try {
                run("ip netns del " + namespace);
            } catch (BenchException gone) {
                System.err.println(gone.getMessage());
            }
        }
    }
}
