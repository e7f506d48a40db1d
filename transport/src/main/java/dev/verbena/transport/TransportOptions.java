package dev.verbena.transport;

import dev.verbena.transport.carrier.CongestionSettings;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.Guard;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.carrier.PriorityMap;
import dev.verbena.transport.cm.CmSettings;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.control.ControlChoice;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.wire.Psn;
import dev.verbena.wire.SackEth;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// Options for a new device; all except the generator and the driver have a default.
public final class TransportOptions {
    /// Limits that hold a large simulated host and stay far from the arithmetic's own.
    public static final DeviceLimits DEFAULT_LIMITS =
            DeviceLimits.builder()
                    .queuePairs(1 << 16)
                    .completionQueues(1 << 16)
                    .memoryRegions(1 << 20)
                    .memoryWindows(1 << 20)
                    .sharedReceiveQueues(1 << 16)
                    .addressHandles(1 << 20)
                    .multicastGroups(1 << 12)
                    .multicastAttachments(1 << 12)
                    .workRequests(1 << 14)
                    .workRequestsInAll(1 << 22)
                    .scatterGather(12)
                    .inlineBytes(256)
                    .completions(1 << 20)
                    .readsAsInitiator(128)
                    .readsAsResponder(128)
                    .regionBytes(1L << 46)
                    .messageBytes(1L << 31)
                    .pendingEvents(1024)
                    .build();

    final DeviceSettings settings;

    /// `random` makes keys, queue pair numbers and first sequence numbers: unpredictable ones where
    /// peers are strangers, seeded ones in simulation.
    public TransportOptions(RandomGenerator random, Driver driver) {
        settings = new DeviceSettings(random, driver, DEFAULT_LIMITS);
    }

    /// Refuses options that would fail later with a less clear message.
    void check() {
        require("memory regions", settings.limits.memoryRegions(), 0, MemoryTable.MOST);
        require("memory windows", settings.limits.memoryWindows(), 0, MemoryTable.MOST);
        require(
                "queue pairs of a multicast group",
                settings.limits.multicastAttachments(),
                1,
                1 << 24);
        int mtu = settings.port.now().attributes().activeMtu();
        require("bits of the active mtu", Integer.bitCount(mtu), 1, 1);
        require("active mtu", mtu, 256, 4096);
        require("pieces of memory", settings.limits.scatterGather(), 1, WorkSlab.MAX_PIECES);
        require("message bytes", settings.limits.messageBytes(), 1, WorkSlab.MAX_LENGTH);
        require("reads", settings.reads, 0, 255);
        require("window packets", settings.windowPackets, 1, Psn.MASK / 2);
        require("window packets in all", settings.windowInAll, 1, Integer.MAX_VALUE);
        require(
                "packets of a READ that are asked for at once",
                settings.readPackets,
                1,
                Psn.MASK / 2);
        require("packets that overtake", settings.reorder, 0, SackEth.REACH);
        require("packets between acknowledge requests", settings.ackRequestEvery, 1, Psn.MASK / 2);
        require("requests to one acknowledgement", settings.ackEvery, 1, Psn.MASK / 2);
        // Half of the numbers stay free, so that a fresh one is found soon.
        int numbers = 1 << (24 - settings.queuePairPrefixBits);
        require("queue pairs", settings.limits.queuePairs(), 1, numbers / 2);
        require(
                "queue pair prefix",
                settings.queuePairPrefix,
                0,
                (1 << settings.queuePairPrefixBits) - 1);
    }

