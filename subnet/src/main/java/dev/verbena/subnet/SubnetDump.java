package dev.verbena.subnet;

import dev.verbena.subnet.admin.SubnetView;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PortCapability;
import dev.verbena.wire.mad.PortInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Formatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Writes a subnet as the files of OpenSM do.
final class SubnetDump {
    private static final int NONE = SubnetView.NONE;
    private static final int FIRST_GROUP = 0xC000;
    private static final int UNKNOWN = -1;

    private final SubnetView view;
    private final GroupTables groups;
    private final int topLid;

    /// Links from each switch to one, by the vertex of the latter. Hosts take no place in it: with
    /// four bytes for each node it was the largest part of a manager.
    private final Map<Integer, short[]> fewest = new HashMap<>();

    /// By vertex: which of the switches it is, or [#NONE].
    private final int[] index;

    private final int switches;

    SubnetDump(SubnetView view, GroupTables groups) {
        this.view = view;
        this.groups = groups;
        index = new int[view.vertices()];
        int top = 0;
        int found = 0;
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            index[vertex] = view.isSwitch(vertex) ? found++ : NONE;
            top = view.isPresent(vertex) ? Math.max(top, view.lid(vertex)) : top;
        }
        topLid = top;
        switches = found;
    }

    void write(DumpFile file, Appendable to) throws IOException {
        Formatter out = new Formatter(to, Locale.ROOT);
        for (int vertex = 0; vertex < view.vertices(); vertex++) {
            if (!view.isPresent(vertex)) {
                continue;
            }
            if (file == DumpFile.LINKS) {
                links(vertex, out);
            } else if (view.isSwitch(vertex)) {
                switch (file) {
                    case FORWARDING -> forwarding(vertex, out);
                    case HOPS -> hops(vertex, out);
                    default -> groups(vertex, out);
                }
            }
        }
        IOException failed = out.ioException();
        if (failed != null) {
            throw failed;
        }
    }

    /// A name may be any bytes: it must not end its line, nor close its quotes.
    private String name(int vertex) {
        byte[] bytes = new byte[(int) view.description(vertex).byteSize()];
        MemorySegment.copy(
                view.description(vertex), 0, MemorySegment.ofArray(bytes), 0, bytes.length);
        String name = new String(bytes, StandardCharsets.UTF_8);
        int end = name.indexOf(0);
        return name.substring(0, end < 0 ? name.length() : end).replaceAll("[\\p{Cntrl}'{}]", "_");
    }

    private int type(int vertex) {
        return NodeInfo.NODE_TYPE.readInt(view.nodeInfo(vertex), 0);
    }

    private int receiver(int lid) {
        int vertex = view.vertexAt(lid);
        return vertex != NONE && view.isPresent(vertex) ? vertex : NONE;
    }

    /// The port by which a switch sends to a LID: 0 is the switch itself.
    private int port(int vertex, int lid) {
        if (receiver(lid) == vertex) {
            return 0;
        }
        int slot = view.next(vertex, lid);
        return slot == NONE ? NONE : view.port(slot);
    }

    private void forwarding(int vertex, Formatter out) {
        out.format(
                "Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):%n",
                topLid, view.lid(vertex), view.guid(vertex), name(vertex));
        int count = 0;
        for (int lid = 1; lid <= topLid; lid++) {
            int receiver = receiver(lid);
            int port = receiver == NONE ? NONE : port(vertex, lid);
            if (port != NONE) {
                count++;
                String kind =
                        switch (type(receiver)) {
                            case NodeInfo.SWITCH -> "Switch";
                            case NodeInfo.ROUTER -> "Router";
                            default -> "Channel Adapter";
                        };
                out.format(
                        "0x%04x %03d # %s portguid 0x%016x: '%s'%n",
                        lid, port, kind, view.guid(receiver), name(receiver));
            }
        }
        out.format("%d lids dumped%n", count);
    }

    private void hops(int vertex, Formatter out) {
        out.format(
                "dump_ucast_routes: Switch 0x%016x%nLID    : Port : Hops : Optimal%n",
                view.guid(vertex));
        for (int lid = 1; lid <= topLid; lid++) {
            out.format("0x%04X : ", lid);
            int receiver = receiver(lid);
            int port = receiver == NONE ? NONE : port(vertex, lid);
            if (port == NONE) {
                out.format("UNREACHABLE%n");
                continue;
            }
            int taken = walk(vertex, lid, receiver);
            if (taken == UNKNOWN) {
                out.format("%03d  : HOPS UNKNOWN%n", port);
                continue;
            }
            int home = home(receiver);
            short[] links = fewest(home);
            int best = links[index[vertex]] + (home == receiver ? 0 : 1);
            out.format("%03d  : %02d   : ", port, taken);
            if (taken == best) {
                out.format("yes%n");
            } else {
                out.format("No %d hop path possible via port %d!%n", best, nearer(vertex, links));
            }
        }
    }

    /// The links on the route that tables give.
    private int walk(int from, int lid, int receiver) {
        int at = from;
        for (int hops = 0; hops <= view.vertices(); hops++) {
            if (at == receiver) {
                return hops;
            }
            int slot = view.isSwitch(at) ? view.next(at, lid) : NONE;
            int peer = slot == NONE ? NONE : view.peer(slot);
            if (peer == NONE) {
                return UNKNOWN;
            }
            at = view.owner(peer);
        }
        return UNKNOWN;
    }

    /// The switch that a host is at; a switch itself.
    private int home(int vertex) {
        int peer = view.isSwitch(vertex) ? NONE : view.peer(view.firstSlot(vertex));
        return peer == NONE ? vertex : view.owner(peer);
    }

    /// The fewest links from each switch to one.
    private short[] fewest(int home) {
        return fewest.computeIfAbsent(
                home,
                _ -> {
                    short[] links = new short[switches];
                    Arrays.fill(links, (short) UNKNOWN);
                    ArrayDeque<Integer> next = new ArrayDeque<>();
                    if (view.isSwitch(home)) {
                        links[index[home]] = 0;
                        next.add(home);
                    }
                    while (!next.isEmpty()) {
                        int at = next.remove();
                        for (int slot = view.firstSlot(at); slot < view.endSlot(at); slot++) {
                            int peer = view.peer(slot);
                            int other = peer == NONE ? NONE : index[view.owner(peer)];
                            if (other != NONE && links[other] == UNKNOWN) {
                                links[other] = (short) (links[index[at]] + 1);
                                next.add(view.owner(peer));
                            }
                        }
                    }
                    return links;
                });
    }

    private int nearer(int vertex, short[] links) {
        for (int slot = view.firstSlot(vertex); slot < view.endSlot(vertex); slot++) {
            int peer = view.peer(slot);
            int other = peer == NONE ? NONE : index[view.owner(peer)];
            if (other != NONE && links[other] == links[index[vertex]] - 1) {
                return view.port(slot);
            }
        }
        return 0;
    }

    private void groups(int vertex, Formatter out) {
        boolean isFirst = true;
        for (Map.Entry<Integer, BitSet> group : groups.groups(vertex).entrySet()) {
            if (isFirst) {
                out.format("%nSwitch 0x%016x%nLID    : Out Port(s)%n", view.guid(vertex));
            }
            isFirst = false;
            out.format("0x%04X :", FIRST_GROUP + group.getKey());
            for (int port : group.getValue().stream().toArray()) {
                out.format(" 0x%03X ", port);
            }
            out.format("%n");
        }
    }

    private void links(int vertex, Formatter out) {
        for (int slot = view.firstSlot(vertex); slot < view.endSlot(vertex); slot++) {
            int peer = view.peer(slot);
            if (peer != NONE) {
                MemorySegment info = view.portInfo(slot);
                out.format("{ %s } { %s } ", end(slot, 6), end(peer, 8));
                out.format("PHY=%s LOG=%s SPD=%s%n", width(info), state(info), speed(info));
            }
        }
    }

    /// @param vendorDigits of the vendor's number, which differ between both ends
    private String end(int slot, int vendorDigits) {
        int vertex = view.owner(slot);
        MemorySegment node = view.nodeInfo(vertex);
        String kind =
                switch (type(vertex)) {
                    case NodeInfo.SWITCH -> "SW";
                    case NodeInfo.ROUTER -> "RT";
                    default -> "CA";
                };
        int capabilities =
                PortInfo.CAPABILITY_MASK.readInt(view.portInfo(view.firstSlot(vertex)), 0);
        String vendor = "0".repeat(8) + Integer.toHexString(NodeInfo.VENDOR_ID.readInt(node, 0));
        return String.format(
                Locale.ROOT,
                "%s%s Ports:%02X SystemGUID:%016X NodeGUID:%016X PortGUID:%016X VenID:%s DevID:%04X"
                        + " Rev:%08X {%s} LID:%04X PN:%02X",
                kind,
                (capabilities & PortCapability.IS_SM) != 0 ? "-SM" : "",
                NodeInfo.NUM_PORTS.readInt(node, 0),
                NodeInfo.SYSTEM_IMAGE_GUID.read(node, 0),
                NodeInfo.NODE_GUID.read(node, 0),
                view.guid(vertex),
                vendor.substring(vendor.length() - vendorDigits).toUpperCase(Locale.ROOT),
                NodeInfo.DEVICE_ID.readInt(node, 0),
                NodeInfo.REVISION.readInt(node, 0),
                name(vertex),
                view.lid(vertex),
                view.port(slot));
    }

    private static String width(MemorySegment info) {
        return switch (PortInfo.LINK_WIDTH_ACTIVE.readInt(info, 0)) {
            case 1 -> "1x";
            case 2 -> "4x";
            case 4 -> "8x";
            case 8 -> "12x";
            case 16 -> "2x";
            default -> "???";
        };
    }

    private static String state(MemorySegment info) {
        return switch (PortInfo.PORT_STATE.readInt(info, 0)) {
            case 1 -> "DWN";
            case 2 -> "INI";
            case 3 -> "ARM";
            case 4 -> "ACT";
            default -> "???";
        };
    }

    private static String speed(MemorySegment info) {
        return switch (PortInfo.LINK_SPEED_EXT_ACTIVE.readInt(info, 0)) {
            case 1 -> "14";
            case 2 -> "25";
            case 4 -> "50";
            case 8 -> "100";
            default ->
                    switch (PortInfo.LINK_SPEED_ACTIVE.readInt(info, 0)) {
                        case 1 -> "2.5";
                        case 2 -> "5";
                        case 4 -> "10";
                        default -> "???";
                    };
        };
    }
}
