package dev.verbena.wire.mad;

import java.util.Arrays;
import java.util.Optional;

/// The records of subnet administration (IBA 15.2.5): each has a number, a length, and for those
/// that repeat an attribute of subnet management, the place where that begins. What stands before
/// it names the port or block.
public enum SaRecord {
    CLASS_PORT_INFO(0x01, ClassPortInfo.LENGTH, 0),
    NOTICE(0x02, 80, 0),
    INFORM_INFO(0x03, 40, 0),
    NODE(0x11, 112, 4),
    PORT_INFO(0x12, 72, 4),
    SL_TO_VL(0x13, 16, 8),
    SWITCH_INFO(0x14, 24, 4),
    LINEAR_FORWARDING(0x15, 72, 8),
    MULTICAST_FORWARDING(0x17, 72, 8),
    SM_INFO(0x18, 32, 4),
    LINK(0x20, LinkRecord.LENGTH, 0),
    GUID_INFO(0x30, 72, 8),
    SERVICE(0x31, ServiceRecord.LENGTH, 0),
    PKEY_TABLE(0x33, 72, 8),
    PATH(0x35, PathRecord.LENGTH, 0),
    VL_ARBITRATION(0x36, 72, 8),
    MULTICAST_MEMBER(0x38, 56, 0),
    INFORM_INFO_RECORD(0xF3, 64, 24);

    /// Where a [#NODE] record has the node's description.
    public static final int NODE_DESCRIPTION = 44;

    private final int attributeId;
    private final int bytes;
    private final int attributeAt;

    SaRecord(int attributeId, int bytes, int attributeAt) {
        this.attributeId = attributeId;
        this.bytes = bytes;
        this.attributeAt = attributeAt;
    }

    public int attributeId() {
        return attributeId;
    }

    /// Length of a record in an answer of several: a multiple of 8, which the last field may not
    /// fill.
    public int bytes() {
        return bytes;
    }

    /// Where the attribute begins within the record.
    public int attributeAt() {
        return attributeAt;
    }

    public static Optional<SaRecord> of(int attributeId) {
        return Arrays.stream(values()).filter(it -> it.attributeId == attributeId).findFirst();
    }
}
