package dev.verbena.transport;

import dev.verbena.conformance.Feature;
import dev.verbena.conformance.Group;
import dev.verbena.conformance.TurnWorld;
import dev.verbena.conformance.World;
import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/// Two devices and a network in virtual time: packets take a while, and on a bad network some are
/// lost, doubled or overtaken, all by one seed.
final class LossyWorld implements World, Turns.Link {
    private static final long LATENCY_NS = 2_000;
    private static final long DETOUR_NS = 9_000;
    private static final long PREFIX = 0xFE80_0000_0000_0000L;

    /// A packet on the wire, by itself: what it was made of may change meanwhile.
    private record Flying(
            long atNs,
            long order,
            int fromLid,
            Gid from,
            Port to,
            Address way,
            MemorySegment bytes,
            int header,
            int payload,
            boolean phantom,
            int ecn) {}

    private final Choices choices;
    private final double lost;
    private final double doubled;
    private final double detoured;
    private final LinkLayer layer;
    private final List<TransportDevice> devices = new ArrayList<>();
    private final Turns<Port> turns = new Turns<>("lossy", this);
    private final PriorityQueue<Flying> wire =
            new PriorityQueue<>(
                    Comparator.comparingLong(Flying::atNs).thenComparingLong(Flying::order));
    private final InboundPacket inbound = new InboundPacket();
    private final TurnWorld time = new TurnWorld(turns::nowNs, turns::turn, turns::idle, devices);
    private long order;

    /// A bad network of RoCE devices, with IPv4 addresses.
    LossyWorld(long seed) {
        choices = Choices.from(seed);
        lost = choices.pick(0.005, 0.02, 0.05);
        doubled = choices.pick(0.0, 0.02);
        detoured = choices.pick(0.0, 0.02);
        layer = LinkLayer.ETHERNET;
        open(seed);
    }

    private LossyWorld(long seed, LinkLayer layer) {
        choices = Choices.from(seed);
        lost = 0;
        doubled = 0;
        detoured = 0;
        this.layer = layer;
        open(seed);
    }

    /// An InfiniBand subnet, which loses nothing: packets find their way by LID.
    static LossyWorld subnet(long seed) {
        return new LossyWorld(seed, LinkLayer.INFINIBAND);
    }

    private void open(long seed) {
        for (int i = 0; i < 2; i++) {
            boolean isSubnet = layer == LinkLayer.INFINIBAND;
            Gid gid = isSubnet ? new Gid(PREFIX, i + 1) : Gid.parse("192.0.2." + (i + 1));
            int lid = isSubnet ? i + 1 : 0;
            Port port = new Port(gid, lid);
            TransportOptions options =
                    turns.options(new SplittableRandom(seed + i), port)
                            .name("device" + i)
                            .gids(List.of(gid))
                            .port(
                                    new PortAttributes(
                                            1, PortState.ACTIVE, layer, lid, 4096, 4096, 0))
                            .partitionKeys(PARTITION_KEYS)
                            .carriesPhantoms(true);
            vary(options, choices.split());
            devices.add(turns.open(port, options));
        }
    }

    @Override
    public Device device(int index) {
        return time.device(index);
    }

    @Override
    public long nowNs() {
        return time.nowNs();
    }

    @Override
    public Optional<String> lacks(Feature feature) {
        return feature == Feature.LOSSLESS && lost > 0
                ? Optional.of("this network loses packets on purpose")
                : Optional.empty();
    }

    @Override
    public Group group(int index) {
        Gid gid = new Gid(0xFF12_401B_FFFF_0000L, index);
        return layer == LinkLayer.INFINIBAND
                ? new Group(gid, 0xC000 + index)
                : World.super.group(index);
    }

    @Override
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        return time.advanceUntil(condition, limit);
    }

    @Override
    public void close() {
        time.close();
    }

    /// Settings of a peer that must have no visible effect.
    private static void vary(TransportOptions options, Choices choices) {
        options.endToEndCredits(choices.chance(0.5))
                .acknowledge(choices.pick(1, 2, 16), choices.pick(0, 1_000, 20_000))
                .windowPackets(choices.pick(4, 64, 1024))
                .windowInAll(choices.pick(3, 64, Integer.MAX_VALUE))
                .readPackets(choices.pick(2, 16, 1024))
                .followsPeers(choices.chance(0.5))
                .ackRequestEvery(choices.pick(1, 8, 64))
                .burstBytes(choices.pick(1, 10_000));
    }

    @Override
    public long nextNs() {
        return wire.isEmpty() ? Long.MAX_VALUE : wire.element().atNs();
    }

    @Override
    public void arrive() {
        Flying packet = wire.remove();
        MemorySegment bytes = packet.bytes();
        int header = packet.header();
        inbound.verdict(
                        packet.phantom()
                                ? inbound.view().wrapPhantom(bytes, 0, header, packet.payload())
                                : inbound.view()
                                        .wrapApart(
                                                bytes, 0, header, bytes, header, packet.payload()))
                .from(packet.fromLid(), packet.from())
                .by(packet.way())
                .ecn(packet.ecn());
        packet.to().receive(inbound);
    }

    /// Sends a packet, or a copy of it to every member of a group; each has its own fate.
    private void launch(Port from, OutboundPacket packet) {
        Address way = packet.path().address();
        boolean isRoutedByLid = layer == LinkLayer.INFINIBAND;
        turns.members(way.gid()).forEach(member -> launch(from, member, packet));
        for (Port port : turns.ports()) {
            if (isRoutedByLid ? port.lid == way.lid() : port.gid().equals(way.gid())) {
                launch(from, port, packet);
            }
        }
    }

    private void launch(Port from, Port to, OutboundPacket packet) {
        if (choices.chance(lost)) {
            return;
        }
        Address way = packet.path().address();
        // On InfiniBand a packet names its source's GID only when it has a GRH.
        boolean isGlobal = layer == LinkLayer.ETHERNET || !way.gid().equals(Gid.NONE);
        int header = packet.headerLength();
        int payload = packet.payloadLength();
        MemorySegment bytes = Arena.ofAuto().allocate(header + (packet.isPhantom() ? 0L : payload));
        MemorySegment.copy(packet.header(), packet.headerAt(), bytes, 0, header);
        packet.copyPayload(bytes, header);
        long atNs = nowNs() + LATENCY_NS + (choices.chance(detoured) ? DETOUR_NS : 0);
        int copies = choices.chance(doubled) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            wire.add(
                    new Flying(
                            atNs + i * DETOUR_NS,
                            order++,
                            from.lid,
                            isGlobal ? from.gid() : Gid.NONE,
                            to,
                            way,
                            bytes,
                            header,
                            payload,
                            packet.isPhantom(),
                            packet.ecn()));
        }
    }

    /// One device's place on the network.
    private final class Port extends TurnPort<Port> {
        private final int lid;
        private final OutboundPacket outbound =
                new OutboundPacket(Arena.ofAuto().allocate(OutboundPacket.MAX_HEADER_LENGTH, 8), 0);

        Port(Gid gid, int lid) {
            super(turns, gid);
            this.lid = lid;
        }

        @Override
        public OutboundPacket next() {
            return outbound;
        }

        @Override
        public void accept(OutboundPacket packet) {
            launch(this, packet);
        }
    }
}