    private void require(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidRequestException(
                    settings.name, what + ": " + value, "use " + least + " to " + most);
        }
    }

    public TransportOptions name(String value) {
        settings.name = value;
        return this;
    }

    public TransportOptions limits(DeviceLimits value) {
        settings.limits = value;
        return this;
    }

    /// The one port, number 1.
    public TransportOptions port(PortAttributes value) {
        return port(settings.port.now().withAttributes(value));
    }

    /// All that the port has at first; see [TransportDevice#changePort].
    public TransportOptions port(PortSettings value) {
        settings.port.set(value);
        return this;
    }

    public TransportOptions gids(List<Gid> value) {
        return port(settings.port.now().withGids(value));
    }

    public TransportOptions partitionKeys(List<Integer> value) {
        return port(settings.port.now().withPartitionKeys(value));
    }

    /// The UDP port that endpoints name.
    public TransportOptions udpPort(int value) {
        return port(settings.port.now().withUdpPort(value));
    }

    /// The top `bits` bits of every queue pair number are `prefix`, and so are those of every
    /// number that connection management asks answers to, so that packets can be steered to one of
    /// several processes by them.
    public TransportOptions queuePairPrefix(int prefix, int bits) {
        settings.queuePairPrefix = prefix;
        settings.queuePairPrefixBits = bits;
        return this;
    }

    /// Packets that one queue pair may have unacknowledged; 1024 unless set.
    public TransportOptions windowPackets(int value) {
        settings.windowPackets = value;
        return this;
    }

    /// Packets that all reliable queue pairs together may have unacknowledged, including the
    /// responses to READs: for example, the size of a peer's receive buffer. No limit by default. A
    /// READ that asks for more at once is sent when nothing else is in flight.
    public TransportOptions windowInAll(int packets) {
        settings.windowInAll = packets;
        return this;
    }

    /// How many packets of a READ's answer are asked for at once. A longer READ becomes several on
    /// the wire, so that its answer does not overflow the own receive buffer. The whole by default,
    /// as NICs do.
    public TransportOptions readPackets(int packets) {
        settings.readPackets = packets;
        return this;
    }

    /// Whether a queue pair follows what its peer can take: its window becomes smaller than
    /// [#windowPackets] when packets are lost, and an answer that does not come within a few round
    /// trips is asked for again. Not unless set: NICs do neither.
    public TransportOptions followsPeers(boolean value) {
        settings.followsPeers = value;
        return this;
    }

    /// Whether reliable queue pairs offer their peers to repeat only what is lost, and to place
    /// WRITEs that come early; both must offer it (docs/selective-repeat.md). Not unless set: bytes
    /// of several WRITEs then land in any order.
    public TransportOptions selectiveRepeat(boolean value) {
        settings.selectiveRepeat = value;
        return this;
    }

    /// How many packets may overtake another before that one is taken for lost, with
    /// [#selectiveRepeat]; 0 unless set, as paths keep the order. A network that sprays packets
    /// over several paths needs more.
    public TransportOptions reorder(int packets) {
        settings.reorder = packets;
        return this;
    }

    /// How many packets of a message at most leave between two that ask for an acknowledgement; 64
    /// unless set.
    public TransportOptions ackRequestEvery(int packets) {
        settings.ackRequestEvery = packets;
        return this;
    }

    /// How acknowledgements are coalesced: one for `requests` packets that asked for one, or when
    /// `delayNs` have passed since the first of them. `1, 0`, the default, answers at once.
    public TransportOptions acknowledge(int requests, long delayNs) {
        settings.ackEvery = requests;
        settings.ackDelayNs = delayNs;
        return this;
    }

    /// Whether every requested acknowledgement is sent, instead of one for all that wait for their
    /// turn: some NICs and simulators send each. Off by default.
    public TransportOptions acknowledgeEach(boolean value) {
        settings.acknowledgesEach = value;
        return this;
    }

    /// Which priority of Ethernet packets have; their service level unless set.
    public TransportOptions priorities(PriorityMap value) {
        settings.priorities = value;
        return this;
    }

    /// How many bytes a queue pair may send in a row before it is another's turn; at least one
    /// packet.
    public TransportOptions burstBytes(int value) {
        settings.burstBytes = value;
        return this;
    }

    /// Time until a device sees a request that is posted to a queue pair with nothing left to send,
    /// in nanoseconds; 0 unless set. For simulated devices: real ones take their time anyway.
    public TransportOptions postDelayNs(long value) {
        settings.postDelayNs = value;
        return this;
    }

    /// READs and atomics that a queue pair answers at a time unless told otherwise, as far as the
    /// limits of the device allow; 8 unless set. Each costs a queue pair 24 bytes once it has
    /// answered its first.
    public TransportOptions reads(int value) {
        settings.reads = value;
        return this;
    }

    /// Whether acknowledgements report the number of posted receives (IBA 9.7.7.2); on by default.
    public TransportOptions endToEndCredits(boolean value) {
        settings.endToEndCredits = value;
        return this;
    }

    /// Whether peers know memory by addresses that the device makes up, the same in every run,
    /// instead of those of this process: for simulations, whose packets then do not differ from run
    /// to run. They do not unless set.
    public TransportOptions madeUpAddresses(boolean value) {
        settings.madeUpAddresses = value;
        return this;
    }

    /// Whether the carrier takes a length without bytes for a payload
    /// ([dev.verbena.transport.carrier.OutboundPacket#isPhantom]), so that
    /// [TransportDevice#phantom] makes regions without memory. Off by default: a carrier that puts
    /// bytes on a wire has none to send for such a region. A carrier that lets programs change
    /// these options sets this one after them.
    public TransportOptions carriesPhantoms(boolean value) {
        settings.carriesPhantoms = value;
        return this;
    }

    /// Times and limits of connection management.
    TransportOptions connections(CmSettings value) {
        settings.connections = value;
        return this;
    }

    /// The guard that keeps threads apart; [Guard#NONE] by default, for a device that belongs to
    /// one thread.
    public TransportOptions guard(Guard value) {
        settings.guard = value;
        return this;
    }

    /// Turns congestion control on: connected queue pairs send packets that a switch may mark,
    /// notify peers of marks, and slow down on notifications. Off by default.
    public TransportOptions congestion(CongestionSettings value) {
        settings.congestion = value;
        return this;
    }

    /// Another congestion control than DCQCN for reliable queue pairs, by windows or times of its
    /// own. Receivers echo the marks of switches in acknowledgements (BECN). Off by default, and
    /// instead of [#congestion].
    public TransportOptions control(ControlChoice value) {
        settings.control = value;
        return this;
    }

    /// The delay of the carrier that causes no loss of rate: a queue pair with a rate sends at once
    /// the packets that it could not send during this delay.
    public TransportOptions catchUp(Duration value) {
        settings.catchUpNs = value.toNanos();
        return this;
    }
}
