package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/// Makes the queue pairs of a seed and connects them, rightly or as its fault wants it.
final class Wiring {
    /// How members of unreliable services are numbered, beside the endpoints.
    private static final int FIRST_STATION = 100;

    private static final int FIRST_LOOSE = 200;

    private final CampaignRun run;
    private final Plan plan;

    /// Whether the connection being made uses a GRH on InfiniBand.
    private boolean isGlobal;

    Wiring(CampaignRun run) {
        this.run = run;
        this.plan = run.plan;
    }

    void make() {
        for (int i = 0; i < plan.connections; i++) {
            addConnection(i);
        }
        for (int i = 0; i < plan.looseConnections; i++) {
            addLooseConnection(FIRST_LOOSE + i);
        }
        addStations();
    }

    private void addConnection(int index) {
        int mtu = 256 << plan.choices.between(0, 4);
        boolean mismatch = index == run.faultIndex && plan.fault == Fault.MTU_MISMATCH;
        int longest = mismatch ? 3 * mtu + 5 : plan.longest(mtu);
        List<RcEndpoint> both = new ArrayList<>();
        for (Host host : run.hosts) {
            boolean reads =
                    !(index == run.faultIndex
                            && plan.fault == Fault.OPERATION_NOT_ALLOWED
                            && host.index != run.faultSide);
            RcEndpoint endpoint =
                    new RcEndpoint(run, host, index, mtu, longest, plan.messagesPerLane, reads);
            endpoint.retryCount = plan.choices.between(5, 7);
            host.endpoints.add(endpoint);
            both.add(endpoint);
        }
        both.get(0).join(both.get(1));
        both.get(1).join(both.get(0));
        if (index == run.faultIndex) {
            prepareFault(both.get(run.faultSide));
        }
        connect(both.get(0), both.get(1), mtu);
    }

    private void prepareFault(RcEndpoint endpoint) {
        Choices choices = plan.choices;
        endpoint.fault = plan.fault;
        endpoint.faultAt = choices.between(0, plan.messagesPerLane - 1);
        RcEndpoint peer = endpoint.peer();
        switch (endpoint.fault) {
            case SMALL_RECEIVE -> peer.receiver.faultyReceive = choices.between(0, 8);
            case RECEIVE_MEMORY_GONE -> {
                peer.receiver.faultyReceive = choices.between(0, 8);
                peer.prepareGoing();
            }
            case SOURCE_MEMORY_GONE -> endpoint.prepareGoing();
            case MTU_MISMATCH -> {
                // Two that count a READ's packets differently agree on nothing afterwards.
                endpoint.sender.quota = 1;
                peer.sender.quota = 0;
            }
            case NO_RECEIVES -> endpoint.rnrRetry = choices.between(0, 3);
            case null, default -> {
                // Nothing to prepare.
            }
        }
        if (choices.chance(0.5)) {
            endpoint.retryCount = choices.between(0, 4);
            peer.retryCount = choices.between(0, 4);
        }
    }

    private void connect(RcEndpoint left, RcEndpoint right, int mtu) {
        Choices choices = plan.choices;
        // What either side may have in flight is what the other answers.
        List<Integer> most = run.hasTooManyReads(left.index) ? List.of(1) : List.of(1, 2, 4, 16);
        int leftReads = choices.pick(most);
        int rightReads = choices.pick(most);
        int leftPsn = plan.psn();
        int rightPsn = plan.psn();
        int timeout = plan.needsNoTimer() ? 0 : choices.between(plan.shortestTimeout(), 14);
        int level = choices.between(0, 7);
        // Who changes states by itself does not say what the peer has offered.
        boolean late =
                choices.chance(0.2) && left.fault == null && right.fault == null && !plan.selective;
        QueuePairAttributes base = new QueuePairAttributes().timeout(timeout).pathMtu(mtu);
        isGlobal = choices.chance(0.5);
        connect(left, base, level, leftPsn, rightPsn, leftReads, rightReads, false);
        connect(right, base, level, rightPsn, leftPsn, rightReads, leftReads, late);
        MessageNumbers.start(left, right, plan.messageNumber());
        MessageNumbers.start(right, left, plan.messageNumber());
        for (RcEndpoint endpoint : List.of(left, right)) {
            QueuePairLog log = run.pair.log(endpoint.host.index, endpoint.number);
            log.mtu = mtu;
            log.selective = plan.selective;
            if (endpoint.fault == null && endpoint.peer().fault == null && choices.chance(0.2)) {
                endpoint.drainAt = choices.between(1, plan.messagesPerLane);
            }
        }
    }

