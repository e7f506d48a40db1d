package dev.verbena.transport;

import dev.verbena.transport.carrier.IcrcSeal;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceLife;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.EventQueue;
import dev.verbena.transport.common.GuardedEntry;
import dev.verbena.transport.connect.Connections;
import dev.verbena.transport.datagram.MulticastTable;
import dev.verbena.transport.datagram.UnreliableService;
import dev.verbena.transport.manage.Management;
import dev.verbena.transport.memory.MemoryTable;
import dev.verbena.transport.memory.WindowTable;
import dev.verbena.transport.pair.Admission;
import dev.verbena.transport.pair.Congestion;
import dev.verbena.transport.pair.PairSettings;
import dev.verbena.transport.pair.RequestWriter;
import dev.verbena.transport.path.PathTable;
import dev.verbena.transport.reliable.ReliableService;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.transport.work.BatchPool;
import dev.verbena.transport.work.CompletionQueueTable;
import dev.verbena.transport.work.SharedReceivesTable;
import dev.verbena.transport.work.WorkHolds;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Psn;

/// The parts of a device, and how they are put together: the list of all that a device consists of.
final class Engine {
    final DeviceSettings settings;
    final DeviceLife life;
    final Counters counters = new Counters();
    final Seal seal = new IcrcSeal();
    final EventQueue events;
    final Scheduler scheduler;
    final TimerQueue timers = new TimerQueue();
    final PathTable paths;
    final MemoryTable memory;
    final WindowTable windows;
    final WorkHolds holds;
    final BatchPool batches;
    final SharedReceivesTable shared;
    final CompletionQueueTable completions;
    final QueuePairTable pairs;
    final Admission admission = new Admission(counters);
    final Congestion congestion;
    final ReliableService reliable;
    final UnreliableService unreliable;
    final MulticastTable multicast;
    final Management management;
    final Connections connections;

    Engine(Object device, DeviceSettings settings) {
        this.settings = settings;
        GuardedEntry entry = new GuardedEntry(settings.guard, settings.notices);
        life = new DeviceLife(device, settings.name, settings.driver, entry);
        events = new EventQueue(settings.limits.pendingEvents(), counters);
        scheduler = new Scheduler(settings.burstBytes, settings.driver);
        paths = new PathTable(settings);
        memory = new MemoryTable(settings.limits.memoryRegions(), settings.random, counters);
        windows = new WindowTable(settings, entry, memory);
        holds = new WorkHolds(settings, memory, windows, paths, counters);
        batches =
                new BatchPool(
                        entry,
                        holds,
                        settings.limits,
                        settings.port.now().attributes().activeMtu());
        shared = new SharedReceivesTable(life, settings.limits, holds, batches, events);
        completions = new CompletionQueueTable(life, settings, events, counters);
        pairs = new QueuePairTable(settings);
        congestion = new Congestion(settings, counters, paths, scheduler);
        RequestWriter requests = new RequestWriter(holds, settings.readPackets);
        reliable = new ReliableService(settings, holds, requests);
        unreliable = new UnreliableService(settings, holds, requests);
        multicast = new MulticastTable(settings, counters);
        management = new Management(settings, counters, paths, scheduler, seal);
        connections = new Connections(life, settings, holds, management, scheduler);
    }

    /// The settings that a queue pair has before its program gives any.
    PairSettings firstSettings(QueuePairType type) {
        boolean isMarkable =
                settings.congestion != null
                        ? type != QueuePairType.UD
                        : settings.control != null && type == QueuePairType.RC;
        int reads = Math.min(settings.reads, settings.limits.readsAsResponder());
        PairSettings first = new PairSettings(seal, isMarkable, freshPsn(), reads);
        // A datagram is as long as the port allows; connections agree on theirs.
        return type == QueuePairType.UD
                ? first.with(
                        new QueuePairAttributes()
                                .pathMtu(settings.port.now().attributes().activeMtu()))
                : first;
    }

    int freshPsn() {
        return settings.random.nextInt(Psn.MASK + 1);
    }
}
