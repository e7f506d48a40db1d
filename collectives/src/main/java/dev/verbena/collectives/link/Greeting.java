package dev.verbena.collectives.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The private data of a connection between ranks: which link it is, and where its memory is.
///
/// @param communicator the same number at all ranks of a communicator
/// @param rank of the sender
/// @param shortBytes size of each of the `slots`
/// @param slotAddress of the first slot for short messages
/// @param grantAddress of the table for grants
record Greeting(
        long communicator,
        int rank,
        int lane,
        int shortBytes,
        int slots,
        int grants,
        long slotAddress,
        int slotKey,
        long grantAddress,
        int grantKey) {
    static final int LENGTH = 54;
    private static final int MAGIC = 0x5642_4331; // "VBC1"

    byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .putInt(MAGIC)
                .putLong(communicator)
                .putInt(rank)
                .putShort((short) lane)
                .putInt(shortBytes)
                .putInt(slots << 16 | grants)
                .putLong(slotAddress)
                .putInt(slotKey)
                .putLong(grantAddress)
                .putInt(grantKey)
                .putInt(0)
                .array();
    }

    /// Reads what a peer has sent; null when it is no greeting.
    static @Nullable Greeting of(byte[] bytes) {
        if (bytes.length < LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != MAGIC) {
            return null;
        }
        long communicator = in.getLong();
        int rank = in.getInt();
        int lane = in.getShort();
        int shortBytes = in.getInt();
        int counts = in.getInt();
        return new Greeting(
                communicator,
                rank,
                lane,
                shortBytes,
                counts >>> 16,
                counts & 0xFFFF,
                in.getLong(),
                in.getInt(),
                in.getLong(),
                in.getInt());
    }

    /// Whether both sides have the same sizes.
    boolean fits(LinkSettings settings) {
        return shortBytes == settings.shortBytes()
                && slots == settings.slots()
                && grants == settings.grants();
    }
}
