package dev.verbena.transport.connect;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.Path;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.cm.CmOutlet;
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
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Service;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.mad.CmMad;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Queue pair 1, by which connections are managed (IBA 13.5.1): datagrams of 256 bytes.
///
/// Every device has it. Programs do not post to it: outgoing datagrams come from the connection
/// manager, and incoming ones are checked here and passed to it.
public final class GeneralServices extends Transmitter implements CmOutlet {
    public static final int NUMBER = 1;

    /// The limit of waiting datagrams; further ones are dropped, and their state machine sends them
    /// again.
    private static final int WAITING_MAX = 1 << 12;

    private static final int HOP_LIMIT = 64;
    private static final Opcode OPCODE = Opcode.of(Service.UD, Operation.SEND_ONLY);
    private static final int PACKET_LENGTH =
            Bth.LENGTH + Deth.LENGTH + Mad.LENGTH_TOTAL + Icrc.LENGTH;

    private record Letter(Path way, MemorySegment bytes) {}

    private final DeviceSettings settings;
    private final Counters counters;
    private final PathTable paths;
    private final Scheduler scheduler;
    private @Nullable CmMachine connections;
    private final ArrayDeque<Letter> waiting = new ArrayDeque<>(2);
    private final ArrayDeque<MemorySegment> spare = new ArrayDeque<>(2);
    private int psn;

    public GeneralServices(
            DeviceSettings settings, Counters counters, PathTable paths, Scheduler scheduler) {
        this.settings = settings;
        this.counters = counters;
        this.paths = paths;
        this.scheduler = scheduler;
    }

    /// Made when it is first needed: most devices never manage a connection.
    CmMachine connections() {
        CmMachine known = connections;
        if (known == null) {
            known = new CmMachine(settings.connections, settings.random, this);
            known.numbersBeginWith(settings.queuePairPrefix, settings.queuePairPrefixBits);
            connections = known;
        }
        return known;
    }

    /// The same for a call of the program.
    CmMachine now() {
        CmMachine known = connections();
        known.at(settings.driver.nowNs());
        return known;
    }

    void handleTimeout(long nowNs) {
        connections().handleTimeout(nowNs);
    }

    long pollTimeout() {
        return connections == null ? Long.MAX_VALUE : connections.pollTimeout();
    }

    /// IBA 13.5.1: only management datagrams with the well-known key are processed.
    void handle(long nowNs, InboundPacket packet) {
        PacketView view = packet.view();
        boolean isManagement =
                packet.verdict() == Verdict.OK
                        && view.opcode() == OPCODE
                        && Pkey.match(settings.partitionKeys.getFirst(), view.pkey())
                        && Deth.qkey(view.segment(), view.at(ExtendedHeader.DETH)) == Deth.GSI_QKEY
                        && !packet.isFromNobody()
                        && view.payloadSegment().byteSize() > 0
                        && CmMessage.check(
                                        view.payloadSegment(),
                                        view.payloadAt(),
                                        view.payloadLength())
                                .isOk();
        if (!isManagement) {
            counters.add(Counter.DROPPED_MANAGEMENT);
            return;
        }
        counters.add(Counter.RECEIVED_MANAGEMENT);
        CmMad mad = CmMad.parse(view.payloadSegment(), view.payloadAt());
        switch (connections().handle(nowNs, wayBack(packet), mad)) {
            case TAKEN -> {}
            case REFUSED -> counters.add(Counter.REFUSED_MANAGEMENT);
            case REPEATED -> counters.add(Counter.REPEATED_MANAGEMENT);
            case STRAY -> counters.add(Counter.STRAY_MANAGEMENT);
        }
    }

    private Address wayBack(InboundPacket packet) {
        Gid source = new Gid(packet.sourceHigh(), packet.sourceLow());
        Gid target = new Gid(packet.destinationHigh(), packet.destinationLow());
        return new Address(
                packet.sourceLid(),
                source,
                packet.serviceLevel(),
                packet.trafficClass() & ~3,
                0,
                HOP_LIMIT,
                Math.max(0, settings.gids.indexOf(target)),
                settings.udpPort);
    }

    @Override
    public void send(Address to, CmMad message) {
        if (waiting.size() == WAITING_MAX) {
            counters.add(Counter.DROPPED_MANAGEMENT);
            return;
        }
        MemorySegment bytes = spare.isEmpty() ? fresh() : spare.pop();
        message.emit(bytes, 0);
        Path way = paths.acquire(to);
        if (waiting.isEmpty()) {
            lane = way.trafficClass();
        }
        waiting.add(new Letter(way, bytes));
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
        if (PACKET_LENGTH > budgetBytes) {
            return Transmitter.TOO_LARGE;
        }
        Letter letter = waiting.remove();
        Letter following = waiting.peek();
        if (following != null) {
            lane = following.way.trafficClass();
        }
        OutboundPacket packet = sink.next();
        packet.begin(letter.way, NUMBER, 0, Bth.LENGTH + Deth.LENGTH);
        MemorySegment header = packet.header();
        long at = packet.headerAt();
        int partition = settings.partitionKeys.getFirst();
        Bth.put(header, at, OPCODE.code(), 0, 0, partition, NUMBER, psn);
        Deth.put(header, at + Bth.LENGTH, Deth.GSI_QKEY, NUMBER);
        psn = Psn.plus(psn, 1);
        packet.piece(letter.bytes, 0, Mad.LENGTH_TOTAL);
        counters.add(Counter.SENT_MANAGEMENT);
        Packets.finish(counters, sink, packet);
        paths.release(letter.way.index());
        spare.push(letter.bytes);
        return PACKET_LENGTH;
    }

    @Override
    public boolean mayHaveMore() {
        return !waiting.isEmpty();
    }
}
