package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.Psn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All that one seed of the campaign decides before anything happens.
final class Plan {
    /// How packets travel.
    enum Mode {
        REFERENCES,
        DATAGRAMS,
        FRAMES
    }

    /// Longest message of an endpoint that has long ones: 140 packets of the smallest MTU.
    private static final int LONG_BYTES = 140 * 256;

    final Choices choices;
    final Mode mode;
    final LinkLayer layer;
    final int connections;
    final int messagesPerLane;
    final boolean lossy;
    final @Nullable Fault fault;

    // Of both devices.
    final int windowPackets;
    final int windowInAll;
    final int readPackets;
    final boolean followsPeers;
    final int ackRequestEvery;
    final int ackEvery;
    final long ackDelayNs;
    final int burstBytes;
    final int pollEvery;

    final boolean sharedReceives;

    /// Unreliable connections.
    final int looseConnections;

    /// Datagram queue pairs on each host.
    final int stations;

    /// Messages of each queue pair of an unreliable service.
    final int unreliableMessages;

    final boolean windows;
    final boolean phantoms;

    /// Whether PSNs, MSNs and SSNs start a little below their end.
    final boolean nearWrap;

    private final boolean limitedLinks;

    /// Whether RoCE goes by IPv6.
    private final boolean longGids;

    /// Whether connections repeat only what is lost.
    final boolean selective;

    private final int reorder;

    Plan(long seed, int messages, boolean selective) {
        this.selective = selective;
        choices = Choices.from(seed);
        mode = List.of(Mode.values()).get(choices.weighted(12, 3, 1));
        layer =
                mode != Mode.DATAGRAMS && choices.chance(0.3)
                        ? LinkLayer.INFINIBAND
                        : LinkLayer.ETHERNET;
        // In turn, so that a few hundred seeds cover each of them.
        List<Fault> faults = List.of(Fault.values());
        boolean certain = seed < 4L * faults.size();
        fault = choices.chance(0.35) || certain ? faults.get((int) (seed % faults.size())) : null;
        connections = choices.between(fault == Fault.OTHER_PAIRS_WINDOW ? 2 : 1, 8);
        messagesPerLane = Math.max(4, messages / (2 * connections));
        lossy = choices.chance(0.85);
        windowPackets = choices.pick(List.of(1, 2, 3, 8, 32, 128, 1024));
        ackRequestEvery = choices.pick(List.of(1, 2, 8, 64));
        boolean coalesced = choices.chance(0.4);
        ackEvery = coalesced ? choices.between(2, 8) : 1;
        ackDelayNs = coalesced ? choices.between(100, 40_000) : 0;
        burstBytes = choices.pick(List.of(1, 1, 4096, 65536));
        pollEvery = choices.pick(List.of(1, 1, 1, 3, 20));
        nearWrap = choices.chance(0.5);
        limitedLinks = choices.chance(0.3);
        looseConnections = choices.chance(0.4) ? choices.between(1, 3) : 0;
        unreliableMessages = messages / 12;
        stations = choices.chance(0.35) ? choices.between(1, 3) : 0;
        // Receives that others share are taken when a packet's turn comes, which the model does not
        // follow.
        sharedReceives = choices.chance(0.35) && !selective;
        windows = choices.chance(0.5) || (fault != null && fault.isAboutWindows());
        longGids = choices.chance(0.3);
        phantoms = mode == Mode.REFERENCES && choices.chance(0.2);
        windowInAll =
                choices.chance(0.35) ? choices.pick(List.of(1, 2, 5, 16, 64)) : Integer.MAX_VALUE;
        readPackets = choices.chance(0.35) ? choices.pick(List.of(1, 2, 3, 8)) : Psn.MASK / 2;
        followsPeers = choices.chance(0.5);
        reorder = selective ? choices.pick(List.of(0, 0, 1, 3, 16)) : 0;
    }

