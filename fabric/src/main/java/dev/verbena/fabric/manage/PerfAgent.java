package dev.verbena.fabric.manage;

import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.PortCounters;
import dev.verbena.wire.mad.PortCountersExtended;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The performance agent of a node (IBA 16.1): the data plane's counters, less what they were when
/// a program set them.
final class PerfAgent {
    private static final int DATA = Smp.DATA;
    private static final int DATA_BYTES = Mad.LENGTH_TOTAL - DATA;

    /// All ports at once; 64-bit counters, without those of unicast and multicast; XmitWait.
    private static final int CAPABILITIES = 1 << 8 | 1 << 10 | 1 << 12;

    /// A counter that the data plane has.
    ///
    /// @param select its bit in CounterSelect; bit 16 is the first of CounterSelect2
    private record Counter(String name, PortCounters field, int select) {}

    private static final List<Counter> COUNTERS =
            List.of(
                    new Counter("LinkDownedCounter", PortCounters.LINK_DOWNED, 2),
                    new Counter("PortRcvErrors", PortCounters.RCV_ERRORS, 3),
                    new Counter("PortXmitData", PortCounters.XMIT_DATA, 12),
                    new Counter("PortRcvData", PortCounters.RCV_DATA, 13),
                    new Counter("PortXmitPkts", PortCounters.XMIT_PKTS, 14),
                    new Counter("PortRcvPkts", PortCounters.RCV_PKTS, 15),
                    new Counter("PortXmitWait", PortCounters.XMIT_WAIT, 16));

    /// The same with 64 bits, each with its bit in that attribute's CounterSelect.
    private record Wide(PortCountersExtended field, int select) {}

    private static final Map<String, Wide> EXTENDED =
            Map.of(
                    "PortXmitData", new Wide(PortCountersExtended.XMIT_DATA, 0),
                    "PortRcvData", new Wide(PortCountersExtended.RCV_DATA, 1),
                    "PortXmitPkts", new Wide(PortCountersExtended.XMIT_PKTS, 2),
                    "PortRcvPkts", new Wide(PortCountersExtended.RCV_PKTS, 3));

    private final Plane plane;
    private final int node;

    /// By port and counter, what to take off; only of those that were set.
    private final Map<Integer, Map<String, Long>> offsets = new HashMap<>();

    PerfAgent(Plane plane, int node) {
        this.plane = plane;
        this.node = node;
    }

    /// Answers a request in place.
    boolean handle(MemorySegment mad) {
        boolean isSet = Mad.method(mad, 0) == MadMethod.SET;
        int status =
                Mad.classVersion(mad, 0) != 1
                        ? MadStatus.BAD_VERSION
                        : switch (Mad.attributeId(mad, 0)) {
                            case ClassPortInfo.ATTRIBUTE_ID -> classInfo(mad, isSet);
                            case PortCounters.ATTRIBUTE_ID ->
                                    counters(mad, isSet, PortCounters.PORT_SELECT);
                            case PortCountersExtended.ATTRIBUTE_ID ->
                                    counters(mad, isSet, PortCountersExtended.PORT_SELECT);
                            default -> MadStatus.ATTRIBUTE_UNSUPPORTED;
                        };
        Smp.answer(mad, 0, status);
        return true;
    }

    private static int classInfo(MemorySegment mad, boolean isSet) {
        if (isSet) {
            return MadStatus.ATTRIBUTE_UNSUPPORTED;
        }
        mad.asSlice(DATA, DATA_BYTES).fill((byte) 0);
        ClassPortInfo.BASE_VERSION.write(mad, DATA, 1);
        ClassPortInfo.CLASS_VERSION.write(mad, DATA, 1);
        ClassPortInfo.CAPABILITY_MASK.write(mad, DATA, CAPABILITIES);
        ClassPortInfo.RESP_TIME_VALUE.write(mad, DATA, 18);
        return MadStatus.OK;
    }

    private int counters(MemorySegment mad, boolean isSet, MadField select) {
        int port = select.readInt(mad, DATA);
        boolean isExtended = select == PortCountersExtended.PORT_SELECT;
        boolean isAll = port == PortCounters.ALL_PORTS;
        // Port 0 of a switch carries no data.
        int first = isAll ? 1 : port;
        int last = isAll ? plane.ports(node) : port;
        int least = plane.ports(node) == 1 ? 1 : 0;
        if (first < least || last > plane.ports(node)) {
            return MadStatus.INVALID_VALUE;
        }
        if (isSet) {
            for (int i = first; i <= last; i++) {
                set(mad, i, isExtended);
            }
        }
        Map<String, Long> sums = new HashMap<>();
        for (int i = Math.max(1, first); i <= last; i++) {
            now(i).forEach((name, value) -> sums.merge(name, value, Long::sum));
        }
        mad.asSlice(DATA, DATA_BYTES).fill((byte) 0);
        select.write(mad, DATA, port);
        write(mad, sums, isExtended);
        return MadStatus.OK;
    }

    private static void write(MemorySegment mad, Map<String, Long> values, boolean isExtended) {
        if (isExtended) {
            EXTENDED.forEach(
                    (name, wide) -> wide.field().write(mad, DATA, values.getOrDefault(name, 0L)));
            return;
        }
        for (Counter counter : COUNTERS) {
            long most = (1L << counter.field().width()) - 1;
            long value = values.getOrDefault(counter.name(), 0L);
            // One that a program has set very high may have wrapped.
            boolean isMore = Long.compareUnsigned(value, most) > 0;
            counter.field().write(mad, DATA, isMore ? most : value);
        }
    }

    /// The counters of a port as they are shown.
    private Map<String, Long> now(int port) {
        Map<String, Long> found = plane.counters(node, port);
        Map<String, Long> less = offsets.getOrDefault(port, Map.of());
        Map<String, Long> shown = new HashMap<>();
        for (Counter counter : COUNTERS) {
            String name = counter.name();
            shown.put(name, found.getOrDefault(name, 0L) - less.getOrDefault(name, 0L));
        }
        return shown;
    }

    private void set(MemorySegment mad, int port, boolean isExtended) {
        if (port == 0) {
            return;
        }
        int select = PortCounters.COUNTER_SELECT.readInt(mad, DATA);
        int more = isExtended ? 0 : PortCounters.COUNTER_SELECT_2.readInt(mad, DATA) << 16;
        Map<String, Long> found = plane.counters(node, port);
        Map<String, Long> less = offsets.computeIfAbsent(port, _ -> new HashMap<>());
        for (Counter counter : COUNTERS) {
            Wide wide = EXTENDED.get(counter.name());
            if (isExtended) {
                if (wide != null && (select >> wide.select() & 1) != 0) {
                    long wanted = wide.field().read(mad, DATA);
                    less.put(counter.name(), found.getOrDefault(counter.name(), 0L) - wanted);
                }
            } else if (((select | more) >> counter.select() & 1) != 0) {
                long wanted = counter.field().read(mad, DATA);
                less.put(counter.name(), found.getOrDefault(counter.name(), 0L) - wanted);
            }
        }
    }
}
