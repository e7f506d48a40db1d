package dev.verbena.transport.connect;

import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.Waiters;
import dev.verbena.transport.manage.Management;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.transport.work.WorkSlab;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.spi.ObjectRules;

/// Connection management of a device: what its connections, listeners and resolutions share.
public final class Connections {
    final DeviceLife device;
    final DeviceSettings settings;
    final WorkSlab work;

    /// Threads that wait for connections, requests and resolutions.
    public final Waiters waits;

    private final Management management;
    private final Scheduler scheduler;
    private final ConnectionAgent agent;

    public Connections(
            DeviceLife device,
            DeviceSettings settings,
            WorkHolds holds,
            Management management,
            Scheduler scheduler) {
        this.device = device;
        this.settings = settings;
        this.work = holds.work;
        this.management = management;
        this.scheduler = scheduler;
        this.waits = new Waiters(device);
        this.agent = new ConnectionAgent(settings, holds.counters, management);
    }

    /// The messages and states of all connections.
    public CmMachine machine() {
        return agent.machine();
    }

    /// The same, at the present time, for a call of the program.
    CmMachine now() {
        CmMachine machine = machine();
        machine.at(device.nowNs());
        return machine;
    }

    /// It has done something, and may wait for something else.
    void managed() {
        management.settle();
    }

    /// The same by a call of the program, after which the carrier has to look.
    void managedByProgram() {
        managed();
        scheduler.wakeCarrier();
    }

    /// A queue pair of this device that is open.
    public QueuePairCore own(QueuePair queuePair) {
        if (queuePair instanceof QueuePairCore ours && ours.isOn(device)) {
            ours.requireOpen();
            return ours;
        }
        throw ObjectRules.foreign(device.name, queuePair);
    }

    /// Why a peer may not have answered.
    String noReplyFrom(Gid peer) {
        try (var _ = device.entry.enter()) {
            int error = device.driver.lastError(peer);
            String usual =
                    "no reply; check the address, that its program runs, and that UDP %d is open"
                            .formatted(settings.port.now().udpPort());
            return error == 0 ? usual : "no reply. " + device.driver.explain(error);
        }
    }
}
