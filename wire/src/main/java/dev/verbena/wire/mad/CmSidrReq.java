package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Service ID resolution request (IBA 12.11.1): asks which datagram queue pair serves an ID.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | request ID |
/// | 4 | 16 | P_Key |
/// | 6 | 16 | reserved |
/// | 8 | 64 | service ID |
/// | 16 | 216 bytes | private data |
public record CmSidrReq(int requestId, int pkey, long serviceId, Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x17;
    public static final int PRIVATE_DATA_LENGTH = 216;

    private static final int REQUEST_ID = Mad.LENGTH;
    private static final int PKEY = Mad.LENGTH + 4;
    private static final int RESERVED = Mad.LENGTH + 6;
    private static final int SERVICE_ID = Mad.LENGTH + 8;
    private static final int PRIVATE_DATA = Mad.LENGTH + 16;

    public CmSidrReq {
        WireException.requireBits("sidr_req pkey", pkey, 16);
        privateData = privateData.filled("sidr_req private data", PRIVATE_DATA_LENGTH);
    }

    public static int requestId(MemorySegment segment, long at) {
        return BigEndian.i32(segment, at + REQUEST_ID);
    }

    public static long serviceId(MemorySegment segment, long at) {
        return BigEndian.i64(segment, at + SERVICE_ID);
    }

    public static CmSidrReq parse(MemorySegment segment, long at) {
        return new CmSidrReq(
                requestId(segment, at),
                BigEndian.u16(segment, at + PKEY),
                serviceId(segment, at),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        BigEndian.put32(segment, at + REQUEST_ID, requestId);
        BigEndian.put16(segment, at + PKEY, pkey);
        BigEndian.put16(segment, at + RESERVED, 0);
        BigEndian.put64(segment, at + SERVICE_ID, serviceId);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
