package dev.verbena.fabric;

import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The part of a switch that combines packets of its children: in the order of its ports, once all
/// are here, so that it does not matter which came first.
///
/// It has no timer. Hosts send again what has had no result for long; that makes a switch send its
/// combination again, or answer with the result, which it keeps.
///
/// As a row of packets it is its ALU, which takes its time for each combination.
final class Reducer extends PacketLine {
    private final Fabric fabric;
    private final Node node;
    private final int at;
    private final int ports;
    private final long latencyPs;
    private final ReductionSettings settings;
    private int groups;
    private long usedBytes;
    private long freePs;
    private long combined;
    private long repeats;

    Reducer(Fabric fabric, Node node, int number, int ports, int firstPort) {
        super(fabric.clock(), fabric.pool(), Orders.reduction(firstPort));
        this.fabric = fabric;
        this.node = node;
        this.ports = ports;
        at = number - fabric.topology().hosts();
        latencyPs = fabric.settings().switchLatencyPs();
        settings = fabric.settings().reduction();
    }

    // ---- resources

    /// Why it cannot reduce for one more group, or nothing.
    String refusal() {
        return groups < settings.groups()
                ? ""
                : "%s reduces for %,d %s already, its limit"
                        .formatted(node, groups, groups == 1 ? "group" : "groups");
    }

    long freeBytes() {
        return settings.bufferBytes() - usedBytes;
    }

    ReducerSlots reserve(ReductionTree.Place place, int count, long bytes) {
        groups++;
        usedBytes += bytes;
        return new ReducerSlots(place, count, ports);
    }

    void release(ReducerSlots slots, long bytes) {
        slots.clear(pool);
        groups--;
        usedBytes -= bytes;
    }

    // ---- packets

    /// Takes a packet of a reduction.
    ///
    /// @param restPs how long after now its last bit arrives
    void arrive(int handle, int port, long restPs, long nowPs) {
        ReductionGroup group = pool.route(handle).reduction;
        ReducerSlots slots = group == null ? null : group.slots(at);
        if (group == null || slots == null) {
            // The group has ended.
            pool.give(handle);
            return;
        }
        MemorySegment headers = pool.headers(handle);
        long from = PacketPool.headersAt(handle);
        int slot = slots.of(ReductionHeader.sequence(headers, from), pool);
        if (slot < 0) {
            pool.give(handle);
        } else if (!ReductionHeader.isUp(headers, from)) {
            sink(slots, slot, handle, port, restPs, nowPs);
        } else if (slots.isCombined(slot)) {
            repeat(group, slots, slot, port, nowPs);
            pool.give(handle);
        } else {
            rise(group, slots, slot, handle, port, nowPs + restPs);
        }
    }

    private void rise(
            ReductionGroup group,
            ReducerSlots slots,
            int slot,
            int handle,
            int port,
            long wholePs) {
        int child = slots.child(port);
        if (child < 0 || slots.has(slot, child)) {
            pool.give(handle);
        } else if (slots.put(slot, child, handle, wholePs)) {
            combine(group, slots, slot);
        }
    }

    private void combine(ReductionGroup group, ReducerSlots slots, int slot) {
        int sum = slots.take(slot, 0);
        long bytes = pool.payloadLength(sum);
        for (int child = 1; child < slots.children; child++) {
            int part = slots.take(slot, child);
            if (group.failure() == null && !agrees(sum, part)) {
                disagree(group, slots.place, child);
            }
            if (group.failure() == null) {
                add(group, sum, part);
            }
            bytes += pool.payloadLength(part);
            pool.give(part);
        }
        combined++;
        freePs = Math.max(slots.therePs(slot), freePs) + settings.aluPs(bytes);
        boolean isRoot = slots.place.isRoot();
        if (isRoot) {
            ReductionHeader.turn(pool.headers(sum), PacketPool.headersAt(sum));
        }
        pool.reroute(sum, group.route);
        slots.keep(slot, sum, isRoot);
        slots.sent(slot, freePs);
        append(pool.copy(sum), tag(sum, group.route), freePs);
    }

    private void disagree(ReductionGroup group, ReductionTree.Place place, int child) {
        int port = place.children()[child];
        group.fail(
                group.below(at, port),
                "%s: the child at port %d has begun another operation than the one at port %d"
                        .formatted(node, port, place.children()[0]));
    }

