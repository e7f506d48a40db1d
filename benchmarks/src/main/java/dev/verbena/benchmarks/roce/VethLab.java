package dev.verbena.benchmarks.roce;

import dev.verbena.benchmarks.results.BenchException;
import dev.verbena.benchmarks.results.Command;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Two network namespaces of our own with a pair of virtual Ethernet devices between them. They
/// have the number of this process in their names: what a run has left behind that was killed, the
/// next one removes.
final class VethLab implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String DEVICE = "veth0";
    private static final String STEM = "vbench";
    private static final Pattern NAME = Pattern.compile(STEM + "([0-9]+)[lr]");

    private final String left;
    private final String right;
    private final WireEnds place;

    /// For a run that is asked to end.
    private final Thread atExit = new Thread(this::ended, "namespaces");

    private VethLab(int mtu, boolean segments) {
        String stem = STEM + ProcessHandle.current().pid();
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
        removeLeftBehind();
        VethLab lab = new VethLab(mtu, segments);
        Runtime.getRuntime().addShutdownHook(lab.atExit);
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

    private static void removeLeftBehind() {
        for (String line : run("ip netns list").lines().toList()) {
            String name = line.split(" ", 2)[0];
            Matcher ours = NAME.matcher(name);
            if (ours.matches() && !isAlive(Long.parseLong(ours.group(1)))) {
                remove(name);
            }
        }
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
    }

    /// Removes a namespace with the programs in it: it would live on as long as one of them does.
    private static void remove(String namespace) {
        try {
            for (String process : run("ip netns pids " + namespace).lines().toList()) {
                ProcessHandle.of(Long.parseLong(process.strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
            run("ip netns del " + namespace);
        } catch (BenchException gone) {
            System.err.println(gone.getMessage());
        }
    }

    private static String run(String line) {
        return Command.run(LIMIT, line.split(" ", -1));
    }

    private void ended() {
        remove(left);
        remove(right);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            return;
        }
        ended();
    }
}
