package dev.verbena.cli;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// A device in the look of `ibv_devinfo`: the same names, tabs and codes, as far as there is such a
/// thing in software.
final class DevinfoText {
    private static final int PORT = 1;

    private DevinfoText() {}

    static void print(Device device, boolean isVerbose, PrintWriter out) {
        out.print("hca_id:\t" + device.name() + "\n");
        out.print("\ttransport:\t\t\tInfiniBand (0)\n");
        out.print("\tphys_port_cnt:\t\t\t1\n");
        if (isVerbose) {
            if (!device.description().isEmpty()) {
                device(out, "description:\t\t\t", device.description());
            }
            limits(device.limits(), device.partitionKeys(PORT).size(), out);
        }
        PortAttributes port = device.port(PORT);
        out.print("\t\tport:\t" + port.number() + "\n");
        port(out, "state:\t\t\t", state(port.state()) + " (" + port.state().code() + ")");
        port(out, "max_mtu:\t\t", mtu(port.maxMtu()));
        port(out, "active_mtu:\t\t", mtu(port.activeMtu()));
        port(out, "sm_lid:\t\t\t", "0");
        port(out, "port_lid:\t\t", Integer.toString(port.lid()));
        port(out, "port_lmc:\t\t", "0x00");
        port(out, "link_layer:\t\t", linkLayer(port.linkLayer()));
        if (isVerbose) {
            details(device, port, out);
        }
        out.print("\n");
    }

    private static void limits(DeviceLimits limits, int partitionKeys, PrintWriter out) {
        device(out, "max_mr_size:\t\t\t", "0x" + Long.toHexString(limits.regionBytes()));
        device(out, "max_qp:\t\t\t\t", limits.queuePairs());
        device(out, "max_qp_wr:\t\t\t", limits.workRequests());
        device(out, "max_sge:\t\t\t", limits.scatterGather());
        device(out, "max_cq:\t\t\t\t", limits.completionQueues());
        device(out, "max_cqe:\t\t\t", limits.completions());
        device(out, "max_mr:\t\t\t\t", limits.memoryRegions());
        device(out, "max_qp_rd_atom:\t\t\t", limits.readsAsResponder());
        device(out, "max_qp_init_rd_atom:\t\t", limits.readsAsInitiator());
        device(out, "atomic_cap:\t\t\t", "ATOMIC_GLOB (2)");
        device(out, "max_mw:\t\t\t\t", limits.memoryWindows());
        device(out, "max_mcast_grp:\t\t\t", limits.multicastGroups());
        device(out, "max_mcast_qp_attach:\t\t", limits.multicastAttachments());
        device(out, "max_ah:\t\t\t\t", limits.addressHandles());
        device(out, "max_srq:\t\t\t", limits.sharedReceiveQueues());
        device(out, "max_srq_wr:\t\t\t", limits.workRequests());
        device(out, "max_srq_sge:\t\t\t", limits.scatterGather());
        device(out, "max_pkeys:\t\t\t", partitionKeys);
    }

    private static void details(Device device, PortAttributes port, PrintWriter out) {
        List<Gid> gids = device.gids(PORT);
        port(out, "max_msg_sz:\t\t", "0x" + Long.toHexString(device.limits().messageBytes()));
        port(out, "pkey_tbl_len:\t\t", Integer.toString(device.partitionKeys(PORT).size()));
        port(out, "gid_tbl_len:\t\t", Integer.toString(gids.size()));
        port(
                out,
                "active_speed:\t\t",
                port.bitsPerSecond() == 0
                        ? "unknown"
                        : String.format(Locale.ROOT, "%.1f Gbps", port.bitsPerSecond() / 1e9));
        for (int i = 0; i < gids.size(); i++) {
            String kind = port.linkLayer() == LinkLayer.ETHERNET ? ", RoCE v2" : "";
            port(out, "GID[%3d]:\t\t".formatted(i), groups(gids.get(i)) + kind);
        }
    }

    private static void device(PrintWriter out, String name, Object value) {
        out.print("\t" + name + value + "\n");
    }

    private static void port(PrintWriter out, String name, String value) {
        out.print("\t\t\t" + name + value + "\n");
    }

    static String state(PortState state) {
        return switch (state) {
            case DOWN -> "PORT_DOWN";
            case INITIALIZE -> "PORT_INIT";
            case ARMED -> "PORT_ARMED";
            case ACTIVE -> "PORT_ACTIVE";
            case ACTIVE_DEFER -> "PORT_ACTIVE_DEFER";
        };
    }

    static String linkLayer(LinkLayer layer) {
        return layer == LinkLayer.ETHERNET ? "Ethernet" : "InfiniBand";
    }

    /// Bytes, and the code of libibverbs' `ibv_mtu`: 256 is 1, each doubling one more.
    private static String mtu(int bytes) {
        return bytes + " (" + (Integer.numberOfTrailingZeros(bytes) - 7) + ")";
    }

    /// A GID as `ibv_devinfo` prints it: an IPv4 address behind `::ffff:`, else eight groups.
    private static String groups(Gid gid) {
        if (gid.isIpv4()) {
            return "::ffff:" + gid;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? gid.high() : gid.low();
            text.append(i == 0 ? "" : ":")
                    .append("%04x".formatted(half >>> (48 - 16 * (i % 4)) & 0xFFFF));
        }
        return text.toString();
    }
}