    void script(WireScript script) {
        script.choices = choices.split();
        script.floods = choices.chance(0.5);
        script.latencyNs = choices.between(200, 5_000);
        script.jitterNs = choices.chance(0.5) ? choices.between(1, 5_000) : 0;
        if (!lossy) {
            return;
        }
        script.drop = choices.chance(0.7) ? choices.between(0, 200) / 1000.0 : 0;
        script.duplicate = choices.chance(0.5) ? choices.between(0, 100) / 1000.0 : 0;
        script.reorder = choices.chance(0.5) ? choices.between(0, 100) / 1000.0 : 0;
        script.corrupt = mode == Mode.REFERENCES ? 0 : choices.between(0, 100) / 1000.0;
        script.reorderNs = choices.between(100, 50_000);
        script.mercyAfter = choices.between(2, 3);
    }

    void script(CarrierScript script) {
        script.choices = choices.split();
        script.pause = choices.chance(0.3) ? 0.05 : 0;
        script.smallBudget = choices.chance(0.3) ? 0.3 : 0;
        script.late = choices.chance(0.3) ? 0.3 : 0;
        script.spurious = choices.chance(0.3) ? 0.05 : 0;
        script.psPerByte = limitedLinks ? choices.between(10, 300) : 0;
    }

    TransportOptions options(TransportOptions options, int index) {
        return options.name("host" + index)
                .port(Pair.attributes(layer, index))
                .gids(List.of(gid(index)))
                .partitionKeys(List.of(0xFFFF, 0x8001))
                .windowPackets(windowPackets)
                .windowInAll(windowInAll)
                .readPackets(readPackets)
                .followsPeers(followsPeers)
                .selectiveRepeat(selective)
                .reorder(reorder)
                .ackRequestEvery(ackRequestEvery)
                .acknowledge(ackEvery, ackDelayNs)
                .burstBytes(burstBytes)
                .endToEndCredits(choices.chance(0.6));
    }

    /// The address of a device.
    Gid gid(int index) {
        return longGids ? Pair.longGid(index) : Pair.gids(layer, index).getFirst();
    }

    /// The plainest way to a device.
    Address address(int index, boolean isGlobal) {
        boolean hasLids = layer == LinkLayer.INFINIBAND;
        Gid gid = hasLids && !isGlobal ? Gid.NONE : gid(index);
        return new Address(hasLids ? index + 1 : 0, gid, 0, 0, 0, 64, 0, Address.ROCE_PORT);
    }

    /// The way to an endpoint; on InfiniBand with a GRH or without.
    Address address(Endpoint peer, boolean isGlobal) {
        Address plain = Address.to(peer);
        return layer == LinkLayer.INFINIBAND && !isGlobal ? plain.withGid(Gid.NONE) : plain;
    }

    @Nullable FrameCodec codec() {
        return switch (mode) {
            case REFERENCES -> null;
            case DATAGRAMS -> new FrameCodec(FrameCodec.Form.BARE);
            case FRAMES ->
                    new FrameCodec(
                            layer == LinkLayer.INFINIBAND
                                    ? FrameCodec.Form.INFINIBAND
                                    : FrameCodec.Form.ROCE_V2);
        };
    }

    /// Where counting messages starts: at 0 as it must, or so that it wraps soon.
    int messageNumber() {
        return nearWrap ? 0xFF_FFFF - choices.between(0, 64) : 0;
    }

    /// Whether a queue pair may do without a timer: nothing is lost.
    boolean needsNoTimer() {
        return !lossy && fault == null && choices.chance(0.3);
    }

    int psn() {
        return nearWrap ? 0xFF_FFFF - choices.between(0, 64) : (int) choices.bits(24);
    }

    /// A code that leaves time enough for what the carriers and wires of this seed do to a healthy
    /// queue pair; 131 µs or 4.2 ms.
    int shortestTimeout() {
        return limitedLinks ? 10 : 5;
    }

    /// The longest message of any endpoint.
    int longestOfAll() {
        return LONG_BYTES;
    }

    /// The longest message of an unreliable connection: seldom as long, since all behind a loss is
    /// passed over.
    int looseLongest(int mtu) {
        return choices.chance(0.05) ? longest(mtu) : Math.min(choices.between(1, 4 * mtu), 6000);
    }

    /// The longest message of an endpoint.
    int longest(int mtu) {
        if (mtu <= 512 && choices.chance(0.15)) {
            return LONG_BYTES;
        }
        return choices.chance(0.5) ? Math.min(256, mtu) : Math.min(3 * mtu + 5, 6000);
    }
}
