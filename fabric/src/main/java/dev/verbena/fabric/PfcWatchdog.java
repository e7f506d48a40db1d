package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;

/// Looks for queues that their neighbours pause without a break, by the rules of SONiC's watchdog
/// on Broadcom's switches: at a look, a queue is in a storm when it was paused at the last look and
/// is now, pause frames have come between, and no pause has ended. When that has been so for the
/// time to detect, the queue is cut off; when no pause frame has come for the time to restore, it
/// is served as before.
///
/// All queues are looked at together. Dropped packets leave the port at its rate, and no cable.
final class PfcWatchdog extends Alarm {
    private final WatchdogSettings settings;
    private final List<Queue> queues = new ArrayList<>();
    private final List<WatchdogEvent> events = new ArrayList<>();

    PfcWatchdog(Fabric fabric, WatchdogSettings settings) {
        super(fabric.clock(), Orders.AGENDA + 1);
        this.settings = settings;
        Topology topology = fabric.topology();
        FabricKind kind = fabric.settings().kind();
        if (!(kind instanceof FabricKind.Ethernet ethernet)) {
            throw new IllegalArgumentException(
                    "InfiniBand has no pauses to watch: leave out the watchdog");
        }
        for (int node = topology.hosts(); node < topology.hosts() + topology.switches(); node++) {
            for (int i = 0; i < topology.plan(node).ports(); i++) {
                if (fabric.node(node).port(i) instanceof EthernetPort port) {
                    for (int priority = 0; priority < EthernetPort.PRIORITIES; priority++) {
                        if (ethernet.buffer().isLossless(priority)) {
                            queues.add(new Queue(port, priority));
                        }
                    }
                }
            }
        }
        set(fabric.nowPs() + settings.pollPs());
    }

    List<WatchdogEvent> events() {
        return List.copyOf(events);
    }

    @Override
    void ring(long nowPs) {
        queues.forEach(queue -> queue.look(nowPs));
        set(nowPs + settings.pollPs());
    }

    /// A priority of a port.
    private final class Queue {
        private final EthernetPort port;
        private final int priority;
        private long heard;
        private long resumed;
        private boolean wasPaused;
        private boolean isStorm;

        /// How long the storm, or the silence after it, has lasted.
        private long sincePs;

        Queue(EthernetPort port, int priority) {
            this.port = port;
            this.priority = priority;
        }

        void look(long nowPs) {
            boolean isNews = port.heard(priority) > heard;
            boolean isPaused = (port.paused() & (1 << priority)) != 0;
            boolean isSteady = wasPaused && isPaused && port.resumed(priority) == resumed;
            heard = port.heard(priority);
            resumed = port.resumed(priority);
            wasPaused = isPaused;
            boolean counts = isStorm ? !isNews : isNews && isSteady;
            sincePs = counts ? sincePs + settings.pollPs() : 0;
            if (sincePs >= (isStorm ? settings.restorePs() : settings.detectPs())) {
                turn(nowPs);
            }
        }

        private void turn(long nowPs) {
            isStorm = !isStorm;
            sincePs = 0;
            if (settings.action() != WatchdogSettings.Action.ALERT) {
                boolean drops = settings.action() == WatchdogSettings.Action.DROP;
                port.ignorePauses(priority, isStorm, drops, nowPs);
            }
            events.add(
                    new WatchdogEvent(
                            nowPs,
                            port.owner.toString(),
                            port.number,
                            port.neighbour().owner.toString(),
                            priority,
                            isStorm,
                            port.discards()));
        }
    }
}
