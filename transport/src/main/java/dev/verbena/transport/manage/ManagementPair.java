package dev.verbena.transport.manage;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.pair.Packets;
import dev.verbena.transport.path.PathTable;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.transport.schedule.Transmitter;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/// Queue pair 0 or 1 (IBA 13.5.1): datagrams of 256 bytes, checked once on their way in, and those
/// that wait to leave. Programs do not post to it.
final class ManagementPair extends Transmitter implements ManagementOutlet {
    /// The limit of waiting datagrams; further ones are dropped, and their agent sends them again.
    private static final int WAITING_MAX = 1 << 12;

    private static final int HOP_LIMIT = 64;
    private static final Opcode OPCODE = Opcode.of(Service.UD, Operation.SEND_ONLY);

    private record Letter(Path path, MemorySegment bytes) {}

    private final int number;
    private final int queueKey;
    private final DeviceSettings settings;
    private final Counters counters;
    private final PathTable paths;
    private final Scheduler scheduler;
    private final Seal seal;
    private final int packetLength;
    private final ArrayDeque<Letter> waiting = new ArrayDeque<>(2);
    private final ArrayDeque<MemorySegment> spare = new ArrayDeque<>(2);
    private int psn;

    ManagementPair(
            int number,
            DeviceSettings settings,
            Counters counters,
            PathTable paths,
            Scheduler scheduler,
            Seal seal) {
        this.number = number;
        // IBA 10.2.5: queue pair 1 has a well-known key, and queue pair 0 has none.
        this.queueKey = number == Management.GENERAL ? Deth.GSI_QKEY : 0;
        this.settings = settings;
        this.counters = counters;
        this.paths = paths;
        this.scheduler = scheduler;
        this.seal = seal;
        this.packetLength = Bth.LENGTH + Deth.LENGTH + Mad.LENGTH_TOTAL + seal.length();
    }

    /// Whether a packet is a datagram that an agent may see.
    boolean admits(InboundPacket packet) {
        PacketView view = packet.view();
        return packet.verdict() == Verdict.OK
                && view.opcode() == OPCODE
                && isInPartition(view.pkey())
                && Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) == queueKey
                && !packet.isFromNobody()
                && view.payloadSegment().byteSize() > 0
                && Mad.check(view.payloadSegment(), view.payloadAt(), view.payloadLength()).isOk();
    }

    /// IBA 10.9: queue pair 0 looks at no partition, or a wrong table could not be put right.
    private boolean isInPartition(int key) {
        return number == Management.SUBNET || Pkey.match(partitionKey(), key);
    }

    private int partitionKey() {
        return number == Management.SUBNET
                ? Pkey.DEFAULT_FULL
                : settings.port.now().partitionKey(0);
    }

    /// Where the sender of a packet is.
    Address wayBack(InboundPacket packet) {
        Gid source = new Gid(packet.sourceHigh(), packet.sourceLow());
        Gid target = new Gid(packet.destinationHigh(), packet.destinationLow());
        return new Address(
                packet.sourceLid(),
                source,
                packet.serviceLevel(),
                packet.trafficClass() & ~3,
                0,
                HOP_LIMIT,
                Math.max(0, settings.port.now().gids().indexOf(target)),
                settings.port.now().udpPort());
    }

    @Override
    public void send(Address to, Consumer<MemorySegment> writer) {
        if (waiting.size() == WAITING_MAX) {
            counters.add(Counter.DROPPED_MANAGEMENT);
            return;
        }
        MemorySegment bytes = spare.isEmpty() ? fresh() : spare.pop();
        writer.accept(bytes);
        Path path = paths.acquire(to);
        if (waiting.isEmpty()) {
            lane = path.trafficClass();
        }
        waiting.add(new Letter(path, bytes));
        scheduler.activate(this);
    }

    private static MemorySegment fresh() {
        return Arena.ofAuto().allocate(Mad.LENGTH_TOTAL, Long.BYTES);
    }

    @Override
    public int transmit(long nowNs, int budgetBytes, TransmitSink sink) {
        if (waiting.isEmpty()) {
            return Transmitter.NOTHING;
        }
        if (packetLength > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        Letter letter = waiting.remove();
        Letter following = waiting.peek();
        if (following != null) {
            lane = following.path.trafficClass();
        }
        OutboundPacket packet = sink.next();
        packet.begin(letter.path, number, 0, Bth.LENGTH + Deth.LENGTH, seal);
        MemorySegment header = packet.header();
        long at = packet.headerAt();
        Bth.put(header, at, OPCODE.code(), 0, 0, partitionKey(), number, psn);
        Deth.put(header, at + Bth.LENGTH, queueKey, number);
        psn = Psn.plus(psn, 1);
        packet.piece(letter.bytes, 0, Mad.LENGTH_TOTAL);
        counters.add(Counter.SENT_MANAGEMENT);
        Packets.finish(counters, sink, packet);
        paths.release(letter.path.index());
        spare.push(letter.bytes);
        return packetLength;
    }

    @Override
    public boolean mayHaveMore() {
        return !waiting.isEmpty();
    }
}
