package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.wire.Deth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.PacketView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One seed of the campaign: two hosts, their endpoints, and the loop that moves and watches them.
final class CampaignRun {
    /// Far more than any seed needs; a run that gets here goes round in circles.
    private static final long STEPS_MAX = 20_000_000;

    /// A host that does not exist.
    static final int NOBODY = 7;

    final Plan plan;
    final Pair pair;
    final byte[] sourceBytes;
    final List<Host> hosts = new ArrayList<>();
    private final Groups groups;

    private final Campaign campaign;
    final int faultIndex;
    final int faultSide;
    private boolean progressed;

    CampaignRun(Campaign campaign, long seed, int messages) {
        this.campaign = campaign;
        sourceBytes = campaign.sourceBytes;
        plan = new Plan(seed, messages, campaign.selective);
        Choices choices = plan.choices;
        pair =
                new Pair(
                        2,
                        plan.layer,
                        campaign.flights,
                        plan.codec(),
                        (driver, index) ->
                                plan.options(
                                        new TransportOptions(
                                                        new SplittableRandom(choices.bits(64)),
                                                        driver)
                                                .carriesPhantoms(true),
                                        index));
        pair.manual = true;
        for (PairPort port : pair.ports) {
            plan.script(port.wire.script);
            plan.script(port.carrier);
        }
        faultIndex = plan.fault == null ? -1 : choices.between(0, plan.connections - 1);
        faultSide = choices.between(0, 1);
        int completionsMax = plan.connections * 128 + 1024;
        for (int i = 0; i < 2; i++) {
            hosts.add(
                    new Host(
                            i,
                            pair.device(i),
                            campaign.grounds.get(i),
                            sourceBytes,
                            completionsMax));
        }
        for (Host host : hosts) {
            if (plan.sharedReceives) {
                host.shared = new SharedPool(this, host, plan.longestOfAll());
            }
        }
        groups = new Groups(plan);
        pair.observer = new CampaignObserver(this);
        new Wiring(this).make();
    }

    Groups groups() {
        return groups;
    }

    List<UdEndpoint> stations(Host host) {
        return host.unreliable.stream()
                .filter(UdEndpoint.class::isInstance)
                .map(UdEndpoint.class::cast)
                .toList();
    }

    /// The datagram that a packet carries.
    UnreliableMessage letterOf(InboundPacket packet) {
        PacketView view = packet.view();
        int from = Deth.sourceQp(view.segment(), view.at(ExtendedHeader.DETH));
        for (Host host : hosts) {
            UnreliableEndpoint sender = host.looseOf(from);
            if (sender != null && isFrom(packet, host)) {
                return sender.sender().sentWith(view.psn());
            }
        }
        throw new AssertionError("a datagram from qp 0x%x, which is not ours".formatted(from));
    }

    private boolean isFrom(InboundPacket packet, Host host) {
        if (plan.layer == LinkLayer.INFINIBAND) {
            return packet.sourceLid() == host.index + 1;
        }
        Gid gid = plan.gid(host.index);
        return gid.high() == packet.sourceHigh() && gid.low() == packet.sourceLow();
    }

    int partitionOf(Host host, int index) {
        boolean wrong = index == faultIndex && plan.fault == Fault.WRONG_PARTITION;
        return wrong && host.index == faultSide ? 1 : 0;
    }

    boolean takesOwnReceives(int index) {
        return index == faultIndex && plan.fault != null && plan.fault.isAboutReceives();
    }

    boolean hasTooManyReads(int index) {
        return index == faultIndex && plan.fault == Fault.MORE_READS;
    }

    boolean readsForbidden(int index) {
        return index == faultIndex && plan.fault == Fault.OPERATION_NOT_ALLOWED;
    }

    /// Whether the two of a connection never could reach each other.
    boolean isDisconnected(int index) {
        return index == faultIndex
                && (plan.fault == Fault.WRONG_PARTITION
                        || plan.fault == Fault.MISADDRESSED
                        || plan.fault == Fault.MTU_MISMATCH);
    }

    void progress() {
        progressed = true;
    }

