package dev.verbena.conformance;

import dev.verbena.verbs.Device;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// Devices on a network in virtual time, whose packets move when it is asked for a turn.
public final class TurnWorld implements World {
    /// Far more turns than any test needs while the time stands still; beyond, nothing will end.
    private static final int TURNS_MAX = 10_000_000;

    private final LongSupplier clock;
    private final BooleanSupplier turn;
    private final LongConsumer idle;
    private final List<? extends Device> devices;
    private final Map<Feature, String> lacks = new EnumMap<>(Feature.class);
    private IntFunction<Group> groups = World.super::group;

    /// @param clock the time of the network, in nanoseconds
    /// @param turn does all that is due now; returns whether there was anything
    /// @param idle lets the time jump to the next event, at most to the time given
    public TurnWorld(
            LongSupplier clock,
            BooleanSupplier turn,
            LongConsumer idle,
            List<? extends Device> devices) {
        this.clock = clock;
        this.turn = turn;
        this.idle = idle;
        this.devices = devices;
    }

    /// Says what the network lacks, and why.
    public TurnWorld lacking(Feature feature, String reason) {
        lacks.put(feature, reason);
        return this;
    }

    /// Says which multicast groups there are, where they have LIDs.
    public TurnWorld groups(IntFunction<Group> made) {
        groups = made;
        return this;
    }

    @Override
    public Group group(int index) {
        return groups.apply(index);
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        return Optional.ofNullable(lacks.get(feature));
    }

    @Override
    public Device device(int index) {
        return devices.get(index);
    }

    @Override
    public long nowNs() {
        return clock.getAsLong();
    }

    @Override
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long endNs = nowNs() + limit.toNanos();
        int turns = 0;
        while (!condition.getAsBoolean()) {
            if (turn.getAsBoolean()) {
                turns++;
                if (turns > TURNS_MAX) {
                    throw new AssertionError("busy for ever at " + nowNs() + " ns");
                }
            } else if (nowNs() < endNs) {
                idle.accept(endNs);
                turns = 0;
            } else {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }
}
