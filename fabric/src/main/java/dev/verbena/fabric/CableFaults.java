package dev.verbena.fabric;

import dev.verbena.verbs.LinkLayer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// The faults of a fabric's cables: begins and ends them.
final class CableFaults {
    private static final TreeMap<Long, CableFault> NONE = new TreeMap<>();

    private final Fabric fabric;

    /// By cable and kind, in the order of time: a cable that flaps for long has very many.
    private final Map<Key, TreeMap<Long, CableFault>> all = new HashMap<>();

    private final Map<Key, CableFault> inForce = new HashMap<>();

    private record Key(int cable, CableFault.Kind kind, int side) {}

    CableFaults(Fabric fabric) {
        this.fabric = fabric;
    }

    void add(CableFault fault) {
        int cables = fabric.topology().cables();
        if (fault.cable() < 0 || fault.cable() >= cables) {
            throw new IllegalArgumentException(
                    "no cable %d: use 0 to %d".formatted(fault.cable(), cables - 1));
        }
        if (fault.fromPs() < fabric.nowPs()) {
            throw new IllegalArgumentException(
                    "a fault from %d ps, and it is %d: use a time to come"
                            .formatted(fault.fromPs(), fabric.nowPs()));
        }
        requireNic(fault);
        Key key = new Key(fault.cable(), fault.kind(), fault.side());
        TreeMap<Long, CableFault> known = all.computeIfAbsent(key, _ -> new TreeMap<>());
        if (collides(fault)) {
            throw new IllegalArgumentException(
                    "cable %d would have two faults %s at one time: leave one out"
                            .formatted(fault.cable(), fault.kind()));
        }
        known.put(fault.fromPs(), fault);
        at(fault.fromPs(), () -> look(key));
        if (fault.untilPs() != CableFault.FOR_EVER) {
            fabric.at(fault.untilPs(), () -> look(key));
        }
    }

    private void requireNic(CableFault fault) {
        boolean isOfNic =
                fault.kind() == CableFault.Kind.STORM
                        || fault.kind() == CableFault.Kind.SLOW_RECEIVER;
        if (isOfNic && fabric.topology().isUplink(fault.cable())) {
            throw new IllegalArgumentException(
                    "cable %d has no NIC at its end for a fault %s: use the cable of a host"
                            .formatted(fault.cable(), fault.kind()));
        }
        if (fault.kind() == CableFault.Kind.STORM
                && fabric.settings().layer() == LinkLayer.INFINIBAND) {
            throw new IllegalArgumentException(
                    "InfiniBand has no pauses for a storm: use a slow receiver");
        }
    }

    /// Whether another fault of its kind has one of its directions at its time.
    private boolean collides(CableFault fault) {
        for (int side = CableFault.BOTH; side < 2; side++) {
            TreeMap<Long, CableFault> known =
                    all.getOrDefault(new Key(fault.cable(), fault.kind(), side), NONE);
            Map.Entry<Long, CableFault> before = known.floorEntry(fault.fromPs());
            Map.Entry<Long, CableFault> after = known.ceilingEntry(fault.fromPs());
            boolean any = fault.collides(before) || fault.collides(after);
            boolean isShared =
                    side == CableFault.BOTH
                            || fault.side() == CableFault.BOTH
                            || fault.side() == side;
            if (any && isShared) {
                return true;
            }
        }
        return false;
    }

    /// Ends what is over and begins what has begun. A fault may begin when another one ends: in
    /// whatever order they were added, the older one ends first.
    private void look(Key key) {
        Map.Entry<Long, CableFault> newest = all.getOrDefault(key, NONE).floorEntry(fabric.nowPs());
        CableFault due =
                newest == null || newest.getValue().untilPs() <= fabric.nowPs()
                        ? null
                        : newest.getValue();
        CableFault present = inForce.get(key);
        if (Objects.equals(present, due)) {
            return;
        }
        if (present != null) {
            end(present);
            inForce.remove(key);
        }
        if (due != null) {
            begin(due);
            inForce.put(key, due);
        }
    }

    private void at(long timePs, Runnable action) {
        if (timePs == fabric.nowPs()) {
            action.run();
        } else {
            fabric.at(timePs, action);
        }
    }

    private void begin(CableFault fault) {
        for (int side = 0; side < 2; side++) {
            if (fault.side() != CableFault.BOTH && fault.side() != side) {
                continue;
            }
            LinkFault link = link(fault.cable(), side);
            switch (fault.kind()) {
                case LOSS -> link.lose(fault.value());
                case BIT_ERRORS -> link.flip(fault.value());
                case SLOW -> link.slow(fault.value());
                case DOWN -> link.down();
                case STORM, SLOW_RECEIVER -> atNic(port(fault.cable(), side), fault, true);
            }
        }
        if (fault.kind() == CableFault.Kind.DOWN) {
            port(fault.cable(), 0).unplugged(fabric.nowPs());
            port(fault.cable(), 1).unplugged(fabric.nowPs());
            fabric.cableChanged(fault.cable());
        }
    }

    private void end(CableFault fault) {
        for (int side = 0; side < 2; side++) {
            if (fault.side() != CableFault.BOTH && fault.side() != side) {
                continue;
            }
            LinkFault link = link(fault.cable(), side);
            switch (fault.kind()) {
                case LOSS -> link.lose(0);
                case BIT_ERRORS -> link.flip(0);
                case SLOW -> link.slow(1);
                case DOWN -> link.up(port(fault.cable(), side).leavesPs(fabric.nowPs()));
                case STORM, SLOW_RECEIVER -> atNic(port(fault.cable(), side), fault, false);
            }
        }
        if (fault.kind() == CableFault.Kind.DOWN) {
            port(fault.cable(), 0).plugged(fabric.nowPs());
            port(fault.cable(), 1).plugged(fabric.nowPs());
            fabric.cableChanged(fault.cable());
        }
    }

    /// Begins or ends a fault of the NIC that a port belongs to, if it does to one.
    private void atNic(OutPort port, CableFault fault, boolean begins) {
        if (!(port.owner instanceof Nic nic)) {
            return;
        }
        if (fault.kind() == CableFault.Kind.STORM) {
            nic.pauser().storm((int) fault.value(), begins, fabric.nowPs());
        } else {
            nic.receiveAt(begins ? fault.value() : 1);
        }
    }

    private OutPort port(int cable, int side) {
        return new Census(fabric).end(2 * cable + side);
    }

    /// Two random numbers are between the fabric's seed and that of a direction: random numbers of
    /// seeds that are a fixed step apart can be the same ones, a few places on.
    private long seed(int direction) {
        long ofFabric = new SplittableRandom(fabric.settings().seed()).nextLong();
        return new SplittableRandom(ofFabric + direction).nextLong();
    }

    /// Each direction has random numbers of its own, so that one does not depend on the traffic of
    /// another.
    private LinkFault link(int cable, int side) {
        Link link = port(cable, side).link();
        LinkFault known = link.fault();
        if (known == null) {
            known = new LinkFault(seed(2 * cable + side));
            link.fault(known);
        }
        return known;
    }
}
