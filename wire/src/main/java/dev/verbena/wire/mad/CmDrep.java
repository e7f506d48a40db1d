package dev.verbena.wire.mad;

import dev.verbena.wire.Payload;
import java.lang.foreign.MemorySegment;

/// Disconnect reply (IBA 12.6.11): the other side has let go of the connection as well.
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 32 | local communication ID |
/// | 4 | 32 | remote communication ID |
/// | 8 | 224 bytes | private data |
public record CmDrep(int localCommunicationId, int remoteCommunicationId, Payload privateData)
        implements CmMessage {
    public static final int ATTRIBUTE_ID = 0x16;
    public static final int PRIVATE_DATA_LENGTH = 224;

    private static final int PRIVATE_DATA = Mad.LENGTH + 8;

    public CmDrep {
        privateData = privateData.filled("drep private data", PRIVATE_DATA_LENGTH);
    }

    public static CmDrep parse(MemorySegment segment, long at) {
        return new CmDrep(
                CmIds.local(segment, at),
                CmIds.remote(segment, at),
                Payload.parse(segment, at + PRIVATE_DATA, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public void emit(MemorySegment segment, long at) {
        CmIds.emit(segment, at, localCommunicationId, remoteCommunicationId);
        privateData.emit(segment, at + PRIVATE_DATA);
    }
}
