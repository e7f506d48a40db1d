package dev.verbena.job;

import dev.verbena.collectives.link.LinkSettings;
import dev.verbena.fabric.FabricKind;
import dev.verbena.fabric.FabricSettings;

/// Times that follow from arithmetic alone: n ranks behind one switch, or behind two tiers of
/// switches with routes that share no link; messages of whole packets.
///
/// @param leaf ranks behind one switch
public record ClosedForm(FabricSettings settings, int ranks, int leaf) {
    private static final int BTH_AND_ICRC = 16;
    private static final int ADDRESS = 16;
    private static final int IMMEDIATE = 4;

    public ClosedForm(FabricSettings settings, int ranks) {
        this(settings, ranks, ranks);
    }

    private double ns(int transportBytes, int payload) {
        int wire = settings.framing().wireBytes(transportBytes, payload, false);
        return wire * 8e9 / settings.cable().rate().bitsPerSecond();
    }

    /// Time of a message on a link: WRITE with immediate data.
    public double messageNs(long bytes) {
        long full = bytes / settings.mtu();
        int rest = (int) (bytes % settings.mtu());
        double packets = full * ns(BTH_AND_ICRC + settings.mtu(), settings.mtu());
        double last = rest == 0 ? 0 : ns(BTH_AND_ICRC + rest, rest);
        double extra = (ADDRESS + IMMEDIATE) * 8e9 / settings.cable().rate().bitsPerSecond();
        return packets + last + extra;
    }

    /// Time from the last byte at the sender to the last byte at the receiver: two cables and the
    /// switch, which sends a packet on when it has all of it, or, on InfiniBand, at once.
    public double hopNs(long bytes) {
        double cables = 2 * settings.cable().delayPs() / 1000.0;
        double hop = cables + settings.switchLatencyPs() / 1000.0;
        if (settings.kind() instanceof FabricKind.InfiniBand) {
            return hop;
        }
        int payload = (int) Math.min(bytes, settings.mtu());
        return hop + ns(BTH_AND_ICRC + payload, payload);
    }

    /// What a message between two leaves takes more: two more switches, with their cables.
    private double farNs() {
        if (leaf == ranks) {
            return 0;
        }
        boolean isCut = settings.kind() instanceof FabricKind.InfiniBand;
        if (!isCut) {
            throw new IllegalArgumentException("two tiers are for InfiniBand");
        }
        return 2 * (settings.cable().delayPs() + settings.switchLatencyPs()) / 1000.0;
    }

    /// One step after the other: each takes the time of its message and of a hop.
    public double stepsNs(int steps, long bytesOfStep) {
        return steps * (messageNs(bytesOfStep) + hopNs(bytesOfStep));
    }

    /// Before the first long message its receiver grants it.
    public double grantNs() {
        return hopNs(32) + ns(BTH_AND_ICRC + ADDRESS + IMMEDIATE + 32, 32);
    }

    /// After the last message its sender waits for the acknowledgement.
    public double ackNs() {
        return hopNs(0) + ns(BTH_AND_ICRC + IMMEDIATE, 0);
    }

    /// All-reduce by a ring: 2(n - 1) steps of the n-th part. What takes longest goes twice from
    /// each leaf to the next. Short messages need no grant, and their senders wait for nothing.
    public double ringNs(long bytes) {
        double far = 2.0 * ranks / leaf * farNs();
        boolean isShort = bytes / ranks <= LinkSettings.DEFAULT.shortBytes();
        double ends = isShort ? 0 : grantNs() + ackNs();
        return stepsNs(2 * (ranks - 1), bytes / ranks) + far + ends;
    }

    /// All-reduce by halving and doubling: parts of a half, a quarter, … and back. On the way back
    /// the first message goes where the last one there came from: its grant waits for the
    /// acknowledgement.
    public double halvingDoublingNs(long bytes) {
        double sum = 2 * (grantNs() + ackNs());
        for (long part = bytes / 2; part >= bytes / ranks; part /= 2) {
            sum += 2 * stepsNs(1, part);
        }
        // Partners are at distances of 1, 2, 4, …: below those of a leaf they are near.
        int farSteps = Integer.numberOfTrailingZeros(ranks / leaf);
        return sum + 2 * farSteps * farNs();
    }

    /// All-to-all: a message to each other rank, without a pause.
    public double allToAllNs(long bytesOfPair) {
        return grantNs() + (ranks - 1) * messageNs(bytesOfPair) + hopNs(bytesOfPair) + ackNs();
    }

    /// All-to-all: a message to each other rank, each when the one before is acknowledged.
    public double allToAllInStepsNs(long bytesOfPair) {
        double far = 2 * (ranks - leaf) * farNs();
        return grantNs() + stepsNs(ranks - 1, bytesOfPair) + far + (ranks - 1) * ackNs();
    }
}
