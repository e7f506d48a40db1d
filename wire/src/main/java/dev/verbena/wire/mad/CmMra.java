package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Message receipt acknowledgment (IBA 12.6.6): the answer will take longer than the peer waits.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 2 | message acknowledged: 0 REQ, 1 REP, 2 LAP |
/// | 8 | 6 | reserved |
/// | 9 | 5 | service timeout, a [CmTimeout] |
/// | 9 | 3 | reserved |
/// | 10 | 222 bytes | private data |
public record CmMra(
        int localCommunicationId,
        int remoteCommunicationId,
        int messageAcknowledged,
        int serviceTimeout,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x11;
    public static final int PRIVATE_DATA_LENGTH = 222;

    private static final int MESSAGE = Mad.LENGTH + 8;
    private static final int SERVICE_TIMEOUT = Mad.LENGTH + 9;
    private static final int PRIVATE_DATA = Mad.LENGTH + 10;

    public CmMra {
        WireException.requireBits("mra message acknowledged", messageAcknowledged, 2);
        WireException.requireBits("mra service timeout", serviceTimeout, 5);
        privateData = privateData.filled("mra private data", PRIVATE_DATA_LENGTH);
    }

    public static CmMra parse(MemorySegment segment, long at) {
        return new CmMra(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                BigEndian.u8(segment, at + MESSAGE) >>> 6,
                BigEndian.u8(segment, at + SERVICE_TIMEOUT) >>> 3,
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        BigEndian.put8(segment, at + MESSAGE, messageAcknowledged << 6);
        BigEndian.put8(segment, at + SERVICE_TIMEOUT, serviceTimeout << 3);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
