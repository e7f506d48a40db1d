package dev.verbena.transport;

import dev.verbena.transport.cm.CmSettings;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.wire.Psn;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Options for a new device; all except the generator and the driver have a default.
public final class TransportOptions {
    /// Limits that hold a large simulated host and stay far from the arithmetic's own.
    public static final DeviceLimits DEFAULT_LIMITS =
            new DeviceLimits(
                    1 << 16, 1 << 16, 1 << 20, 1 << 20, 1 << 16, 1 << 20, 1 << 12, 1 << 12, 1 << 14,
                    1 << 22, 12, 256, 1 << 20, 128, 128, 1L << 46, 1L << 31, 1024);

    final RandomGenerator random;
    final Driver driver;
    String name = "transport0";
    DeviceLimits limits = DEFAULT_LIMITS;
    PortAttributes port =
            new PortAttributes(1, PortState.ACTIVE, LinkLayer.ETHERNET, 0, 4096, 4096, 0);
    List<Gid> gids = List.of(Gid.NONE);
    List<Integer> partitionKeys = List.of(0xFFFF);
    int udpPort = Address.ROCE_PORT;
    int queuePairPrefix;
    int queuePairPrefixBits;

    /// Shared by devices that work inside each other's calls.
    Notices notices = new Notices();

    int windowPackets = 1024;
    int windowInAll = Integer.MAX_VALUE;
    int readPackets = Psn.MASK / 2;
    int ackRequestEvery = 64;
    boolean followsPeers;
    int ackEvery = 1;
    long ackDelayNs;
    boolean acknowledgesEach;
    int burstBytes = 1;
    PriorityMap priorities = PriorityMap.BY_SERVICE_LEVEL;
    int reads = 8;
    boolean endToEndCredits = true;
    boolean madeUpAddresses;
    Guard guard = Guard.NONE;
    CmSettings connections = CmSettings.DEFAULT;
    @Nullable CongestionSettings congestion;
    long catchUpNs = 10_000;

    /// `random` makes keys, queue pair numbers and first sequence numbers: unpredictable ones where
    /// peers are strangers, seeded ones in simulation.
    public TransportOptions(RandomGenerator random, Driver driver) {
        this.random = random;
        this.driver = driver;
    }

    /// Refuses options that would fail later with a less clear message.
    void check() {
        require("memory regions", limits.memoryRegions(), 0, MemoryTable.MOST);
        require("memory windows", limits.memoryWindows(), 0, MemoryTable.MOST);
        require("queue pairs of a multicast group", limits.multicastAttachments(), 1, 1 << 24);
        require("bits of the active mtu", Integer.bitCount(port.activeMtu()), 1, 1);
        require("active mtu", port.activeMtu(), 256, 4096);
        require("pieces of memory", limits.scatterGather(), 1, WorkSlab.MAX_PIECES);
        require("message bytes", limits.messageBytes(), 1, WorkSlab.MAX_LENGTH);
        require("reads as initiator", limits.readsAsInitiator(), 0, 255);
        require("reads as responder", limits.readsAsResponder(), 0, 255);
        require("reads", reads, 0, 255);
        require("window packets", windowPackets, 1, Psn.MASK / 2);
        require("window packets in all", windowInAll, 1, Integer.MAX_VALUE);
        require("packets of a READ that are asked for at once", readPackets, 1, Psn.MASK / 2);
        require("packets between acknowledge requests", ackRequestEvery, 1, Psn.MASK / 2);
        require("requests to one acknowledgement", ackEvery, 1, Psn.MASK / 2);
        // Half of the numbers stay free, so that a fresh one is found soon.
        int numbers = 1 << (24 - queuePairPrefixBits);
        require("queue pairs", limits.queuePairs(), 1, numbers / 2);
        require("queue pair prefix", queuePairPrefix, 0, (1 << queuePairPrefixBits) - 1);
    }

