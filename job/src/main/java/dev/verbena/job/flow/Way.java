package dev.verbena.job.flow;

import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FlowPaths;
import dev.verbena.fabric.Framing;
import dev.verbena.fabric.NicProfile;

/// The links from one host to another, and how long packets need on them when nothing else is under
/// way.
final class Way {
    private static final int BTH_AND_ICRC = 16;
    private static final int ADDRESS_AND_IMMEDIATE = 20;
    private static final int ACKNOWLEDGEMENT = 20;

    /// The numbers of its links.
    final int[] links;

    /// Bits per second of its slowest link.
    final long bitsPerSecond;

    private final FabricSettings settings;
    private final NicProfile from;
    private final FlowPaths paths;
    private final long basePs;
    private final double psPerBit;
    private long knownBytes = -1;
    private double knownBits;
    private long knownPs;

    Way(FlowPaths paths, FabricSettings settings, int[] links, NicProfile from, NicProfile to) {
        this.paths = paths;
        this.settings = settings;
        this.links = links;
        this.from = from;
        psPerBit = paths.psPerBit(links[0]);
        long least = Long.MAX_VALUE;
        long latencyPs = to.receivePs();
        for (int link : links) {
            least = Math.min(least, paths.bitsPerSecond(link));
            latencyPs += paths.latencyPs(link);
        }
        bitsPerSecond = least;
        basePs = latencyPs;
    }

    /// Time from the post of a request until a NIC that is idle sees it.
    long postPs() {
        return from.sendPs();
    }

    /// Link bits of a message, a WRITE with immediate data; what a NIC needs for each packet at
    /// least counts as bits.
    double bits(long bytes) {
        know(bytes);
        return knownBits;
    }

    /// From when the last bit of a message has left until the receiver has it.
    long latencyPs(long bytes) {
        know(bytes);
        return knownPs;
    }

    /// Time on the first link of the first packet of a message.
    long packetPs(long bytes) {
        int payload = (int) Math.min(bytes, settings.mtu());
        int transport = BTH_AND_ICRC + payload;
        transport += payload == bytes ? ADDRESS_AND_IMMEDIATE : 0;
        return Math.round(packetBits(transport, payload) * psPerBit);
    }

    private void know(long bytes) {
        if (bytes == knownBytes) {
            return;
        }
        int mtu = settings.mtu();
        long full = Math.max(0, (bytes - 1) / mtu);
        int last = (int) (bytes - full * mtu);
        double bits = full * packetBits(BTH_AND_ICRC + mtu, mtu);
        bits += packetBits(BTH_AND_ICRC + last + (full == 0 ? ADDRESS_AND_IMMEDIATE : 4), last);
        bits += full == 0 ? 0 : 16.0 * Byte.SIZE;
        knownBytes = bytes;
        knownBits = bits;
        int longest = full > 0 ? mtu : last;
        knownPs = passingPs(wireBytes(BTH_AND_ICRC + longest, longest));
    }

    private int wireBytes(int transportBytes, int payload) {
        Framing framing = settings.framing();
        return framing.wireBytes(transportBytes, payload, false);
    }

    private double packetBits(int transportBytes, int payload) {
        double bits = wireBytes(transportBytes, payload) * (double) Byte.SIZE;
        return Math.max(bits, from.packetGapPs() / psPerBit);
    }

    private long passingPs(int wireBytes) {
        double stored = 0;
        for (int i = 1; i < links.length; i++) {
            stored += paths.storedPs(links[i - 1], links[i], wireBytes);
        }
        return basePs + Math.round(stored);
    }

    /// From the post of a small message until it has arrived, at a NIC that is idle.
    long smallPs(int bytes) {
        return postPs() + alonePs(BTH_AND_ICRC + ADDRESS_AND_IMMEDIATE + bytes, bytes);
    }

    /// From the arrival of a message at the other end of the way until its acknowledgement is here:
    /// for the way back.
    long acknowledgementPs() {
        return from.acknowledgeNs() * 1000 + alonePs(ACKNOWLEDGEMENT, 0);
    }

    /// Link bits of an acknowledgement.
    double acknowledgementBits() {
        return packetBits(ACKNOWLEDGEMENT, 0);
    }

    private long alonePs(int transportBytes, int payload) {
        int wire = wireBytes(transportBytes, payload);
        return Math.round(wire * Byte.SIZE * psPerBit) + passingPs(wire);
    }
}
