package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Reject (IBA 12.6.7): the sender will not connect, or gives an attempt up.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID; 0 when a REQ is refused before one was chosen |
/// | 4 | 32 | remote communication ID |
/// | 8 | 2 | message rejected: 0 REQ, 1 REP, 2 none |
/// | 8 | 6 | reserved |
/// | 9 | 7 | reject info length, in bytes |
/// | 9 | 1 | reserved |
/// | 10 | 16 | reason, a [RejectReason] |
/// | 12 | 72 bytes | additional reject information; with a timeout, the sender's CA GUID |
/// | 84 | 148 bytes | private data |
public record CmRej(
        int localCommunicationId,
        int remoteCommunicationId,
        int messageRejected,
        int infoLength,
        RejectReason reason,
        Payload info,
        Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x12;
    public static final int INFO_LENGTH_MAX = 72;
    public static final int PRIVATE_DATA_LENGTH = 148;

    private static final int MESSAGE = Mad.LENGTH + 8;
    private static final int INFO_LENGTH = Mad.LENGTH + 9;
    private static final int REASON = Mad.LENGTH + 10;
    private static final int INFO = Mad.LENGTH + 12;
    private static final int PRIVATE_DATA = Mad.LENGTH + 84;

    public CmRej {
        WireException.requireBits("rej message rejected", messageRejected, 2);
        // The field can say more than there is room for, and a peer may; only the bits are checked.
        WireException.requireBits("rej info length", infoLength, 7);
        info = info.filled("rej info", INFO_LENGTH_MAX);
        privateData = privateData.filled("rej private data", PRIVATE_DATA_LENGTH);
    }

    /// The bare code of a [RejectReason].
    public static int reason(MemorySegment segment, long at) {
        return BigEndian.u16(segment, at + REASON);
    }

    public static CmRej parse(MemorySegment segment, long at) {
        return new CmRej(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                BigEndian.u8(segment, at + MESSAGE) >>> 6,
                BigEndian.u8(segment, at + INFO_LENGTH) >>> 1,
                new RejectReason(reason(segment, at)),
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
        BigEndian.put8(segment, at + MESSAGE, messageRejected << 6);
        BigEndian.put8(segment, at + INFO_LENGTH, infoLength << 1);
        BigEndian.put16(segment, at + REASON, reason.code());
        info.emit(segment, at + INFO);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
