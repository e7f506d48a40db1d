package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// Disconnect request (IBA 12.6.10): the sender wants to let go of the connection.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 24 | remote QPN or EECN: the receiver's own, which it compares |
/// | 11 | 8 | reserved |
/// | 12 | 220 bytes | private data |
public record CmDreq(
        int localCommunicationId, int remoteCommunicationId, int remoteQpn, Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x15;
    public static final int PRIVATE_DATA_LENGTH = 220;

    private static final int REMOTE_QPN = Mad.LENGTH + 8;
    private static final int PRIVATE_DATA = Mad.LENGTH + 12;

    public CmDreq {
        WireException.requireBits("dreq remote qpn", remoteQpn, 24);
        privateData = privateData.filled("dreq private data", PRIVATE_DATA_LENGTH);
    }

    public static int remoteQpn(MemorySegment segment, long at) {
        return BigEndian.u24(segment, at + REMOTE_QPN);
    }

    public static CmDreq parse(MemorySegment segment, long at) {
        return new CmDreq(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                remoteQpn(segment, at),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        BigEndian.put32(segment, at + REMOTE_QPN, remoteQpn << 8);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
