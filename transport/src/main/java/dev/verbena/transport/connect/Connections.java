package dev.verbena.transport.connect;

import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.cm.CmMachine;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.Waiters;
import dev.verbena.transport.pair.QueuePairCore;
import dev.verbena.transport.schedule.Scheduler;
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

    private final GeneralServices services;
    private final Scheduler scheduler;

    /// When it wants to be looked at: kept, since it is asked after every packet.
    private long dueNs = Long.MAX_VALUE;

    public Connections(
            DeviceLife device,
            DeviceSettings settings,
            WorkSlab work,
            GeneralServices services,
            Scheduler scheduler) {
        this.device = device;
        this.settings = settings;
        this.work = work;
        this.services = services;
        this.scheduler = scheduler;
        this.waits = new Waiters(device);
    }

    /// The messages and states of all connections.
    public CmMachine machine() {
        return services.connections();
    }

    /// The same, at the present time, for a call of the program.
    CmMachine now() {
        return services.now();
    }

    public void handle(long nowNs, InboundPacket packet) {
        services.handle(nowNs, packet);
        managed();
    }

    public void handleTimeout(long nowNs) {
        if (nowNs >= dueNs) {
            services.handleTimeout(nowNs);
            managed();
        }
    }

    public long pollTimeout() {
        return dueNs;
    }

    /// Whether messages wait to be sent.
    public boolean mayHaveMore() {
        return services.mayHaveMore();
    }

    /// It has done something, and may wait for something else.
    void managed() {
        dueNs = services.pollTimeout();
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
        throw ObjectRules.foreign(device.name, queuePair, "use one of this device");
    }

    /// Why a peer may not have answered.
    String noReplyFrom(Gid peer) {
        try (var _ = device.door.enter()) {
            int error = device.driver.lastError(peer);
            String usual =
                    "no reply; check the address, that its program runs, and that UDP %d is open"
                            .formatted(settings.udpPort);
            return error == 0 ? usual : "no reply. " + device.driver.explain(error);
        }
    }
}
