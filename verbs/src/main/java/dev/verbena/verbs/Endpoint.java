package dev.verbena.verbs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/// The values that a peer needs to connect to a queue pair, in a small record. Programs send it
/// over any channel.
///
/// | byte | field |
/// |---|---|
/// | 0 | version, 1 |
/// | 1 | READs and atomics that it answers at a time |
/// | 2-3 | LID |
/// | 4-7 | queue pair number |
/// | 8-11 | first packet sequence number that it sends |
/// | 12-13 | MTU in bytes |
/// | 14-15 | UDP port |
/// | 16-31 | GID |
/// | 32 | type: [QueuePairType#code] |
/// | 33 | what this side offers: bit 0 selective repeat; other bits are ignored |
/// | 34-35 | partition key |
/// | 36-39 | queue key |
///
/// Numbers are big-endian.
///
/// @param type both sides have the same type
/// @param lid local identifier, 0 on Ethernet
/// @param queuePair number, 24 bits
/// @param psn the first sequence number that this side sends, 24 bits
/// @param mtu largest payload of a packet that this side accepts: 256, 512, 1024, 2048 or 4096
/// @param reads READs and atomics that this side answers at a time
/// @param udpPort UDP port of a RoCE v2 endpoint
/// @param partitionKey 16 bits; both sides are in the same partition, at least one as a full member
/// @param queueKey the queue key that datagrams to this side must carry; 0 for connected types
/// @param offers what this side can do beyond the specification, and does if the other can: bits,
///   see [#SELECTIVE_REPEAT]
public record Endpoint(
        QueuePairType type,
        int lid,
        Gid gid,
        int queuePair,
        int psn,
        int mtu,
        int reads,
        int udpPort,
        int partitionKey,
        int queueKey,
        int offers) {
    /// Among [#offers]: repeats only what is lost, and takes packets in any order.
    public static final int SELECTIVE_REPEAT = 1;

    /// Bytes of the serialised form.
    public static final int LENGTH = 40;

    /// The default partition. Every port is a full member of it unless a manager changes that.
    public static final int DEFAULT_PARTITION_KEY = 0xFFFF;

    private static final int VERSION = 1;

    /// The bits of [#offers] that have a meaning; a newer peer may have more.
    private static final int OFFERS = SELECTIVE_REPEAT;

    public Endpoint {
        Require.range("endpoint", "lid", lid, 0, 0xFFFF);
        Require.range("endpoint", "queue pair", queuePair, 0, 0xFF_FFFF);
        Require.range("endpoint", "psn", psn, 0, 0xFF_FFFF);
        Require.mtu("endpoint", "mtu", mtu);
        Require.range("endpoint", "reads", reads, 0, 255);
        Require.range("endpoint", "udp port", udpPort, 1, 0xFFFF);
        Require.range("endpoint", "partition key", partitionKey, 0, 0xFFFF);
        Require.range("endpoint", "offers", offers, 0, OFFERS);
        if (type != QueuePairType.UD && queueKey != 0) {
            throw new InvalidRequestException(
                    "endpoint",
                    "queue key 0x%x on a queue pair of type %s".formatted(queueKey, type),
                    "use 0: only UD queue pairs have a queue key");
        }
    }

    /// An endpoint that offers nothing beyond the specification.
    public Endpoint(
            QueuePairType type,
            int lid,
            Gid gid,
            int queuePair,
            int psn,
            int mtu,
            int reads,
            int udpPort,
            int partitionKey,
            int queueKey) {
        this(type, lid, gid, queuePair, psn, mtu, reads, udpPort, partitionKey, queueKey, 0);
    }

    /// Whether it offers this.
    public boolean offers(int bit) {
        return (offers & bit) != 0;
    }

    /// An endpoint of a reliable connection in the default partition.
    public Endpoint(int lid, Gid gid, int queuePair, int psn, int mtu, int reads, int udpPort) {
        this(
                QueuePairType.RC,
                lid,
                gid,
                queuePair,
                psn,
                mtu,
                reads,
                udpPort,
                DEFAULT_PARTITION_KEY,
                0);
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) VERSION)
                .put((byte) reads)
                .putShort((short) lid)
                .putInt(queuePair)
                .putInt(psn)
                .putShort((short) mtu)
                .putShort((short) udpPort)
                .putLong(gid.high())
                .putLong(gid.low())
                .put((byte) type.code())
                .put((byte) offers)
                .putShort((short) partitionKey)
                .putInt(queueKey)
                .array();
    }

    /// Reads the bytes of [#toBytes].
    ///
    /// @throws InvalidRequestException when the bytes are not an endpoint
    public static Endpoint of(byte[] bytes) {
        if (bytes.length != LENGTH || bytes[0] != VERSION) {
            throw new InvalidRequestException(
                    "endpoint",
                    bytes.length == LENGTH
                            ? "version " + (bytes[0] & 0xFF) + " is not known"
                            : bytes.length + " bytes are not an endpoint",
                    "send the " + LENGTH + " bytes of Endpoint.toBytes()");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        in.get();
        int reads = in.get() & 0xFF;
        int lid = in.getShort() & 0xFFFF;
        int queuePair = in.getInt();
        int psn = in.getInt();
        int mtu = in.getShort() & 0xFFFF;
        int udpPort = in.getShort() & 0xFFFF;
        Gid gid = new Gid(in.getLong(), in.getLong());
        QueuePairType type = type(in.get() & 0xFF);
        int offers = in.get() & OFFERS;
        int partitionKey = in.getShort() & 0xFFFF;
        int queueKey = in.getInt();
        return new Endpoint(
                type,
                lid,
                gid,
                queuePair,
                psn,
                mtu,
                reads,
                udpPort,
                partitionKey,
                queueKey,
                offers);
    }

    private static QueuePairType type(int code) {
        for (QueuePairType type : QueuePairType.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        throw new InvalidRequestException(
                "endpoint",
                "type " + code + " is not known",
                "use a queue pair of " + Arrays.toString(QueuePairType.values()));
    }

    /// The serialised form in hexadecimal, for a command line or a log; [#parse] reads it.
    public String toText() {
        return HexFormat.of().formatHex(toBytes());
    }

    /// Reads the text of [#toText].
    public static Endpoint parse(String text) {
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(text.strip());
        } catch (IllegalArgumentException malformed) {
            throw new InvalidRequestException(
                    "endpoint", "'" + text + "' is not hexadecimal", "use Endpoint.toText()");
        }
        return of(bytes);
    }

    @Override
    public String toString() {
        return "%s qp 0x%x psn 0x%x lid %d gid %s mtu %d pkey 0x%04x"
                .formatted(type, queuePair, psn, lid, gid, mtu, partitionKey);
    }
}