    /// Moves everything to its end, checks it, and takes it apart.
    void run() {
        long steps = 0;
        observe();
        while (true) {
            progressed = false;
            boolean moved = pair.step();
            if (!moved || ++steps % plan.pollEvery == 0) {
                observe();
            }
            if (!moved && !progressed) {
                break;
            }
            if (steps > STEPS_MAX) {
                throw new AssertionError("no end after " + steps + " steps");
            }
        }
        finish();
    }

    private void observe() {
        for (Host host : hosts) {
            drain(host);
        }
        for (Host host : hosts) {
            if (host.shared != null) {
                host.shared.advance();
            }
            for (int i = 0; i < host.endpoints.size(); i++) {
                RcEndpoint endpoint = host.endpoints.get(i);
                endpoint.receiver.advance();
                endpoint.sender.advance();
            }
            for (int i = 0; i < host.unreliable.size(); i++) {
                host.unreliable.get(i).advance();
            }
        }
    }

    /// Takes what the device has to tell.
    void drain(Host host) {
        while (true) {
            AsyncEvent event = host.device.pollEvent();
            if (event == null) {
                break;
            }
            handle(host, event);
        }
        while (true) {
            Completion completion = host.completions.poll();
            if (completion == null) {
                return;
            }
            progressed = true;
            pair.mix(completion.id() ^ ((long) completion.status().code() << 56));
            UnreliableEndpoint unreliable = host.looseOf(completion.queuePair());
            if (unreliable != null) {
                unreliable.complete(completion);
                continue;
            }
            RcEndpoint endpoint = host.laneOf(completion.queuePair());
            endpoint.require(!endpoint.gone, "a completion after the end of the queue pair");
            if (RcEndpoint.isReceive(completion.id())) {
                endpoint.receiver.complete(completion);
            } else {
                endpoint.sender.complete(completion);
            }
        }
    }

    private void handle(Host host, AsyncEvent event) {
        progressed = true;
        campaign.events.merge(event.type(), 1L, Long::sum);
        switch (event.type()) {
            case SEND_QUEUE_DRAINED -> {
                UnreliableEndpoint unreliable = host.looseOf(event.subject());
                if (unreliable != null) {
                    unreliable.sender().drained();
                    return;
                }
                RcEndpoint endpoint = host.laneOf(event.subject());
                if (endpoint.queuePair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
                    endpoint.queuePair.modify(QueuePairState.READY_TO_SEND, a -> {});
                }
            }
            case COMMUNICATION_ESTABLISHED -> {
                RcEndpoint endpoint = host.laneOf(event.subject());
                QueuePairAttributes send = endpoint.whenEstablished;
                endpoint.require(send != null, "established, but was ready to send");
                if (send != null) {
                    endpoint.whenEstablished = null;
                    endpoint.queuePair.modify(QueuePairState.READY_TO_SEND, a -> a.with(send));
                }
            }
            case QUEUE_PAIR_ACCESS_ERROR, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_FATAL -> {
                RcEndpoint endpoint = host.laneOf(event.subject());
                endpoint.require(endpoint.mayFlush(), "%s without a cause", event);
            }
            case SHARED_RECEIVE_LIMIT ->
                    Objects.requireNonNull(host.shared).limitReached(event.subject());
            case LAST_WORK_REQUEST -> {
                UnreliableEndpoint unreliable = host.looseOf(event.subject());
                if (unreliable != null) {
                    unreliable.lastRequests++;
                } else {
                    host.laneOf(event.subject()).lastRequests++;
                }
            }
            default -> throw new AssertionError("unexpected " + event);
        }
    }

    /// What the program of an endpoint, or the way between, does at the time of the fault.
    void strike(RcEndpoint endpoint, Fault fault) {
        long nowNs = pair.nowNs();
        RcEndpoint peer = endpoint.peer();
        switch (fault) {
            case DEAD -> {
                wireOf(endpoint).kill(peer.number, nowNs);
                wireOf(peer).kill(endpoint.number, nowNs);
            }
            case DEAF -> wireOf(endpoint).kill(peer.number, nowNs);
            case OUTAGE -> {
                long endNs = nowNs + plan.choices.between(1, 4_000_000);
                wireOf(endpoint).partition(nowNs, endNs);
                if (plan.choices.chance(0.5)) {
                    wireOf(peer).partition(nowNs, endNs);
                }
            }
            case MODIFY_TO_ERROR -> {
                endpoint.flushable = true;
                endpoint.queuePair.modify(QueuePairState.ERROR, a -> {});
            }
            case MODIFY_TO_RESET, CLOSE -> end(endpoint, fault == Fault.CLOSE);
            default -> {
                // Others strike by themselves.
            }
        }
    }

