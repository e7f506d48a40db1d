package dev.verbena.transport;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Service;
import dev.verbena.wire.Verdict;
import java.util.List;

/// Sees what the devices send and are given, and tells the models of it.
final class CampaignWatcher implements Watcher {
    private final CampaignRun run;

    CampaignWatcher(CampaignRun run) {
        this.run = run;
    }

    @Override
    public void leaving(int port, OutboundPacket packet) {
        Host host = run.hosts.get(port);
        LooseMember sender = host.looseOf(packet.queuePair());
        if (sender != null) {
            sender.sender().leaving(packet);
        } else if (host.shared != null) {
            checkCredits(host, packet);
        }
    }

    /// IBA 9.7.7.2: receives that others may take first are no promise.
    private static void checkCredits(Host host, OutboundPacket packet) {
        Opcode opcode = Opcode.of(Bth.opcode(packet.header(), packet.headerAt()));
        if (!opcode.has(ExtendedHeader.AETH)) {
            return;
        }
        long at = packet.headerAt() + Bth.LENGTH + opcode.offsetOf(ExtendedHeader.AETH);
        int syndrome = Aeth.syndrome(packet.header(), at);
        Lane lane = host.laneOf(packet.queuePair());
        lane.require(
                !lane.sharesReceives
                        || AethSyndrome.kind(syndrome) != AethSyndrome.Kind.ACK
                        || syndrome == AethSyndrome.ACK_UNLIMITED,
                "credits 0x%02x of receives that are shared",
                syndrome);
    }

    @Override
    public void arriving(int port, InboundPacket packet) {
        Host host = run.hosts.get(port);
        if (host.shared != null) {
            host.shared.check();
        }
        if (packet.verdict() != Verdict.OK || packet.view().opcode().service() == Service.RC) {
            return;
        }
        host.ledger.open();
        int number = packet.view().destQp();
        LooseMember loose = host.looseOf(number);
        if (number == QueuePair.MULTICAST_NUMBER) {
            multicast(host, packet);
        } else if (loose == null) {
            toOthers(host, number);
        } else if (loose.closed) {
            host.ledger.owe(Counter.DROPPED_UNKNOWN_PAIR);
        } else {
            loose.expect(packet, host.ledger);
        }
    }

    private void multicast(Host host, InboundPacket packet) {
        Gid group = new Gid(packet.destinationHigh(), packet.destinationLow());
        List<Station> members = run.groups().in(host, group);
        if (members.isEmpty()) {
            host.ledger.owe(Counter.DROPPED_GROUP);
        }
        for (Station member : members) {
            if (run.letterOf(packet).from.member != member) {
                member.expect(packet, host.ledger);
            }
        }
    }

    /// A datagram to a queue pair of a reliable connection, or to none.
    private static void toOthers(Host host, int number) {
        for (Lane lane : host.lanes) {
            if (lane.number == number && !lane.closed) {
                host.ledger.owe(
                        lane.queuePair.state().answers()
                                ? Counter.DROPPED_SERVICE
                                : Counter.DROPPED_STATE);
                return;
            }
        }
        host.ledger.owe(Counter.DROPPED_UNKNOWN_PAIR);
    }

    @Override
    public void arrived(int port, InboundPacket packet) {
        Host host = run.hosts.get(port);
        host.ledger.settle(packet);
        SharedPool shared = host.shared;
        if (shared != null && shared.taken() == 1) {
            Lane lane = host.laneOf(packet.view().destQp());
            lane.require(
                    packet.verdict() == Verdict.OK && needsReceive(packet.view()),
                    "%s took a receive",
                    packet.view().opcode());
            lane.receiver.take(shared);
        }
    }

    private static boolean needsReceive(PacketView view) {
        var operation = view.opcode().operation();
        return operation.isSend() ? operation.startsMessage() : view.has(ExtendedHeader.IMM_DT);
    }
}
