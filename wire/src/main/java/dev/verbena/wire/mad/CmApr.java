package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Alternate path response (IBA 12.8.2): whether the path that a LAP offered is loaded.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 8 | additional information length, in bytes |
/// | 9 | 8 | status, 0 when the path is loaded |
/// | 10 | 16 | reserved |
/// | 12 | 72 bytes | additional information |
/// | 84 | 148 bytes | private data |
public record CmApr(
        int localCommunicationId,
        int remoteCommunicationId,
        int infoLength,
        int status,
        Payload info,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x1A;
    public static final int INFO_LENGTH_MAX = 72;
    public static final int PRIVATE_DATA_LENGTH = 148;

    private static final int INFO_LENGTH = Mad.LENGTH + 8;
    private static final int STATUS = Mad.LENGTH + 9;
    private static final int RESERVED = Mad.LENGTH + 10;
    private static final int INFO = Mad.LENGTH + 12;
    private static final int PRIVATE_DATA = Mad.LENGTH + 84;

    public CmApr {
        // The field can say more than there is room for, and a peer may; only the bits are checked.
        WireException.requireBits("apr info length", infoLength, 8);
        WireException.requireBits("apr status", status, 8);
        info = info.filled("apr info", INFO_LENGTH_MAX);
        privateData = privateData.filled("apr private data", PRIVATE_DATA_LENGTH);
    }

    public static CmApr parse(MemorySegment segment, long at) {
        return new CmApr(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                BigEndian.u8(segment, at + INFO_LENGTH),
                BigEndian.u8(segment, at + STATUS),
                Payload.parse(segment, at + INFO, INFO_LENGTH_MAX),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        BigEndian.put8(segment, at + INFO_LENGTH, infoLength);
        BigEndian.put8(segment, at + STATUS, status);
        BigEndian.put16(segment, at + RESERVED, 0);
        info.emit(segment, at + INFO);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
