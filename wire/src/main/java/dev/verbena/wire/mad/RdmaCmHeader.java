package dev.verbena.wire.mad;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.Payload;
import dev.verbena.wire.WireException;
import java.lang.foreign.MemorySegment;

/// The IP addresses that rdma_cm puts before the program's own private data in REQ and SIDR_REQ
/// (IBA annex A11).
///
/// | byte | bits | field |
/// |---|---|---|
/// | 0 | 4 | major version, 0 |
/// | 0 | 4 | minor version, 0 |
/// | 1 | 4 | IP version, 4 or 6 |
/// | 1 | 4 | reserved |
/// | 2 | 16 | source port |
/// | 4 | 128 | source address |
/// | 20 | 128 | destination address |
///
/// An IPv4 address stands in the last four of its sixteen bytes behind twelve zeros, which is not
/// the mapped form of a GID. The components hold the sixteen bytes as they are on the wire;
/// [#source] and [#destination] are the GIDs they mean.
public record RdmaCmHeader(
        int majorVersion,
        int minorVersion,
        int ipVersion,
        int sourcePort,
        Gid sourceField,
        Gid destinationField) {
    public static final int LENGTH = 36;

    private static final int VERSION = 0;
    private static final int IP_VERSION = 1;
    private static final int SOURCE_PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;

    public RdmaCmHeader {
        WireException.requireBits("rdma_cm major version", majorVersion, 4);
        WireException.requireBits("rdma_cm minor version", minorVersion, 4);
        WireException.requireBits("rdma_cm ip version", ipVersion, 4);
        WireException.requireBits("rdma_cm source port", sourcePort, 16);
    }

    /// The header for two addresses of one kind: both IPv4-mapped, or neither.
    public static RdmaCmHeader between(int sourcePort, Gid source, Gid destination) {
        if (source.isIpv4Mapped() != destination.isIpv4Mapped()) {
            throw new WireException(
                    "rdma_cm source %s and destination %s are of different IP versions"
                            .formatted(source, destination));
        }
        return source.isIpv4Mapped()
                ? new RdmaCmHeader(0, 0, 4, sourcePort, unmapped(source), unmapped(destination))
                : new RdmaCmHeader(0, 0, 6, sourcePort, source, destination);
    }

    /// Reads the header at the start of a REQ's or SIDR_REQ's private data.
    public static RdmaCmHeader of(Payload privateData) {
        if (privateData.length() < LENGTH) {
            throw new WireException(
                    "private data of %d bytes holds no rdma_cm header; it takes %d"
                            .formatted(privateData.length(), LENGTH));
        }
        return parse(privateData.segment(), 0);
    }

    /// The part of the private data that is left for the program: 56 bytes of a REQ, 180 of a
    /// SIDR_REQ.
    public static Payload consumerData(Payload privateData) {
        return privateData.from(LENGTH);
    }

    /// Reads the header whose first byte is at `at`.
    public static RdmaCmHeader parse(MemorySegment segment, long at) {
        int version = BigEndian.u8(segment, at + VERSION);
        return new RdmaCmHeader(
                version >>> 4,
                version & 0xF,
                BigEndian.u8(segment, at + IP_VERSION) >>> 4,
                BigEndian.u16(segment, at + SOURCE_PORT),
                Gid.parse(segment, at + SOURCE),
                Gid.parse(segment, at + DESTINATION));
    }

    public void emit(MemorySegment segment, long at) {
        BigEndian.put8(segment, at + VERSION, (majorVersion << 4) | minorVersion);
        BigEndian.put8(segment, at + IP_VERSION, ipVersion << 4);
        BigEndian.put16(segment, at + SOURCE_PORT, sourcePort);
        sourceField.emit(segment, at + SOURCE);
        destinationField.emit(segment, at + DESTINATION);
    }

    /// Private data of this header and then the program's own.
    public Payload with(Payload consumerData) {
        byte[] header = new byte[LENGTH];
        emit(MemorySegment.ofArray(header), 0);
        return Payload.of(header).plus(consumerData);
    }

    /// Whether a listener may take it: version 0.0, and an IP version there is.
    public boolean isSupported() {
        return majorVersion == 0 && minorVersion == 0 && (ipVersion == 4 || ipVersion == 6);
    }

    public Gid source() {
        return address(sourceField);
    }

    public Gid destination() {
        return address(destinationField);
    }

    private Gid address(Gid field) {
        return ipVersion == 4 ? Gid.ofIpv4((int) field.low()) : field;
    }

    private static Gid unmapped(Gid gid) {
        return new Gid(0, gid.ipv4() & 0xFFFF_FFFFL);
    }
}
