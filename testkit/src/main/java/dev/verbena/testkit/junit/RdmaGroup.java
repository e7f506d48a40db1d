package dev.verbena.testkit.junit;

import dev.verbena.testkit.Hints;
import dev.verbena.verbs.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/// All hosts of a test, each connected to every other, and the time that they share.
public final class RdmaGroup {
    /// How long helpers wait unless told: far longer than recovery from loss takes, and nothing in
    /// virtual time.
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private static final long FIRST_STEP_NS = 1_000;
    private static final int STEPS_PER_DOUBLING = 16;

    private final Function<String, Device> opener;
    private final List<RdmaHost> hosts = new ArrayList<>();
    private final Map<String, Device> further = new LinkedHashMap<>();

    RdmaGroup(Function<String, Device> opener) {
        this.opener = opener;
    }

    /// Opens one more host and connects it to those that are there.
    void add(String name, long memoryBytes) {
        Device device = opener.apply(name);
        try {
            RdmaHost host = new RdmaHost(name, device, memoryBytes);
            hosts.forEach(other -> RdmaHost.join(other, host));
            hosts.add(host);
        } catch (RuntimeException failure) {
            device.close();
            throw failure;
        }
    }

    public List<RdmaHost> hosts() {
        return List.copyOf(hosts);
    }

    /// A host, counted from 0.
    public RdmaHost host(int index) {
        return hosts.get(index);
    }

    /// One more device on the same network, for a program that makes everything itself. It is the
    /// program's to close: a device left open fails the test.
    public Device open(String name) {
        Device device = opener.apply(name);
        further.put(name, device);
        return device;
    }

    /// Advances the time; events that are due meanwhile happen.
    public void advance(Duration time) {
        for (RdmaHost host : hosts) {
            if (host.isOpen()) {
                host.clock().await(time, _ -> {});
                return;
            }
        }
        throw new IllegalStateException("all hosts are closed: no host is left to wait");
    }

    /// Lets time pass until the condition holds; the test fails when it does not within [#LIMIT].
    public void awaitUntil(String what, BooleanSupplier condition) {
        awaitUntil(what, LIMIT, condition);
    }

    /// Lets time pass until the condition holds; the test fails when it does not within the limit.
    public void awaitUntil(String what, Duration limit, BooleanSupplier condition) {
        long passedNs = 0;
        long limitNs = limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (passedNs >= limitNs) {
                String hints =
                        hosts.stream()
                                .map(host -> Hints.of(host.device()))
                                .collect(Collectors.joining());
                throw new AssertionError("waited " + text(limit) + " in vain: " + what + hints);
            }
            // Looks often at first and seldom later, never much too late.
            long stepNs = Math.max(FIRST_STEP_NS, passedNs / STEPS_PER_DOUBLING);
            long nextNs = Math.min(stepNs, limitNs - passedNs);
            advance(Duration.ofNanos(nextNs));
            passedNs += nextNs;
        }
    }

    /// As people write it: 10s, 0.002s.
    static String text(Duration time) {
        return time.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }

    /// Closes everything; returns the names of further devices that were left open.
    List<String> close() {
        List<String> left = new ArrayList<>();
        further.forEach(
                (name, device) -> {
                    if (RdmaHost.isOpen(device)) {
                        left.add(name);
                        device.close();
                    }
                });
        hosts.forEach(host -> host.device().close());
        return left;
    }
}