    private void end(RcEndpoint endpoint, boolean close) {
        drain(endpoint.host);
        if (endpoint.broken) {
            return;
        }
        if (close) {
            endpoint.queuePair.close();
        } else {
            endpoint.queuePair.modify(QueuePairState.RESET, a -> {});
        }
        endpoint.gone = true;
        endpoint.closed = close;
        endpoint.sender.abandon();
        endpoint.receiver.abandon();
    }

    private WireScript wireOf(RcEndpoint endpoint) {
        return pair.ports.get(endpoint.host.index).wire.script;
    }

    private void finish() {
        forEachLane(RcEndpoint::checkEnd);
        forEachLane(RcEndpoint::checkMemory);
        forEachLoose(member -> member.sender().checkEnd());
        forEachLoose(UnreliableEndpoint::stop);
        forEachLane(
                endpoint -> {
                    boolean healthy = endpoint.isHealthy();
                    if (!endpoint.gone && endpoint.queuePair.state() != QueuePairState.ERROR) {
                        endpoint.flushable = true;
                        endpoint.queuePair.modify(QueuePairState.ERROR, a -> {});
                    }
                    endpoint.wasHealthy = healthy;
                });
        hosts.forEach(this::drain);
        forEachLane(endpoint -> endpoint.receiver.checkEnd(endpoint.wasHealthy));
        forEachLane(RcEndpoint::checkLastRequest);
        forEachLoose(UnreliableEndpoint::checkStopped);
        for (Host host : hosts) {
            host.hostMemory.check();
            host.checkCounters();
            if (host.shared != null) {
                host.shared.checkEnd();
            }
        }
        campaign.collect(this);
        close();
        for (PairPort port : pair.ports) {
            checkNothingIsLeft(port.device.engine());
            if (port.isInGroups()) {
                throw new AssertionError("left behind: multicast groups");
            }
        }
        pair.close();
    }

    private void close() {
        boolean early = plan.choices.chance(0.5);
        for (Host host : hosts) {
            if (host.shared != null && early) {
                host.shared.close();
            }
        }
        forEachLane(
                endpoint -> {
                    endpoint.closeRegions();
                    endpoint.queuePair.close();
                });
        forEachLoose(UnreliableEndpoint::close);
        for (Host host : hosts) {
            if (host.shared != null) {
                host.shared.close();
            }
            host.close();
        }
    }

    private static void checkNothingIsLeft(Engine engine) {
        long work = engine.holds.work.used();
        int inline = engine.holds.inline.used();
        int regions = engine.memory.size();
        int queuePairs = engine.pairs.size();
        int windows = engine.windows.size();
        int paths = engine.paths.size();
        int inFlight = engine.reliable.window.inFlight();
        boolean isArmed = engine.timers.next() != TimerQueue.NEVER;
        boolean isLeft = (work | inline | regions | queuePairs | windows | paths | inFlight) != 0;
        if (isLeft || isArmed || !engine.scheduler.isIdle()) {
            throw new AssertionError(
                    ("left behind: %d requests, %d inline blocks, %d regions, %d queue pairs,"
                                    + " %d windows, %d paths, %d packets in flight")
                            .formatted(
                                    work, inline, regions, queuePairs, windows, paths, inFlight));
        }
    }

    private void forEachLane(Consumer<RcEndpoint> action) {
        for (Host host : hosts) {
            host.endpoints.forEach(action);
        }
    }

    private void forEachLoose(Consumer<UnreliableEndpoint> action) {
        for (Host host : hosts) {
            host.unreliable.forEach(action);
        }
    }

    @Nullable Fault fault() {
        return plan.fault;
    }
}
