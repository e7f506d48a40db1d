package dev.verbena.transport;

import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;

/// Sees what the devices are given, and tells the models of it.
final class CampaignWatcher implements Watcher {
    private final CampaignRun run;

    CampaignWatcher(CampaignRun run) {
        this.run = run;
    }

    @Override
    public void arriving(int port, InboundPacket packet) {
        SharedPool shared = run.hosts.get(port).shared;
        if (shared != null) {
            shared.check();
        }
    }

    @Override
    public void arrived(int port, InboundPacket packet) {
        Host host = run.hosts.get(port);
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
