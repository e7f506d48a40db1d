package dev.verbena.subnet;

import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.function.IntUnaryOperator;

/// Gives nodes LIDs as an earlier manager may have done.
final class PlainManagerLids {
    private PlainManagerLids() {}

    /// Each node gets a LID of its own.
    static void set(Lab lab, int first) {
        write(lab, node -> first + node);
    }

    /// All nodes get the same LID.
    static void setAll(Lab lab, int lid) {
        write(lab, _ -> lid);
    }

    /// One node gets a LID.
    static void one(Lab lab, int node, int lid) {
        int[] path = path(new Walk(lab), lab.plane, node);
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        int port = node < lab.plane.hosts() ? 1 : 0;
        Mad header =
                new Mad(
                        ManagementClass.SUBNET_DIRECTED_ROUTE,
                        1,
                        MadMethod.SET,
                        0,
                        0,
                        1,
                        PortInfo.ATTRIBUTE_ID,
                        port);
        Smp.request(mad, 0, header, 0);
        Smp.route(mad, 0, path);
        PortInfo.LID.write(mad, Smp.DATA, lid);
        PortInfo.NEIGHBOR_MTU.write(mad, Smp.DATA, 5);
        PortInfo.OPERATIONAL_VLS.write(mad, Smp.DATA, 1);
        // Its answer goes to the manager, which has not asked.
        ManagementPort from = lab.port;
        from.send(MadEnvelope.DIRECTED, mad);
    }

    private static void write(Lab lab, IntUnaryOperator lids) {
        for (int node = 0; node < lab.plane.nodes(); node++) {
            one(lab, node, lids.applyAsInt(node));
        }
    }

    private static int[] path(Walk walk, PlainPlane plane, int to) {
        int[] back = walk.distances(0);
        int[] path = new int[back[to]];
        int at = to;
        for (int hop = path.length - 1; hop >= 0; hop--) {
            for (int port = 1; port <= plane.ports(at); port++) {
                int next = plane.peer(at, port);
                if (next >= 0 && back[next] == hop && (hop == 0 || next >= plane.hosts())) {
                    path[hop] = plane.peerPort(at, port);
                    at = next;
                    break;
                }
            }
        }
        return path;
    }
}