    private void require(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    name, what + ": " + value, "use " + least + " to " + most);
        }
    }

    public TransportOptions name(String value) {
        name = value;
        return this;
    }

    public TransportOptions limits(DeviceLimits value) {
        limits = value;
        return this;
    }

    /// The one port, number 1.
    public TransportOptions port(PortAttributes value) {
        port = value;
        return this;
    }

    public TransportOptions gids(List<Gid> value) {
        gids = List.copyOf(value);
        return this;
    }

    public TransportOptions partitionKeys(List<Integer> value) {
        partitionKeys = List.copyOf(value);
        return this;
    }

    /// The UDP port that endpoints name.
    public TransportOptions udpPort(int value) {
        udpPort = value;
        return this;
    }

    /// The top `bits` bits of every queue pair number are `prefix`, and so are those of every
    /// number that connection management asks answers to, so that packets can be steered to one of
    /// several processes by them.
    public TransportOptions queuePairPrefix(int prefix, int bits) {
        queuePairPrefix = prefix;
        queuePairPrefixBits = bits;
        return this;
    }

    /// Packets that one queue pair may have unacknowledged; 1024 unless set.
    public TransportOptions windowPackets(int value) {
        windowPackets = value;
        return this;
    }

    /// Packets that all reliable queue pairs together may have unacknowledged, including the
    /// responses to READs: for example, the size of a peer's receive buffer. No limit by default. A
    /// READ that asks for more at once is sent when nothing else is in flight.
    public TransportOptions windowInAll(int packets) {
        windowInAll = packets;
        return this;
    }

    /// How many packets of a READ's answer are asked for at once. A longer READ becomes several on
    /// the wire, so that its answer does not overflow the own receive buffer. The whole by default,
    /// as NICs do.
    public TransportOptions readPackets(int packets) {
        readPackets = packets;
        return this;
    }

    /// Whether a queue pair follows what its peer can take: its window becomes smaller than
    /// [#windowPackets] when packets are lost, and an answer that does not come within a few round
    /// trips is asked for again. Not unless set: NICs do neither.
    public TransportOptions followsPeers(boolean value) {
        followsPeers = value;
        return this;
    }

    /// How many packets of a message at most leave between two that ask for an acknowledgement; 64
    /// unless set.
    public TransportOptions ackRequestEvery(int packets) {
        ackRequestEvery = packets;
        return this;
    }

    /// How acknowledgements are coalesced: one for `requests` packets that asked for one, or when
    /// `delayNs` have passed since the first of them. `1, 0`, the default, answers at once.
    public TransportOptions acknowledge(int requests, long delayNs) {
        ackEvery = requests;
        ackDelayNs = delayNs;
        return this;
    }

    /// Whether every requested acknowledgement is sent, instead of one for all that wait for their
    /// turn: some NICs and simulators send each. Off by default.
    public TransportOptions acknowledgeEach(boolean value) {
        acknowledgesEach = value;
        return this;
    }

    /// Which priority of Ethernet packets have; their service level unless set.
    public TransportOptions priorities(PriorityMap value) {
        priorities = value;
        return this;
    }

    /// How many bytes a queue pair may send in a row before it is another's turn; at least one
    /// packet.
    public TransportOptions burstBytes(int value) {
        burstBytes = value;
        return this;
    }

    /// READs and atomics that a queue pair answers at a time unless told otherwise, as far as the
    /// limits of the device allow; 8 unless set. Each costs a queue pair 24 bytes once it has
    /// answered its first.
    public TransportOptions reads(int value) {
        reads = value;
        return this;
    }

    /// Whether acknowledgements report the number of posted receives (IBA 9.7.7.2); on by default.
    public TransportOptions endToEndCredits(boolean value) {
        endToEndCredits = value;
        return this;
    }

    /// Whether peers know memory by addresses that the device makes up, the same in every run,
    /// instead of those of this process: for simulations, whose packets then do not differ from run
    /// to run. They do not unless set.
    public TransportOptions madeUpAddresses(boolean value) {
        madeUpAddresses = value;
        return this;
    }

    /// Times and limits of connection management.
    TransportOptions connections(CmSettings value) {
        connections = value;
        return this;
    }

    /// The guard that keeps threads apart; [Guard#NONE] by default, for a device that belongs to
    /// one thread.
    public TransportOptions guard(Guard value) {
        guard = value;
        return this;
    }

    /// Turns congestion control on: connected queue pairs send packets that a switch may mark,
    /// notify peers of marks, and slow down on notifications. Off by default.
    public TransportOptions congestion(CongestionSettings value) {
        congestion = value;
        return this;
    }

    /// The delay of the carrier that causes no loss of rate: a queue pair with a rate sends at once
    /// the packets that it could not send during this delay.
    public TransportOptions catchUp(Duration value) {
        catchUpNs = value.toNanos();
        return this;
    }
}
