package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text that libibverbs' pingpong programs send for a queue pair: 51 characters and a zero
/// byte.
record PingpongAddress(int lid, int queuePair, int psn, Gid gid) {
    /// Bytes on the wire.
    static final int LENGTH = 52;

    /// Stands for an unused queue pair.
    static final PingpongAddress NONE = new PingpongAddress(0, 0, 0, Gid.NONE);

    private static final Pattern TEXT =
            Pattern.compile(
                    "([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{16})([0-9a-f]{16})");

    static PingpongAddress of(Endpoint endpoint) {
        return new PingpongAddress(
                endpoint.lid(), endpoint.queuePair(), endpoint.psn(), endpoint.gid());
    }

    byte[] toBytes() {
        String text =
                "%04x:%06x:%06x:%016x%016x\0".formatted(lid, queuePair, psn, gid.high(), gid.low());
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static PingpongAddress parse(byte[] bytes, PingpongType type) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        Matcher matcher = TEXT.matcher(text);
        if (bytes.length != LENGTH || !matcher.lookingAt()) {
            throw new PerfException(
                    "peer: %d bytes '%.60s' are not an address of %s; start that, or verbena"
                                    .formatted(bytes.length, text.strip(), type.program())
                            + " pingpong, on the other side");
        }
        Gid gid =
                new Gid(
                        Long.parseUnsignedLong(matcher.group(4), 16),
                        Long.parseUnsignedLong(matcher.group(5), 16));
        if (gid.equals(Gid.NONE)) {
            throw new PerfException(
                    "peer: it has no GID, which RoCE needs; start %s with -g INDEX"
                            .formatted(type.program()));
        }
        return new PingpongAddress(
                Integer.parseInt(matcher.group(1), 16),
                Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16),
                gid);
    }

    /// The peer as an endpoint; ours supplies the values that are not in the text.
    Endpoint toEndpoint(Endpoint ours, int mtu) {
        return new Endpoint(
                ours.type(),
                lid,
                gid,
                queuePair,
                psn,
                mtu,
                1,
                ours.udpPort(),
                ours.partitionKey(),
                ours.queueKey());
    }

    @Override
    public String toString() {
        String address = gid.isIpv4() ? "::ffff:" + gid : gid.toString();
        return "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s".formatted(lid, queuePair, psn, address);
    }
}
