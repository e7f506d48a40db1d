package dev.verbena.conformance;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WindowType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/// Two devices that can reach each other, and a time that passes when it is asked to.
///
/// The time may be virtual or real, the network may lose packets; a test notices neither. Closing
/// the world closes its devices.
public interface World extends AutoCloseable {
    /// Limits for the devices, where they can be set: so small that tests run into each of them.
    DeviceLimits SMALL_LIMITS =
            DeviceLimits.builder()
                    .queuePairs(512)
                    .completionQueues(1024)
                    .memoryRegions(512)
                    .memoryWindows(64)
                    .sharedReceiveQueues(32)
                    .addressHandles(64)
                    .multicastGroups(8)
                    .multicastAttachments(16)
                    .workRequests(1024)
                    .workRequestsInAll(2048)
                    .scatterGather(7)
                    .inlineBytes(300)
                    .completions(4096)
                    .readsAsInitiator(32)
                    .readsAsResponder(32)
                    .regionBytes(1L << 40)
                    .messageBytes(1L << 31)
                    .pendingEvents(16)
                    .build();

    /// Partitions for the devices, where they can be set: the usual one and another.
    List<Integer> PARTITION_KEYS = List.of(0xFFFF, 0x8002);

    /// The devices; there are at least 0 and 1, and each can reach the other.
    Device device(int index);

    /// The time of this world, in nanoseconds from any beginning; never runs backwards.
    long nowNs();

    /// Drives the devices and lets time pass until the condition holds, and answers whether it came
    /// to that before `limit` was over. The condition may poll the devices' queues.
    boolean advanceUntil(BooleanSupplier condition, Duration limit);

    /// Drives the devices for so long.
    default void advance(Duration time) {
        advanceUntil(() -> false, time);
    }

    /// Why this world cannot do it; empty when it can.
    default Optional<String> lacks(Feature feature) {
        return Optional.empty();
    }

    /// Skips the running test, with the world's reason, unless it has such queue pairs.
    default void needs(QueuePairType type) {
        switch (type) {
            case RC -> {}
            case UC -> needs(Feature.UNRELIABLE_CONNECTION);
            case UD -> needs(Feature.DATAGRAM);
        }
    }

    /// Skips the running test, with the world's reason, unless it has such windows.
    default void needs(WindowType type) {
        needs(type == WindowType.TYPE_1 ? Feature.WINDOWS_TYPE_1 : Feature.WINDOWS_TYPE_2);
    }

    /// One of many multicast groups that both devices can join, each index another. On InfiniBand
    /// the subnet manager has to make it first, which only the world can ask for.
    default Group group(int index) {
        return Group.onEthernet(device(0).gids(1).getFirst(), index);
    }

    default boolean has(Feature feature) {
        return lacks(feature).isEmpty();
    }

    /// Skips the running test, with the world's reason, unless the feature is there.
    default void needs(Feature feature) {
        lacks(feature).ifPresent(reason -> Assumptions.abort(feature + ": " + reason));
    }

    @Override
    void close();
}
