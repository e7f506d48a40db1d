package dev.verbena.fabric;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.InternetChecksum;
import dev.verbena.wire.Ipv4;
import java.lang.foreign.MemorySegment;

/// What a TCP packet says, in the memory of its headers: 64-bit numbers that never wrap, and times
/// in picoseconds. [#put] writes it as on a wire.
final class TcpHeader {
    /// TCP (RFC 9293) with timestamps (RFC 7323).
    static final int LENGTH = 20 + 12;

    private static final int SEQUENCE = 0;
    private static final int ACKNOWLEDGED = 8;
    private static final int STAMP = 16;
    private static final int ECHO = 24;

    private static final int IP_PROTOCOL = 6;
    private static final int HOPS = 64;
    private static final int ACK = 0x10;
    private static final int WINDOW = 0xFFFF;

    /// Two fillers, then timestamps of ten bytes.
    private static final int TIMESTAMPS = 0x0101_080A;

    /// Timestamps are in milliseconds on a wire, as in Linux.
    private static final long STAMP_PS = 1_000_000_000;

    private TcpHeader() {}

    static void set(
            MemorySegment headers, long at, long sequence, long acknowledged, long ps, long echo) {
        BigEndian.put64(headers, at + SEQUENCE, sequence);
        BigEndian.put64(headers, at + ACKNOWLEDGED, acknowledged);
        BigEndian.put64(headers, at + STAMP, ps);
        BigEndian.put64(headers, at + ECHO, echo);
    }

    /// The number of the first byte of payload; bytes count from 0.
    static long sequence(MemorySegment headers, long at) {
        return BigEndian.i64(headers, at + SEQUENCE);
    }

    /// The number of the first byte that the other side lacks.
    static long acknowledged(MemorySegment headers, long at) {
        return BigEndian.i64(headers, at + ACKNOWLEDGED);
    }

    /// When it was made.
    static long stampPs(MemorySegment headers, long at) {
        return BigEndian.i64(headers, at + STAMP);
    }

    /// When the packet was made that it answers.
    static long echoPs(MemorySegment headers, long at) {
        return BigEndian.i64(headers, at + ECHO);
    }

    /// Writes IP and TCP with their checksums, of a payload of zeros that the caller adds; returns
    /// where it begins.
    static long put(
            MemorySegment frame, long at, MemorySegment headers, long from, TcpEnd to, int bytes) {
        TcpEnd sender = to.peer();
        int source = (int) sender.nic().gid().low();
        int destination = (int) to.nic().gid().low();
        new Ipv4(0, 0, 0, Ipv4.DONT_FRAGMENT, HOPS, IP_PROTOCOL, 0, source, destination)
                .sized(LENGTH + bytes)
                .emit(frame, at);
        long tcp = at + Ipv4.LENGTH;
        BigEndian.put16(frame, tcp, sender.port());
        BigEndian.put16(frame, tcp + 2, to.port());
        BigEndian.put32(frame, tcp + 4, (int) sequence(headers, from));
        BigEndian.put32(frame, tcp + 8, (int) acknowledged(headers, from));
        BigEndian.put16(frame, tcp + 12, (LENGTH / Integer.BYTES) << 12 | ACK);
        BigEndian.put16(frame, tcp + 14, WINDOW);
        BigEndian.put32(frame, tcp + 16, 0);
        BigEndian.put32(frame, tcp + 20, TIMESTAMPS);
        BigEndian.put32(frame, tcp + 24, (int) (stampPs(headers, from) / STAMP_PS));
        BigEndian.put32(frame, tcp + 28, (int) (echoPs(headers, from) / STAMP_PS));
        // RFC 9293, 3.1: the addresses, the protocol and the length are summed too; zeros add
        // nothing.
        long sum = InternetChecksum.add(0, frame, tcp - 8, 8 + LENGTH);
        sum += IP_PROTOCOL + LENGTH + bytes;
        BigEndian.put16(frame, tcp + 16, InternetChecksum.fold(sum));
        return tcp + LENGTH;
    }
}