    private void connect(
            RcEndpoint endpoint,
            QueuePairAttributes base,
            int level,
            int sendPsn,
            int receivePsn,
            int reads,
            int peerReads,
            boolean late) {
        boolean misaddressed = endpoint.peer().fault == Fault.MISADDRESSED;
        Endpoint peer = endpoint.peer().queuePair.endpoint();
        Address address = plan.address(peer, isGlobal).withServiceLevel(level);
        if (misaddressed) {
            address = elsewhere(address);
        }
        int mtu = endpoint.fault == Fault.MTU_MISMATCH ? otherMtu(endpoint.mtu) : endpoint.mtu;
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
                        .retryCount(endpoint.retryCount)
                        .rnrRetry(endpoint.rnrRetry)
                        .readsAsInitiator(peerReads + (endpoint.fault == Fault.MORE_READS ? 3 : 0));
        if (plan.choices.chance(0.1)) {
            send.rateLimit(plan.choices.between(1_000_000_000L, 100_000_000_000L));
        }
        // Connecting refuses a peer of another partition; its packets must be dropped all the same.
        boolean apart = peer.partitionKey() != endpoint.queuePair.endpoint().partitionKey();
        if (!late && !apart) {
            endpoint.queuePair.connect(peer, a -> a.with(receive).with(send));
            return;
        }
        endpoint.queuePair.modify(QueuePairState.READY_TO_RECEIVE, a -> a.with(receive));
        if (late) {
            endpoint.whenEstablished = send;
        } else {
            endpoint.queuePair.modify(QueuePairState.READY_TO_SEND, a -> a.with(send));
        }
    }

    private Address elsewhere(Address address) {
        int lid = plan.layer == LinkLayer.INFINIBAND ? CampaignRun.NOBODY + 1 : 0;
        Gid gid = address.gid().equals(Gid.NONE) ? Gid.NONE : plan.gid(CampaignRun.NOBODY);
        return new Address(lid, gid, address.serviceLevel(), 0, 0, 64, 0, address.udpPort());
    }

    private static int otherMtu(int mtu) {
        return mtu == 256 ? 1024 : mtu / 2;
    }

    private void addLooseConnection(int index) {
        Choices choices = plan.choices;
        int mtu = 256 << choices.between(0, 4);
        int longest = plan.looseLongest(mtu);
        List<UcEndpoint> both = new ArrayList<>();
        for (Host host : run.hosts) {
            int own = choices.chance(0.05) ? 256 << choices.between(0, 4) : mtu;
            UcEndpoint endpoint = new UcEndpoint(run, host, index, own, longest);
            host.unreliable.add(endpoint);
            both.add(endpoint);
        }
        int leftPsn = plan.psn();
        int rightPsn = plan.psn();
        both.get(0).join(both.get(1), leftPsn, rightPsn);
        both.get(1).join(both.get(0), rightPsn, leftPsn);
        int level = choices.between(0, 7);
        boolean global = choices.chance(0.5);
        for (int i = 0; i < 2; i++) {
            UcEndpoint endpoint = both.get(i);
            Endpoint peer = endpoint.peer().queuePair.endpoint();
            int sendPsn = i == 0 ? leftPsn : rightPsn;
            int receivePsn = i == 0 ? rightPsn : leftPsn;
            endpoint.queuePair.connect(
                    peer,
                    a ->
                            a.address(plan.address(peer, global).withServiceLevel(level))
                                    .pathMtu(endpoint.mtu)
                                    .sendPsn(sendPsn)
                                    .receivePsn(receivePsn));
        }
    }

    private void addStations() {
        int common = (int) plan.choices.bits(31);
        for (int i = 0; i < 2 * plan.stations; i++) {
            int key = plan.choices.chance(0.8) ? common : (int) plan.choices.bits(31);
            Host host = run.hosts.get(i % 2);
            host.unreliable.add(
                    new UdEndpoint(run, host, FIRST_STATION + i, key, plan.unreliableMessages));
        }
    }
}
