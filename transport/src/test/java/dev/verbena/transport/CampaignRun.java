package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.Endpoint;
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

/// One seed of the campaign: two hosts, their lanes, and the loop that moves and watches them.
final class CampaignRun {
    /// Far more than any seed needs; a run that gets here goes round in circles.
    private static final long STEPS_MAX = 20_000_000;

    /// How members of unreliable services are numbered, beside the lanes.
    private static final int FIRST_STATION = 100;

    private static final int FIRST_LOOSE = 200;

    /// A host that does not exist.
    static final int NOBODY = 7;

    final Plan plan;
    final Pair pair;
    final byte[] sourceBytes;
    final List<Host> hosts = new ArrayList<>();
    private final Groups groups;

    private final Campaign campaign;
    private final int faultIndex;
    private final int faultSide;
    private boolean progressed;

    /// Whether the connection being made uses a GRH on InfiniBand.
    private boolean isGlobal;

    CampaignRun(Campaign campaign, long seed, int messages) {
        this.campaign = campaign;
        sourceBytes = campaign.sourceBytes;
        plan = new Plan(seed, messages);
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
                                                new SplittableRandom(choices.bits(64)), driver),
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
        pair.watcher = new CampaignWatcher(this);
        for (int i = 0; i < plan.connections; i++) {
            addConnection(i);
        }
        for (int i = 0; i < plan.looseConnections; i++) {
            addLooseConnection(FIRST_LOOSE + i);
        }
        addStations();
    }

    private void addLooseConnection(int index) {
        Choices choices = plan.choices;
        int mtu = 256 << choices.between(0, 4);
        int longest = plan.longest(mtu);
        List<LooseLane> both = new ArrayList<>();
        for (Host host : hosts) {
            int own = choices.chance(0.05) ? 256 << choices.between(0, 4) : mtu;
            LooseLane lane = new LooseLane(this, host, index, own, longest);
            host.loose.add(lane);
            both.add(lane);
        }
        int leftPsn = plan.psn();
        int rightPsn = plan.psn();
        both.get(0).join(both.get(1), leftPsn, rightPsn);
        both.get(1).join(both.get(0), rightPsn, leftPsn);
        int level = choices.between(0, 7);
        boolean global = choices.chance(0.5);
        for (int i = 0; i < 2; i++) {
            LooseLane lane = both.get(i);
            Endpoint peer = lane.peer().queuePair.endpoint();
            int sendPsn = i == 0 ? leftPsn : rightPsn;
            int receivePsn = i == 0 ? rightPsn : leftPsn;
            lane.queuePair.connect(
                    peer,
                    a ->
                            a.address(plan.address(peer, global).withServiceLevel(level))
                                    .pathMtu(lane.mtu)
                                    .sendPsn(sendPsn)
                                    .receivePsn(receivePsn));
        }
    }

    private void addStations() {
        int common = (int) plan.choices.bits(31);
        for (int i = 0; i < 2 * plan.stations; i++) {
            int key = plan.choices.chance(0.8) ? common : (int) plan.choices.bits(31);
            Host host = hosts.get(i % 2);
            host.loose.add(new Station(this, host, FIRST_STATION + i, key, plan.letters));
        }
    }

    Groups groups() {
        return groups;
    }

    List<Station> stations(Host host) {
        return host.loose.stream()
                .filter(Station.class::isInstance)
                .map(Station.class::cast)
                .toList();
    }

    /// The datagram that a packet carries.
    Letter letterOf(InboundPacket packet) {
        PacketView view = packet.view();
        int from = Deth.sourceQp(view.segment(), view.at(ExtendedHeader.DETH));
        for (Host host : hosts) {
            LooseMember sender = host.looseOf(from);
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

    private void addConnection(int index) {
        int mtu = 256 << plan.choices.between(0, 4);
        boolean mismatch = index == faultIndex && plan.fault == Fault.MTU_MISMATCH;
        int longest = mismatch ? 3 * mtu + 5 : plan.longest(mtu);
        List<Lane> both = new ArrayList<>();
        for (Host host : hosts) {
            boolean reads =
                    !(index == faultIndex
                            && plan.fault == Fault.OPERATION_NOT_ALLOWED
                            && host.index != faultSide);
            Lane lane = new Lane(this, host, index, mtu, longest, plan.messagesPerLane, reads);
            lane.retryCount = plan.choices.between(5, 7);
            host.lanes.add(lane);
            both.add(lane);
        }
        both.get(0).join(both.get(1));
        both.get(1).join(both.get(0));
        if (index == faultIndex) {
            prepareFault(both.get(faultSide));
        }
        connect(both.get(0), both.get(1), mtu);
    }

    private void prepareFault(Lane lane) {
        Choices choices = plan.choices;
        lane.fault = plan.fault;
        lane.faultAt = choices.between(0, plan.messagesPerLane - 1);
        Lane peer = lane.peer();
        switch (lane.fault) {
            case SMALL_RECEIVE -> peer.receiver.faultyReceive = choices.between(0, 8);
            case RECEIVE_MEMORY_GONE -> {
                peer.receiver.faultyReceive = choices.between(0, 8);
                peer.prepareGoing();
            }
            case SOURCE_MEMORY_GONE -> lane.prepareGoing();
            case MTU_MISMATCH -> {
                // Two that count a READ's packets differently agree on nothing afterwards.
                lane.sender.quota = 1;
                peer.sender.quota = 0;
            }
            case NO_RECEIVES -> lane.rnrRetry = choices.between(0, 3);
            case null, default -> {
                // Nothing to prepare.
            }
        }
        if (choices.chance(0.5)) {
            lane.retryCount = choices.between(0, 4);
            peer.retryCount = choices.between(0, 4);
        }
    }

    private void connect(Lane left, Lane right, int mtu) {
        Choices choices = plan.choices;
        // What either side may have in flight is what the other answers.
        int leftReads = choices.pick(List.of(1, 2, 4, 16));
        int rightReads = choices.pick(List.of(1, 2, 4, 16));
        int leftPsn = plan.psn();
        int rightPsn = plan.psn();
        int timeout = plan.needsNoTimer() ? 0 : choices.between(plan.shortestTimeout(), 14);
        int level = choices.between(0, 7);
        boolean late = choices.chance(0.2) && left.fault == null && right.fault == null;
        QueuePairAttributes base = new QueuePairAttributes().timeout(timeout).pathMtu(mtu);
        isGlobal = choices.chance(0.5);
        connect(left, base, level, leftPsn, rightPsn, leftReads, rightReads, false);
        connect(right, base, level, rightPsn, leftPsn, rightReads, leftReads, late);
        MessageNumbers.start(left, right, plan.messageNumber());
        MessageNumbers.start(right, left, plan.messageNumber());
        for (Lane lane : List.of(left, right)) {
            pair.log(lane.host.index, lane.number).mtu = mtu;
            if (lane.fault == null && lane.peer().fault == null && choices.chance(0.2)) {
                lane.drainAt = choices.between(1, plan.messagesPerLane);
            }
        }
    }

    private void connect(
            Lane lane,
            QueuePairAttributes base,
            int level,
            int sendPsn,
            int receivePsn,
            int reads,
            int peerReads,
            boolean late) {
        boolean misaddressed = lane.peer().fault == Fault.MISADDRESSED;
        Endpoint peer = lane.peer().queuePair.endpoint();
        Address address = plan.address(peer, isGlobal).withServiceLevel(level);
        if (misaddressed) {
            address = elsewhere(address);
        }
        int mtu = lane.fault == Fault.MTU_MISMATCH ? otherMtu(lane.mtu) : lane.mtu;
        QueuePairAttributes receive =
                new QueuePairAttributes()
                        .address(address)
                        .pathMtu(mtu)
                        .peerQueuePair(peer.queuePair())
                        .receivePsn(receivePsn)
                        .readsAsResponder(reads)
                        .minRnrTimer(plan.choices.between(1, 8));
        QueuePairAttributes send =
                new QueuePairAttributes()
                        .sendPsn(sendPsn)
                        .timeout(base.timeout())
                        .retryCount(lane.retryCount)
                        .rnrRetry(lane.rnrRetry)
                        .readsAsInitiator(peerReads + (lane.fault == Fault.MORE_READS ? 3 : 0));
        if (plan.choices.chance(0.1)) {
            send.rateLimit(plan.choices.between(1_000_000_000L, 100_000_000_000L));
        }
        // Connecting refuses a peer of another partition; its packets must be dropped all the same.
        boolean apart = peer.partitionKey() != lane.queuePair.endpoint().partitionKey();
        if (!late && !apart) {
            lane.queuePair.connect(peer, a -> a.with(receive).with(send));
            return;
        }
        lane.queuePair.modify(QueuePairState.READY_TO_RECEIVE, a -> a.with(receive));
        if (late) {
            lane.whenEstablished = send;
        } else {
            lane.queuePair.modify(QueuePairState.READY_TO_SEND, a -> a.with(send));
        }
    }

    private Address elsewhere(Address address) {
        int lid = plan.layer == LinkLayer.INFINIBAND ? NOBODY + 1 : 0;
        Gid gid = address.gid().equals(Gid.NONE) ? Gid.NONE : plan.gid(NOBODY);
        return new Address(lid, gid, address.serviceLevel(), 0, 0, 64, 0, address.udpPort());
    }

    private static int otherMtu(int mtu) {
        return mtu == 256 ? 1024 : mtu / 2;
    }

    int partitionOf(Host host, int index) {
        boolean wrong = index == faultIndex && plan.fault == Fault.WRONG_PARTITION;
        return wrong && host.index == faultSide ? 1 : 0;
    }

    boolean takesOwnReceives(int index) {
        return index == faultIndex && plan.fault != null && plan.fault.isAboutReceives();
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
            for (int i = 0; i < host.lanes.size(); i++) {
                Lane lane = host.lanes.get(i);
                lane.receiver.advance();
                lane.sender.advance();
            }
            for (int i = 0; i < host.loose.size(); i++) {
                host.loose.get(i).advance();
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
            LooseMember loose = host.looseOf(completion.queuePair());
            if (loose != null) {
                loose.complete(completion);
                continue;
            }
            Lane lane = host.laneOf(completion.queuePair());
            lane.require(!lane.gone, "a completion after the end of the queue pair");
            if (Lane.isReceive(completion.id())) {
                lane.receiver.complete(completion);
            } else {
                lane.sender.complete(completion);
            }
        }
    }

    private void handle(Host host, AsyncEvent event) {
        progressed = true;
        campaign.events.merge(event.type(), 1L, Long::sum);
        switch (event.type()) {
            case SEND_QUEUE_DRAINED -> {
                Lane lane = host.laneOf(event.subject());
                if (lane.queuePair.state() == QueuePairState.SEND_QUEUE_DRAINED) {
                    lane.queuePair.modify(QueuePairState.READY_TO_SEND, a -> {});
                }
            }
            case COMMUNICATION_ESTABLISHED -> {
                Lane lane = host.laneOf(event.subject());
                QueuePairAttributes send = lane.whenEstablished;
                lane.require(send != null, "established, but was ready to send");
                if (send != null) {
                    lane.whenEstablished = null;
                    lane.queuePair.modify(QueuePairState.READY_TO_SEND, a -> a.with(send));
                }
            }
            case QUEUE_PAIR_ACCESS_ERROR, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_FATAL -> {
                Lane lane = host.laneOf(event.subject());
                lane.require(lane.mayFlush(), "%s without a cause", event);
            }
            case SHARED_RECEIVE_LIMIT ->
                    Objects.requireNonNull(host.shared).limitReached(event.subject());
            case LAST_WORK_REQUEST -> {
                LooseMember loose = host.looseOf(event.subject());
                if (loose != null) {
                    loose.lastRequests++;
                } else {
                    host.laneOf(event.subject()).lastRequests++;
                }
            }
            default -> throw new AssertionError("nobody expects " + event);
        }
    }

    /// What the program of a lane, or the way between, does at the time of the fault.
    void strike(Lane lane, Fault fault) {
        long nowNs = pair.nowNs();
        Lane peer = lane.peer();
        switch (fault) {
            case DEAD -> {
                wireOf(lane).kill(peer.number, nowNs);
                wireOf(peer).kill(lane.number, nowNs);
            }
            case DEAF -> wireOf(lane).kill(peer.number, nowNs);
            case OUTAGE -> {
                long endNs = nowNs + plan.choices.between(1, 4_000_000);
                wireOf(lane).partition(nowNs, endNs);
                if (plan.choices.chance(0.5)) {
                    wireOf(peer).partition(nowNs, endNs);
                }
            }
            case MODIFY_TO_ERROR -> {
                lane.flushable = true;
                lane.queuePair.modify(QueuePairState.ERROR, a -> {});
            }
            case MODIFY_TO_RESET, CLOSE -> end(lane, fault == Fault.CLOSE);
            default -> {
                // Others strike by themselves.
            }
        }
    }

    private void end(Lane lane, boolean close) {
        drain(lane.host);
        if (lane.broken) {
            return;
        }
        if (close) {
            lane.queuePair.close();
        } else {
            lane.queuePair.modify(QueuePairState.RESET, a -> {});
        }
        lane.gone = true;
        lane.closed = close;
        lane.sender.abandon();
        lane.receiver.abandon();
    }

    private WireScript wireOf(Lane lane) {
        return pair.ports.get(lane.host.index).wire.script;
    }

    private void finish() {
        forEachLane(Lane::checkEnd);
        forEachLane(Lane::checkMemory);
        forEachLoose(member -> member.sender().checkEnd());
        forEachLoose(LooseMember::stop);
        forEachLane(
                lane -> {
                    boolean healthy = lane.isHealthy();
                    if (!lane.gone && lane.queuePair.state() != QueuePairState.ERROR) {
                        lane.flushable = true;
                        lane.queuePair.modify(QueuePairState.ERROR, a -> {});
                    }
                    lane.wasHealthy = healthy;
                });
        hosts.forEach(this::drain);
        forEachLane(lane -> lane.receiver.checkEnd(lane.wasHealthy));
        forEachLane(Lane::checkLastRequest);
        forEachLoose(LooseMember::checkStopped);
        for (Host host : hosts) {
            host.ground.check();
            host.checkCounters();
            if (host.shared != null) {
                host.shared.checkEnd();
            }
        }
        campaign.collect(this);
        close();
        for (PairPort port : pair.ports) {
            checkNothingIsLeft(port.device.engine());
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
                lane -> {
                    lane.closeRegions();
                    lane.queuePair.close();
                });
        forEachLoose(LooseMember::close);
        for (Host host : hosts) {
            if (host.shared != null) {
                host.shared.close();
            }
            host.close();
        }
    }

    private static void checkNothingIsLeft(Engine engine) {
        long work = engine.work.used();
        int inline = engine.inline.used();
        int regions = engine.memory.size();
        int queuePairs = engine.pairs.size();
        int windows = engine.windows.size();
        int paths = engine.paths.size();
        boolean isArmed = engine.timers.next() != TimerQueue.NEVER;
        boolean isLeft = (work | inline | regions | queuePairs | windows | paths) != 0;
        if (isLeft || isArmed || !engine.scheduler.isIdle()) {
            throw new AssertionError(
                    ("left behind: %d requests, %d inline blocks, %d regions, %d queue pairs,"
                                    + " %d windows, %d paths")
                            .formatted(work, inline, regions, queuePairs, windows, paths));
        }
    }

    private void forEachLane(Consumer<Lane> action) {
        for (Host host : hosts) {
            host.lanes.forEach(action);
        }
    }

    private void forEachLoose(Consumer<LooseMember> action) {
        for (Host host : hosts) {
            host.loose.forEach(action);
        }
    }

    @Nullable Fault fault() {
        return plan.fault;
    }
}
