package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
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

/// Sees the packets that the devices send and receive, and passes them to the models.
final class CampaignObserver implements PacketObserver {
    private final CampaignRun run;

    CampaignObserver(CampaignRun run) {
        this.run = run;
    }

    @Override
    public void leaving(int port, OutboundPacket packet) {
        Host host = run.hosts.get(port);
        UnreliableEndpoint sender = host.looseOf(packet.queuePair());
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
        RcEndpoint endpoint = host.laneOf(packet.queuePair());
        endpoint.require(
                !endpoint.sharesReceives
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
        if (packet.verdict() != Verdict.OK || isReliable(packet)) {
            return;
        }
        host.model.open();
        int number = packet.view().destQp();
        UnreliableEndpoint unreliable = host.looseOf(number);
        if (number == QueuePair.MULTICAST_NUMBER) {
            multicast(host, packet);
        } else if (unreliable == null) {
            toOthers(host, number);
        } else if (unreliable.closed) {
            host.model.owe(Counter.DROPPED_UNKNOWN_PAIR);
        } else {
            unreliable.expect(packet, host.model);
        }
    }

    private boolean isReliable(InboundPacket packet) {
        Service service = packet.view().opcode().service();
        return service == Service.RC || (service == Service.MANUFACTURER_6 && run.plan.selective);
    }

    private void multicast(Host host, InboundPacket packet) {
        Gid group = new Gid(packet.destinationHigh(), packet.destinationLow());
        List<UdEndpoint> members = run.groups().in(host, group);
        if (members.isEmpty()) {
            host.model.owe(Counter.DROPPED_GROUP);
        }
        for (UdEndpoint member : members) {
            if (run.letterOf(packet).from.member != member) {
                member.expect(packet, host.model);
            }
        }
    }

    /// A datagram to a queue pair of a reliable connection, or to none.
    private static void toOthers(Host host, int number) {
        for (RcEndpoint endpoint : host.endpoints) {
            if (endpoint.number == number && !endpoint.closed) {
                host.model.owe(
                        endpoint.queuePair.state().answers()
                                ? Counter.DROPPED_SERVICE
                                : Counter.DROPPED_STATE);
                return;
            }
        }
        host.model.owe(Counter.DROPPED_UNKNOWN_PAIR);
    }

    @Override
    public void arrived(int port, InboundPacket packet) {
        Host host = run.hosts.get(port);
        host.model.settle(packet);
        SharedPool shared = host.shared;
        if (shared != null && shared.taken() == 1) {
            RcEndpoint endpoint = host.laneOf(packet.view().destQp());
            endpoint.require(
                    packet.verdict() == Verdict.OK && needsReceive(packet.view()),
                    "%s took a receive",
                    packet.view().opcode());
            endpoint.receiver.take(shared);
        }
    }

    private static boolean needsReceive(PacketView view) {
        var operation = view.opcode().operation();
        return operation.isSend() ? operation.startsMessage() : view.has(ExtendedHeader.IMM_DT);
    }
}
