package dev.verbena.roce;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.Group;
import dev.verbena.conformance.World;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Two devices on sockets of this machine, in real time.
final class RoceWorld implements World {
    private final List<TransportDevice> devices;
    private final Map<Feature, String> more = new EnumMap<>(Feature.class);
    private final Gid groups;
    private final boolean isDriven;
    private final boolean isPortable;

    /// Whether the devices differ by their UDP port alone.
    private final boolean hasOwnPorts;

    private RoceWorld(
            TransportDevice left, TransportDevice right, boolean isOnePlace, String options) {
        devices = List.of(left, right);
        groups = TestAddresses.groups(left.gids(1).getFirst());
        hasOwnPorts = !isOnePlace && left.gids(1).equals(right.gids(1));
        isDriven = options.contains("progress=thread");
        isPortable = options.contains("path=portable");
    }

    /// Devices at two places, with the same options.
    static RoceWorld at(String left, String right, String options) {
        return new RoceWorld(
                open("roce://" + left + "?" + options),
                open("roce://" + right + "?" + options),
                left.equals(right),
                options);
    }

    private static TransportDevice open(String uri) {
        return RoceProvider.open(
                RoceUri.parse(URI.create(uri)),
                options -> options.limits(SMALL_LIMITS).partitionKeys(PARTITION_KEYS));
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public Group group(int index) {
        return new Group(new Gid(groups.high(), groups.low() + index), 0);
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    /// Lacks one more feature, for this reason.
    RoceWorld lacking(Feature feature, String reason) {
        more.put(feature, reason);
        return this;
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        if (more.containsKey(feature)) {
            return Optional.ofNullable(more.get(feature));
        }
        return switch (feature) {
            case MULTICAST -> TestAddresses.lacksGroups(devices.getFirst().gids(1).getFirst());
            case EXACT_TIME -> Optional.of("the time is real");
            case AWAIT_MOVES_PEERS ->
                    isDriven
                            ? Optional.empty()
                            : Optional.of("each device is driven by its callers");
            case OWN_ADDRESSES ->
                    devices.get(0).gids(1).equals(devices.get(1).gids(1))
                            ? Optional.of("both devices are at one address")
                            : Optional.empty();
            case MANAGED_CONNECTIONS ->
                    hasOwnPorts
                            ? Optional.of("peers are asked at the standard port; these have others")
                            : Optional.empty();
            case TRAFFIC_CLASS ->
                    isPortable
                            ? Optional.of("the sockets of the JDK do not tell it")
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // the devices' threads may have no other processor
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            progress(0);
            progress(1);
            if (isDriven) {
                Thread.yield();
            }
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
        }
        return true;
    }

    /// Drives a device, unless a test has closed it.
    private void progress(int index) {
        try {
            devices.get(index).progress();
        } catch (ClosedException closed) {
            // As it should be.
        }
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }
}
