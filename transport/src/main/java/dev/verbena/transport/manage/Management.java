package dev.verbena.transport.manage;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.ManagementAgent;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.carrier.Seal;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.path.PathTable;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The management agents of a device, their queue pairs and their deadlines. Queue pair 0 is there
/// once an agent is registered for it; queue pair 1 always, for the connection manager.
public final class Management {
    /// The queue pair of the subnet manager, and that of all other managers.
    public static final int SUBNET = 0;

    public static final int GENERAL = 1;

    private static final int CLASS_MAX = 0xFF;

    private record Registered(int queuePair, int managementClass, ManagementAgent agent) {}

    private final DeviceSettings settings;
    private final Counters counters;
    private final PathTable paths;
    private final Scheduler scheduler;
    private final Seal seal;
    private final @Nullable ManagementPair[] pairs = new ManagementPair[GENERAL + 1];
    private final List<Registered> agents = new ArrayList<>(1);

    /// When an agent wants to be looked at: kept, since it is asked after every packet.
    private long dueNs = Long.MAX_VALUE;

    public Management(
            DeviceSettings settings,
            Counters counters,
            PathTable paths,
            Scheduler scheduler,
            Seal seal) {
        this.settings = settings;
        this.counters = counters;
        this.paths = paths;
        this.scheduler = scheduler;
        this.seal = seal;
    }

    /// Lets an agent take a class of datagrams; returns how its own leave.
    public ManagementOutlet register(int queuePair, int managementClass, ManagementAgent agent) {
        if (queuePair < SUBNET || queuePair > GENERAL) {
            throw new InvalidRequestException(
                    settings.name, "no management by queue pair " + queuePair, "use 0 or 1");
        }
        if (managementClass < 0 || managementClass > CLASS_MAX) {
            throw new InvalidRequestException(
                    settings.name, "no management class " + managementClass, "use 0 to 255");
        }
        if (agentOf(queuePair, managementClass) != null) {
            throw new InvalidRequestException(
                    settings.name,
                    "an agent already takes management class 0x%02x".formatted(managementClass),
                    "register one agent for each class");
        }
        ManagementPair pair = pairs[queuePair];
        if (pair == null) {
            pair = new ManagementPair(queuePair, settings, counters, paths, scheduler, seal);
            pairs[queuePair] = pair;
        }
        agents.add(new Registered(queuePair, managementClass, agent));
        return pair;
    }

    private @Nullable ManagementAgent agentOf(int queuePair, int managementClass) {
        for (int i = 0; i < agents.size(); i++) {
            Registered one = agents.get(i);
            if (one.queuePair == queuePair && one.managementClass == managementClass) {
                return one.agent;
            }
        }
        return null;
    }

    /// Takes a packet to queue pair 0 or 1; false when no agent is behind it.
    public boolean handle(long nowNs, int queuePair, InboundPacket packet) {
        ManagementPair pair = queuePair > GENERAL ? null : pairs[queuePair];
        if (pair == null) {
            return false;
        }
        boolean isTaken = pair.admits(packet) && isTaken(nowNs, queuePair, pair, packet);
        counters.add(isTaken ? Counter.RECEIVED_MANAGEMENT : Counter.DROPPED_MANAGEMENT);
        settle();
        return true;
    }

    private boolean isTaken(long nowNs, int queuePair, ManagementPair pair, InboundPacket packet) {
        MemorySegment bytes = packet.view().payloadSegment();
        long at = packet.view().payloadAt();
        ManagementAgent agent = agentOf(queuePair, Mad.managementClass(bytes, at));
        return agent != null && agent.handle(nowNs, pair.wayBack(packet), bytes, at);
    }

    public void handleTimeout(long nowNs) {
        if (nowNs < dueNs) {
            return;
        }
        for (int i = 0; i < agents.size(); i++) {
            ManagementAgent agent = agents.get(i).agent;
            if (agent.pollTimeout() <= nowNs) {
                agent.handleTimeout(nowNs);
            }
        }
        settle();
    }

    public long pollTimeout() {
        return dueNs;
    }

    /// An agent has done something, and may wait for something else.
    public void settle() {
        long earliestNs = Long.MAX_VALUE;
        for (int i = 0; i < agents.size(); i++) {
            earliestNs = Math.min(earliestNs, agents.get(i).agent.pollTimeout());
        }
        dueNs = earliestNs;
    }

    /// Whether datagrams wait to be sent.
    public boolean mayHaveMore() {
        for (ManagementPair pair : pairs) {
            if (pair != null && pair.mayHaveMore()) {
                return true;
            }
        }
        return false;
    }
}
