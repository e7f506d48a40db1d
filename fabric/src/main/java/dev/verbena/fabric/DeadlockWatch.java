package dev.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Looks for deadlock now and then.
///
/// A lane of a port is stuck when the neighbour does not let it send, and all packets in the buffer
/// for which the neighbour does so wait in lanes that are stuck. So the largest set of such lanes
/// is what is left of all lanes that the neighbour holds and that have sent nothing since the last
/// look, after those have been taken away, again and again, of whose buffers a packet can leave.
/// Every lane that is left waits for another one that is left: there is a circle.
///
/// A NIC takes every packet at once, and so never keeps a port waiting.
final class DeadlockWatch {
    private static final long LEAST_PS = 100_000_000;
    private static final int PACKETS = 4;

    /// Something waits there.
    private record Lane(OutPort port, int number) {}

    /// The packets that came to a port in a lane, and have not left the switch.
    private record Buffer(OutPort port, int lane) {}

    private final Fabric fabric;
    private final long everyPs;
    private long nextPs;

    /// Of all switches, from the first look on.
    private final List<OutPort> ports = new ArrayList<>();

    /// Lanes that were held at the last look, and how many packets they had sent.
    private Map<Lane, Long> held = new HashMap<>();

    DeadlockWatch(Fabric fabric) {
        this.fabric = fabric;
        everyPs = everyPs();
        nextPs = fabric.nowPs() + everyPs;
    }

    /// Long enough for what a port has sent to arrive.
    private long everyPs() {
        Topology topology = fabric.topology();
        int bytes = fabric.settings().largestWireBytes();
        long longest = LEAST_PS;
        for (int i = 0; i < topology.cables(); i++) {
            Cable cable = topology.cablePlan(i).over(fabric.settings().cable());
            longest = Math.max(longest, PACKETS * (cable.delayPs() + cable.rate().ps(bytes)));
        }
        return longest;
    }

    /// Time of the next look.
    long nextPs() {
        return nextPs;
    }

    /// Looks, and plans the next look for a time at which something has happened.
    Optional<Deadlock> look() {
        // Where no event is left, nothing is on its way.
        boolean isStill = fabric.isIdle();
        nextPs = (isStill ? fabric.nowPs() : Math.max(nextPs, fabric.clock().nextPs())) + everyPs;
        Map<Lane, Long> before = held;
        held = new LinkedHashMap<>();
        for (OutPort port : switchPorts()) {
            for (int left = port.waiting(); left != 0; left &= left - 1) {
                int lane = Integer.numberOfTrailingZeros(left);
                if (port.isHeld(lane)) {
                    held.put(new Lane(port, lane), port.sentPackets(lane));
                }
            }
        }
        Map<Lane, Buffer> stuck = new LinkedHashMap<>();
        held.forEach(
                (lane, sent) -> {
                    if (isStill || sent.equals(before.get(lane))) {
                        stuck.put(lane, new Buffer(lane.port().neighbour(), lane.number()));
                    }
                });
        return stuck.isEmpty() ? Optional.empty() : circle(stuck);
    }

    private List<OutPort> switchPorts() {
        if (!ports.isEmpty()) {
            return ports;
        }
        Topology topology = fabric.topology();
        for (int node = topology.hosts(); node < topology.hosts() + topology.switches(); node++) {
            for (int i = 0; i < topology.plan(node).ports(); i++) {
                OutPort port = fabric.node(node).port(i);
                if (port != null) {
                    ports.add(port);
                }
            }
        }
        return ports;
    }

    private Optional<Deadlock> circle(Map<Lane, Buffer> stuck) {
        Map<Buffer, List<Lane>> keepers = new HashMap<>();
        Map<Buffer, Lane> waiters = new HashMap<>();
        stuck.forEach((lane, buffer) -> waiters.put(buffer, lane));
        ArrayDeque<Buffer> draining = new ArrayDeque<>();
        for (OutPort port : switchPorts()) {
            port.eachLeaving(tag -> hold(port, tag, draining::add));
            for (int left = port.waiting(); left != 0; left &= left - 1) {
                Lane lane = new Lane(port, Integer.numberOfTrailingZeros(left));
                boolean isStuck = stuck.containsKey(lane);
                port.eachWaiting(
                        lane.number(),
                        tag ->
                                hold(
                                        port,
                                        tag,
                                        isStuck
                                                ? it ->
                                                        keepers.computeIfAbsent(
                                                                        it, _ -> new ArrayList<>())
                                                                .add(lane)
                                                : draining::add));
            }
        }
        // A neighbour without packets holds its port for another reason than this one.
        stuck.values().stream().filter(it -> !keepers.containsKey(it)).forEach(draining::add);
        while (!draining.isEmpty()) {
            Lane freed = waiters.remove(draining.removeFirst());
            if (freed != null) {
                stuck.remove(freed);
                freed.port()
                        .eachWaiting(freed.number(), tag -> hold(freed.port(), tag, draining::add));
            }
        }
        return stuck.isEmpty() ? Optional.empty() : Optional.of(follow(stuck, keepers));
    }

    /// Hands over the input buffer that a packet holds; copies for a group hold none.
    private static void hold(OutPort port, long tag, Consumer<Buffer> to) {
        int ingress = Tag.ingress(tag);
        if (ingress != InfiniBandSwitch.NO_INGRESS) {
            to.accept(new Buffer(port.owner.port(ingress), Tag.lane(tag)));
        }
    }

    /// From any lane to one that it waits for, until one comes up again.
    private Deadlock follow(Map<Lane, Buffer> stuck, Map<Buffer, List<Lane>> keepers) {
        List<Lane> way = new ArrayList<>();
        Lane next = stuck.keySet().iterator().next();
        while (!way.contains(next)) {
            way.add(next);
            Buffer full = stuck.get(next);
            next = keepers.getOrDefault(full, List.of()).getFirst();
        }
        List<Deadlock.Wait> cycle =
                way.subList(way.indexOf(next), way.size()).stream()
                        .map(DeadlockWatch::wait)
                        .toList();
        int ports = (int) stuck.keySet().stream().map(Lane::port).distinct().count();
        return new Deadlock(fabric.nowPs(), ports, cycle);
    }

    private static Deadlock.Wait wait(Lane lane) {
        OutPort port = lane.port();
        return new Deadlock.Wait(
                port.owner.toString(),
                port.number,
                port.neighbour().owner.toString(),
                lane.number(),
                port.waitingBytes(lane.number()));
    }
}