    /// Whether two packets are of the same operation.
    private boolean agrees(int sum, int part) {
        MemorySegment left = pool.headers(sum);
        MemorySegment right = pool.headers(part);
        int code = ReductionHeader.arithmetic(left, PacketPool.headersAt(sum));
        return code == ReductionHeader.arithmetic(right, PacketPool.headersAt(part))
                && pool.payloadLength(sum) == pool.payloadLength(part)
                && pool.hasBytes(sum) == pool.hasBytes(part);
    }

    private void add(ReductionGroup group, int sum, int part) {
        if (!pool.hasBytes(sum)) {
            return;
        }
        int code = ReductionHeader.arithmetic(pool.headers(sum), PacketPool.headersAt(sum));
        Arithmetic arithmetic = group.arithmetic(code);
        MemorySegment left = pool.payload(sum);
        int count = pool.payloadLength(sum) / arithmetic.elementBytes();
        arithmetic.combine(left, 0, pool.payload(part), 0, left, 0, count);
    }

    /// The ALU has finished a combination.
    @Override
    void passed(int handle, long tag, long nowPs) {
        ReductionGroup group = pool.route(handle).reduction;
        ReducerSlots slots = group == null ? null : group.slots(at);
        if (slots == null) {
            pool.give(handle);
        } else if (slots.place.isRoot()) {
            scatter(slots, handle, tag, 0, null, nowPs);
        } else {
            offer(node.port(slots.place.portUp()), handle, tag, nowPs + latencyPs, nowPs);
        }
    }

    /// The result comes down.
    private void sink(ReducerSlots slots, int slot, int handle, int port, long restPs, long nowPs) {
        boolean isNews = slots.isCombined(slot) && !slots.isResult(slot);
        if (port != slots.place.portUp() || !isNews) {
            pool.give(handle);
            return;
        }
        pool.give(slots.kept(slot));
        slots.keep(slot, pool.copy(handle), true);
        scatter(slots, handle, tag(handle, pool.route(handle)), restPs, node.port(port), nowPs);
    }

    /// Sends a result to every child.
    private void scatter(
            ReducerSlots slots,
            int handle,
            long tag,
            long restPs,
            @Nullable OutPort from,
            long nowPs) {
        int[] children = slots.place.children();
        for (int i = 0; i < children.length; i++) {
            boolean isLast = i == children.length - 1;
            OutPort out = node.port(children[i]);
            // A packet that would leave faster than it arrives waits for its last bit.
            boolean isFaster =
                    from != null
                            && out.cable().rate().bitsPerSecond()
                                    > from.cable().rate().bitsPerSecond();
            long readyPs = nowPs + latencyPs + (isFaster ? restPs : 0);
            offer(out, isLast ? handle : pool.copy(handle), tag, readyPs, nowPs);
        }
    }

    /// A child sends again what is combined already: it lacks the result, or this switch does.
    private void repeat(ReductionGroup group, ReducerSlots slots, int slot, int port, long nowPs) {
        if (slots.child(port) < 0 || nowPs < slots.sentPs(slot)) {
            return;
        }
        int handle = slots.kept(slot);
        long tag = tag(handle, pool.route(handle));
        if (slots.isResult(slot)) {
            repeats++;
            offer(node.port(port), pool.copy(handle), tag, nowPs + latencyPs, nowPs);
        } else if (nowPs - slots.sentPs(slot) >= group.timeoutPs / 2) {
            // All children ask at about the same time; once is enough.
            repeats++;
            slots.sent(slot, nowPs);
            int up = slots.place.portUp();
            offer(node.port(up), pool.copy(handle), tag, nowPs + latencyPs, nowPs);
        }
    }

    private long tag(int handle, Route route) {
        int wire = fabric.wireBytes(handle, route);
        return Tag.of(Reductions.DESTINATION, wire, route.level);
    }

    private void offer(OutPort out, int handle, long tag, long readyPs, long nowPs) {
        out.offer(out.laneOf(Tag.entropy(tag)), handle, tag, readyPs, nowPs);
    }

    /// Packets that it has combined from its children's.
    long combined() {
        return combined;
    }

    /// Packets that it has sent once more.
    long repeats() {
        return repeats;
    }

    @Override
    public String toString() {
        return "reducer of " + node;
    }
}
