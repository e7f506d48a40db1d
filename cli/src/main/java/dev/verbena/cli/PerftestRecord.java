package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.RemoteSlice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text that perftest's programs send for a queue pair: 107 characters and a zero byte.
///
/// @param reads READs and atomics that the sender of the record answers at a time
/// @param key that opens the memory at `address`
record PerftestRecord(int reads, int queuePair, int psn, int key, long address, Gid gid) {
    /// Bytes on the wire.
    static final int LENGTH = 108;

    private static final int READS_MAX = 255;

    private static final Pattern TEXT =
            Pattern.compile(
                    "[0-9a-f]{4}:([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{8}):"
                            + "([0-9a-f]{16}):((?:[0-9a-f]{2}:){16})[0-9a-f]{8}:\0");

    /// @param reads number of READs to send instead of the endpoint's
    static PerftestRecord of(PerfPeer self, int reads) {
        Endpoint endpoint = self.endpoints().getFirst();
        RemoteSlice memory = self.memory();
        return new PerftestRecord(
                reads,
                endpoint.queuePair(),
                endpoint.psn(),
                memory.key(),
                memory.address(),
                endpoint.gid());
    }

    byte[] toBytes() {
        StringBuilder text = new StringBuilder();
        text.append("0000:%04x:%06x:%06x:%08x:".formatted(reads, queuePair, psn, key));
        text.append("%016x:".formatted(address));
        for (int i = 0; i < Gid.LENGTH; i++) {
            long half = i < Long.BYTES ? gid.high() : gid.low();
            text.append("%02x:".formatted(half >>> (56 - 8 * (i % Long.BYTES)) & 0xFF));
        }
        // There is no shared receive queue.
        text.append("00000000:\0");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static PerftestRecord parse(byte[] bytes, String program) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new PerfException(
                    "peer: %d bytes '%.60s' are not an address of %s; start that on the other side"
                            .formatted(bytes.length, PerfTcp.shown(text), program));
        }
        String gid = matcher.group(6).replace(":", "");
        return new PerftestRecord(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                Integer.parseUnsignedInt(matcher.group(4), 16),
                Long.parseUnsignedLong(matcher.group(5), 16),
                new Gid(
                        Long.parseUnsignedLong(gid.substring(0, 16), 16),
                        Long.parseUnsignedLong(gid.substring(16), 16)));
    }

    /// The peer as an endpoint; ours supplies the values that are not in the record.
    ///
    /// @param length how much memory the peer has at its address
    PerfPeer toPeer(Endpoint ours, int mtu, long length) {
        if (gid.isIpv4() != ours.gid().isIpv4()) {
            throw new PerfException(
                    ("peer: its GID is %s, this side's %s; choose with -x there, or with -d here,"
                                    + " so that both are IPv4 addresses or neither is")
                            .formatted(gid, ours.gid()));
        }
        if (reads > READS_MAX) {
            throw new PerfException(
                    "peer: it answers %d READs at a time, more than %d; start it with a smaller -o"
                            .formatted(reads, READS_MAX));
        }
        Endpoint endpoint =
                new Endpoint(
                        ours.type(),
                        0,
                        gid,
                        queuePair,
                        psn,
                        mtu,
                        reads,
                        ours.udpPort(),
                        ours.partitionKey(),
                        ours.queueKey());
        return new PerfPeer(List.of(endpoint), new RemoteSlice(address, length, key));
    }
}
