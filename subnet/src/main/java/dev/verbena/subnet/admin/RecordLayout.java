package dev.verbena.subnet.admin;

import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.LinkRecord;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SwitchInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which bits of a record each bit of a component mask means (IBA 15.2.5).
final class RecordLayout {
    static final RecordLayout NODE =
            new RecordLayout(SaRecord.NODE)
                    .bits(0, 16)
                    .bits(16, 16)
                    .fields(32, NodeInfo.values())
                    .bits(SaRecord.NODE_DESCRIPTION * 8, 512);

    /// Up to GUIDCap: the numbers of those behind it differ between revisions.
    static final RecordLayout PORT_INFO =
            new RecordLayout(SaRecord.PORT_INFO)
                    .bits(0, 16)
                    .bits(16, 8)
                    .bits(24, 8)
                    .fields(
                            32,
                            PortInfo.M_KEY,
                            PortInfo.GID_PREFIX,
                            PortInfo.LID,
                            PortInfo.MASTER_SM_LID,
                            PortInfo.CAPABILITY_MASK,
                            PortInfo.DIAG_CODE,
                            PortInfo.M_KEY_LEASE_PERIOD,
                            PortInfo.LOCAL_PORT_NUM,
                            PortInfo.LINK_WIDTH_ENABLED,
                            PortInfo.LINK_WIDTH_SUPPORTED,
                            PortInfo.LINK_WIDTH_ACTIVE,
                            PortInfo.LINK_SPEED_SUPPORTED,
                            PortInfo.PORT_STATE,
                            PortInfo.PORT_PHYSICAL_STATE,
                            PortInfo.LINK_DOWN_DEFAULT_STATE,
                            PortInfo.M_KEY_PROTECT_BITS)
                    .bits((4 + 34) * 8 + 2, 3)
                    .fields(
                            32,
                            PortInfo.LMC,
                            PortInfo.LINK_SPEED_ACTIVE,
                            PortInfo.LINK_SPEED_ENABLED,
                            PortInfo.NEIGHBOR_MTU,
                            PortInfo.MASTER_SM_SL,
                            PortInfo.VL_CAP,
                            PortInfo.INIT_TYPE,
                            PortInfo.VL_HIGH_LIMIT,
                            PortInfo.VL_ARBITRATION_HIGH_CAP,
                            PortInfo.VL_ARBITRATION_LOW_CAP,
                            PortInfo.INIT_TYPE_REPLY,
                            PortInfo.MTU_CAP,
                            PortInfo.VL_STALL_COUNT,
                            PortInfo.HOQ_LIFE,
                            PortInfo.OPERATIONAL_VLS,
                            PortInfo.PARTITION_ENFORCEMENT_INBOUND,
                            PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
                            PortInfo.FILTER_RAW_INBOUND,
                            PortInfo.FILTER_RAW_OUTBOUND,
                            PortInfo.M_KEY_VIOLATIONS,
                            PortInfo.P_KEY_VIOLATIONS,
                            PortInfo.Q_KEY_VIOLATIONS,
                            PortInfo.GUID_CAP);

    static final RecordLayout SWITCH_INFO =
            new RecordLayout(SaRecord.SWITCH_INFO)
                    .bits(0, 16)
                    .bits(16, 16)
                    .fields(
                            32,
                            SwitchInfo.LINEAR_FDB_CAP,
                            SwitchInfo.RANDOM_FDB_CAP,
                            SwitchInfo.MULTICAST_FDB_CAP,
                            SwitchInfo.LINEAR_FDB_TOP,
                            SwitchInfo.DEFAULT_PORT,
                            SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT,
                            SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT);

    static final RecordLayout LINK = new RecordLayout(SaRecord.LINK).fields(0, LinkRecord.values());

    static final RecordLayout SERVICE =
            new RecordLayout(SaRecord.SERVICE)
                    .bits(0, 64)
                    .bits(64, 128)
                    .bits(192, 16)
                    .bits(208, 16)
                    .bits(224, 32)
                    .bits(256, 128)
                    .bits(384, 512)
                    .repeated(896, 8, 16)
                    .repeated(1024, 16, 8)
                    .repeated(1152, 32, 4)
                    .repeated(1280, 64, 2);

    static final RecordLayout INFORM_INFO =
            new RecordLayout(SaRecord.INFORM_INFO_RECORD)
                    .bits(0, 128)
                    .bits(128, 16)
                    .bits(144, 48)
                    .bits(192, 128)
                    .fields(192, InformInfo.LID_RANGE_BEGIN, InformInfo.LID_RANGE_END);

    static final RecordLayout PATH =
            new RecordLayout(SaRecord.PATH)
                    .ignored(2)
                    .bits(64, 128)
                    .bits(192, 128)
                    .fields(0, PathRecord.DLID, PathRecord.SLID, PathRecord.RAW_TRAFFIC)
                    // What follows is not compared bit by bit: Paths does it.
                    .ignored(17);

    static final RecordLayout MULTICAST_MEMBER =
            new RecordLayout(SaRecord.MULTICAST_MEMBER)
                    .bits(0, 128)
                    .bits(128, 128)
                    .fields(0, McMemberRecord.QKEY, McMemberRecord.MLID)
                    // A selector and its value belong together: Members compares them.
                    .ignored(2)
                    .fields(0, McMemberRecord.TRAFFIC_CLASS, McMemberRecord.PKEY)
                    .ignored(4)
                    .fields(
                            0,
                            McMemberRecord.SL,
                            McMemberRecord.FLOW_LABEL,
                            McMemberRecord.HOP_LIMIT,
                            McMemberRecord.SCOPE,
                            McMemberRecord.JOIN_STATE,
                            McMemberRecord.PROXY_JOIN);

    /// Bits of a record: where they begin, and how many there are; 0: they are not compared.
    private record Bits(int first, int count) {}

    private final SaRecord record;
    private final List<Bits> components = new ArrayList<>();

    private RecordLayout(SaRecord record) {
        this.record = record;
    }

    private RecordLayout bits(int first, int count) {
        components.add(new Bits(first, count));
        return this;
    }

    private RecordLayout fields(int offset, MadField... fields) {
        for (MadField field : fields) {
            bits(offset + field.bit(), field.width());
        }
        return this;
    }

    private RecordLayout repeated(int first, int width, int count) {
        for (int i = 0; i < count; i++) {
            bits(first + i * width, width);
        }
        return this;
    }

    private RecordLayout ignored(int count) {
        return repeated(0, 0, count);
    }

    /// The layout of the records of an attribute, if there is a table of them.
    static Optional<RecordLayout> of(int attributeId) {
        return Stream.of(
                        NODE,
                        PORT_INFO,
                        SWITCH_INFO,
                        LINK,
                        SERVICE,
                        INFORM_INFO,
                        PATH,
                        MULTICAST_MEMBER)
                .filter(it -> it.record.attributeId() == attributeId)
                .findFirst();
    }

    SaRecord record() {
        return record;
    }

    /// Whether a mask has no bit without a component.
    boolean admits(long mask) {
        return mask >>> components.size() == 0;
    }

    /// The bits that a mask asks to compare, in the bytes of a record.
    byte[] compared(long mask) {
        byte[] bytes = new byte[record.bytes()];
        for (int i = 0; i < components.size(); i++) {
            if ((mask >>> i & 1) != 0) {
                Bits bits = components.get(i);
                for (int bit = bits.first; bit < bits.first + bits.count; bit++) {
                    bytes[bit >> 3] |= (byte) (0x80 >> (bit & 7));
                }
            }
        }
        return bytes;
    }
}
