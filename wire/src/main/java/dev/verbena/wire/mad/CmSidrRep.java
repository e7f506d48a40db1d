package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Service ID resolution response (IBA 12.11.2): the datagram queue pair of a service, or why none.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | request ID |
/// | 4 | 8 | status, a [SidrStatus] |
/// | 5 | 8 | additional information length, in bytes |
/// | 6 | 16 | vendor ID, high bits |
/// | 8 | 24 | QPN |
/// | 11 | 8 | vendor ID, low bits |
/// | 12 | 64 | service ID |
/// | 20 | 32 | Q_Key |
/// | 24 | 72 bytes | additional information |
/// | 96 | 136 bytes | private data |
public record CmSidrRep(
        int requestId,
        SidrStatus status,
        int infoLength,
        int vendorId,
        int qpn,
        long serviceId,
        int qkey,
        Payload info,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x18;
    public static final int INFO_LENGTH_MAX = 72;
    public static final int PRIVATE_DATA_LENGTH = 136;

    private static final int REQUEST_ID = Mad.LENGTH;
    private static final int STATUS = Mad.LENGTH + 4;
    private static final int INFO_LENGTH = Mad.LENGTH + 5;
    private static final int VENDOR_ID_HIGH = Mad.LENGTH + 6;
    private static final int QPN = Mad.LENGTH + 8;
    private static final int VENDOR_ID_LOW = Mad.LENGTH + 11;
    private static final int SERVICE_ID = Mad.LENGTH + 12;
    private static final int QKEY = Mad.LENGTH + 20;
    private static final int INFO = Mad.LENGTH + 24;
    private static final int PRIVATE_DATA = Mad.LENGTH + 96;

    public CmSidrRep {
        // The field can say more than there is room for, and a peer may; only the bits are checked.
        WireException.requireBits("sidr_rep info length", infoLength, 8);
        WireException.requireBits("sidr_rep vendor id", vendorId, 24);
        WireException.requireBits("sidr_rep qpn", qpn, 24);
        info = info.filled("sidr_rep info", INFO_LENGTH_MAX);
        privateData = privateData.filled("sidr_rep private data", PRIVATE_DATA_LENGTH);
    }

    public static int requestId(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + REQUEST_ID);
    }

    /// The bare code of a [SidrStatus].
    public static int status(MemorySegment segment, long at) {
        return BigEndian.u8(segment, at + STATUS);
    }

    public static CmSidrRep parse(MemorySegment segment, long at) {
        return new CmSidrRep(
                requestId(segment, at),
                new SidrStatus(status(segment, at)),
                BigEndian.u8(segment, at + INFO_LENGTH),
                (BigEndian.u16(segment, at + VENDOR_ID_HIGH) << 8)
                        | BigEndian.u8(segment, at + VENDOR_ID_LOW),
                BigEndian.u24(segment, at + QPN),
                BigEndian.i64(segment, at + SERVICE_ID),
                BigEndian.i32(segment, at + QKEY),
                Payload.parse(segment, at + INFO, INFO_LENGTH_MAX),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        BigEndian.put32(segment, at + REQUEST_ID, requestId);
        BigEndian.put8(segment, at + STATUS, status.code());
        BigEndian.put8(segment, at + INFO_LENGTH, infoLength);
        BigEndian.put16(segment, at + VENDOR_ID_HIGH, vendorId >>> 8);
        BigEndian.put24(segment, at + QPN, qpn);
        BigEndian.put8(segment, at + VENDOR_ID_LOW, vendorId);
        BigEndian.put64(segment, at + SERVICE_ID, serviceId);
        BigEndian.put32(segment, at + QKEY, qkey);
        info.emit(segment, at + INFO);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
