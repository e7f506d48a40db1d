package dev.verbena.cli;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.LinkRecord;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// Tables of subnet administration as text of 80 columns.
enum SaTable {
    NODES(SaRecord.NODE, "  LID  type    ports  node GUID           description") {
        @Override
        String line(MemorySegment it) {
            int at = SaRecord.NODE.attributeAt();
            return String.format(
                    Locale.ROOT,
                    "%5d  %-6s  %5d  0x%016x  %s",
                    BigEndian.u16(it, 0),
                    type(NodeInfo.NODE_TYPE.readInt(it, at)),
                    NodeInfo.NUM_PORTS.readInt(it, at),
                    NodeInfo.NODE_GUID.read(it, at),
                    text(it, SaRecord.NODE_DESCRIPTION, DESCRIPTION_LENGTH));
        }
    },
    LINKS(SaRecord.LINK, " from  port     to  port") {
        @Override
        String line(MemorySegment it) {
            return String.format(
                    Locale.ROOT,
                    "%5d  %4d  %5d  %4d",
                    LinkRecord.FROM_LID.readInt(it, 0),
                    LinkRecord.FROM_PORT.readInt(it, 0),
                    LinkRecord.TO_LID.readInt(it, 0),
                    LinkRecord.TO_PORT.readInt(it, 0));
        }
    },
    PATHS(SaRecord.PATH, " from     to   MTU  Gb/s  SL  P_Key") {
        @Override
        String line(MemorySegment it) {
            return String.format(
                    Locale.ROOT,
                    "%5d  %5d  %4s  %4s  %2d  0x%04x",
                    PathRecord.SLID.readInt(it, 0),
                    PathRecord.DLID.readInt(it, 0),
                    mtu(PathRecord.MTU.readInt(it, 0)),
                    rate(PathRecord.RATE.readInt(it, 0)),
                    PathRecord.SL.readInt(it, 0),
                    PathRecord.PKEY.readInt(it, 0));
        }
    },
    GROUPS(SaRecord.MULTICAST_MEMBER, "   LID   MTU  Gb/s  P_Key   Q_Key       group") {
        @Override
        String line(MemorySegment it) {
            return String.format(
                    Locale.ROOT,
                    "0x%04x  %4s  %4s  0x%04x  0x%08x  %s",
                    McMemberRecord.MLID.readInt(it, 0),
                    mtu(McMemberRecord.MTU.readInt(it, 0)),
                    rate(McMemberRecord.RATE.readInt(it, 0)),
                    McMemberRecord.PKEY.readInt(it, 0),
                    McMemberRecord.QKEY.readInt(it, 0),
                    Gid.parse(it, 0));
        }
    },
    SERVICES(SaRecord.SERVICE, "service             seconds     P_Key   port") {
        @Override
        String line(MemorySegment it) {
            return String.format(
                    Locale.ROOT,
                    "0x%016x  %-10d  0x%04x  %s",
                    ServiceRecord.SERVICE_ID.read(it, 0),
                    ServiceRecord.SERVICE_LEASE.read(it, 0),
                    ServiceRecord.SERVICE_PKEY.readInt(it, 0),
                    Gid.parse(it, 8));
        }
    };

    private static final int DESCRIPTION_LENGTH = 64;

    /// IBA 9.7.7 and 14.2.5.6: Gb/s by the numbers of rates, of 2 and higher.
    private static final List<String> RATES =
            List.of(
                    "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168",
                    "25", "100", "200", "300", "28", "50", "400", "600");

    final SaRecord record;
    final String head;

    SaTable(SaRecord record, String head) {
        this.record = record;
        this.head = head;
    }

    abstract String line(MemorySegment it);

    private static String type(int number) {
        return switch (number) {
            case 1 -> "host";
            case NodeInfo.SWITCH -> "switch";
            case 3 -> "router";
            default -> "? " + number;
        };
    }

    private static String mtu(int number) {
        return number >= 1 && number <= 5 ? Integer.toString(128 << number) : "?";
    }

    private static String rate(int number) {
        int index = number - 2;
        return index >= 0 && index < RATES.size() ? RATES.get(index) : "?";
    }

    /// What a node says of itself goes to a terminal: printable characters only.
    private static String text(MemorySegment it, int at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(it, at, MemorySegment.ofArray(bytes), 0, length);
        String all = new String(bytes, StandardCharsets.US_ASCII);
        int end = all.indexOf(0);
        return (end < 0 ? all : all.substring(0, end)).replaceAll("[^ -~]", "?");
    }
}
