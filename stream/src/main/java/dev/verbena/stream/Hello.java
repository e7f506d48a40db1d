package dev.verbena.stream;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.RemoteSlice;
import java.net.ProtocolException;
import java.nio.ByteBuffer;

/// What each side tells the other when it connects, 40 bytes of private data, big-endian.
///
/// @param bigEndian the byte order of the entries that this side reads from its list of targets
/// @param credits data messages that the other side may send at first
/// @param targets list in which the other side publishes parts of its ring
/// @param data the first part of the ring
record Hello(boolean bigEndian, int credits, RemoteSlice targets, RemoteSlice data) {
    static final int LENGTH = 40;

    private static final int VERSION = 1;
    private static final int BIG_ENDIAN = 1;
    private static final int RESERVED_BYTES = 4;
    private static final int TARGETS_MAX = 255;

    byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH);
        out.put((byte) VERSION).put((byte) (bigEndian ? BIG_ENDIAN : 0)).putShort((short) credits);
        out.position(out.position() + RESERVED_BYTES);
        put(out, targets, (int) targets.length() / Targets.ENTRY);
        put(out, data, (int) data.length());
        return out.array();
    }

    private static void put(ByteBuffer out, RemoteSlice slice, int length) {
        out.putLong(slice.address()).putInt(slice.key()).putInt(length);
    }

    /// Reads it from private data, which may have zeros behind it.
    static Hello parse(byte[] bytes) throws ProtocolException {
        if (bytes.length < LENGTH) {
            throw new ProtocolException(
                    "the peer sent %d bytes of private data, rsocket has %d"
                            .formatted(bytes.length, LENGTH));
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int version = in.get();
        if (version != VERSION) {
            throw new ProtocolException(
                    "the peer speaks version %d of rsocket's protocol, this side %d"
                            .formatted(version, VERSION));
        }
        boolean bigEndian = (in.get() & BIG_ENDIAN) != 0;
        int credits = Short.toUnsignedInt(in.getShort());
        in.position(in.position() + RESERVED_BYTES);
        RemoteSlice targets = slice(in, Targets.ENTRY);
        RemoteSlice data = slice(in, 1);
        long count = targets.length() / Targets.ENTRY;
        if (count < Targets.COUNT || count > TARGETS_MAX || credits == 0) {
            throw new ProtocolException(
                    "the peer has %d targets and gives %d credits; %d to %d targets and 1 credit"
                                    .formatted(count, credits, Targets.COUNT, TARGETS_MAX)
                            + " are needed");
        }
        return new Hello(bigEndian, credits, targets, data);
    }

    private static RemoteSlice slice(ByteBuffer in, int unit) throws ProtocolException {
        long address = in.getLong();
        int key = in.getInt();
        long length = Integer.toUnsignedLong(in.getInt()) * unit;
        try {
            return new RemoteSlice(address, length, key);
        } catch (InvalidRequestException impossible) {
            throw (ProtocolException)
                    new ProtocolException("the peer names memory that cannot be")
                            .initCause(impossible);
        }
    }
}
