package dev.verbena.job.flow;

import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;

/// One lane of a rank's plan: its sends, its grants, and its receives, each in their order, as
/// [dev.verbena.collectives.run.Run] carries them out.
final class FlowLane {
    /// Sends of a lane that are not acknowledged, at most.
    private static final int WINDOW = 64;

    private static final long NOT_YET = -1;

    private final FlowRank rank;
    private final Plan plan;
    private final int number;
    private final int elementBytes;
    private final int shortBytes;
    private final int grants;
    private final int sends;
    private final int receives;
    private final Step send = new Step();
    private final Step grant = new Step();
    private final Step receive = new Step();

    /// By send, in turn, when the sender knows that it has arrived.
    private final long[] acknowledgedPs = new long[WINDOW];

    private int sent;
    private int granted;
    private int received;
    private int acknowledged;
    private boolean awaitsAcknowledgement;
    private long sendReadyPs = NOT_YET;
    private long receiveReadyPs = NOT_YET;

    FlowLane(FlowRank rank, Plan plan, int number, int elementBytes, int shortBytes, int grants) {
        this.rank = rank;
        this.plan = plan;
        this.number = number;
        this.elementBytes = elementBytes;
        this.shortBytes = shortBytes;
        this.grants = grants;
        sends = plan.sends(number);
        receives = plan.receives(number);
        loadSend();
        loadGrant();
        loadReceive();
    }

    private void loadSend() {
        if (sent < sends) {
            plan.send(number, sent, send);
        }
    }

    private void loadGrant() {
        if (granted < receives) {
            plan.receive(number, granted, grant);
        }
    }

    private void loadReceive() {
        if (received < receives) {
            plan.receive(number, received, receive);
        }
    }

    int received() {
        return received;
    }

    /// Whether all is sent, received and acknowledged; if only acknowledgements are missing, the
    /// rank is woken when they are there.
    boolean isDone(long nowPs) {
        return received == receives && sent == sends && areAcknowledged(sends, nowPs);
    }

    /// Whether the first so many sends are acknowledged; if not, the rank is woken when they are.
    private boolean areAcknowledged(int count, long nowPs) {
        while (acknowledged < sent && acknowledgedPs[acknowledged % WINDOW] <= nowPs) {
            acknowledged++;
        }
        if (acknowledged >= count) {
            return true;
        }
        long latestPs = 0;
        for (int i = acknowledged; i < Math.min(count, sent); i++) {
            latestPs = Math.max(latestPs, acknowledgedPs[i % WINDOW]);
        }
        if (latestPs == Timeline.NEVER) {
            awaitsAcknowledgement = true;
        } else if (latestPs > nowPs) {
            rank.wakeAt(latestPs);
        }
        return false;
    }

    void acknowledgedAt(int index, long timePs) {
        acknowledgedPs[index % WINDOW] = timePs;
        if (awaitsAcknowledgement) {
            awaitsAcknowledgement = false;
            rank.wakeAt(timePs);
        }
    }

    private boolean may(Step step, long nowPs) {
        return rank.lane(step.receivesLane).received >= step.receives
                && (step.sends == 0
                        || rank.lane(step.sendsLane).areAcknowledged(step.sends, nowPs));
    }

    /// Does what can be done; returns whether there was anything.
    boolean advance(long nowPs) {
        boolean any = false;
        while (received < receives && receive(nowPs)) {
            any = true;
        }
        while (granted < receives && grant(nowPs)) {
            any = true;
        }
        while (sent < sends && send(nowPs)) {
            any = true;
        }
        return any;
    }

    private boolean receive(long nowPs) {
        Channel from = rank.from(receive.peer, number);
        long bytes = receive.count * elementBytes;
        boolean isShort = bytes <= shortBytes;
        boolean isHere = isShort ? from.hasShort() : received < granted && from.hasLong();
        if (!isHere || !may(receive, nowPs)) {
            return false;
        }
        if (receiveReadyPs == NOT_YET) {
            receiveReadyPs = rank.receiveReadyPs(nowPs, bytes, receive.combines, receive.peer);
        }
        if (receiveReadyPs > nowPs) {
            rank.wakeAt(receiveReadyPs);
            return false;
        }
        receiveReadyPs = NOT_YET;
        if (isShort) {
            from.takeShort(nowPs);
        } else {
            from.takeLong();
        }
        received++;
        if (granted < received) {
            granted = received;
            loadGrant();
        }
        loadReceive();
        return true;
    }

    private boolean grant(long nowPs) {
        if (granted - received >= grants) {
            return false;
        }
        if (grant.count * elementBytes > shortBytes) {
            Channel from = rank.from(grant.peer, number);
            // What is combined has memory of its own to arrive in; other memory must be free.
            if (!from.canGrant() || (!grant.combines && !may(grant, nowPs))) {
                return false;
            }
            from.grant(nowPs);
        }
        granted++;
        loadGrant();
        return true;
    }

    private boolean send(long nowPs) {
        boolean isFull =
                sent - acknowledged >= WINDOW && !areAcknowledged(sent - WINDOW + 1, nowPs);
        if (isFull || !may(send, nowPs)) {
            return false;
        }
        Channel to = rank.to(send.peer, number);
        long bytes = send.count * elementBytes;
        boolean isShort = bytes <= shortBytes;
        if (!(isShort ? to.canSendShort() : to.hasGrant(nowPs))) {
            return false;
        }
        if (sendReadyPs == NOT_YET) {
            sendReadyPs = rank.sendReadyPs(nowPs, bytes, send.peer);
        }
        if (sendReadyPs > nowPs) {
            rank.wakeAt(sendReadyPs);
            return false;
        }
        sendReadyPs = NOT_YET;
        acknowledgedPs[sent % WINDOW] = isShort ? nowPs : Timeline.NEVER;
        if (isShort) {
            to.sendShort(bytes, nowPs);
        } else {
            to.sendLong(bytes, sent, nowPs);
        }
        sent++;
        loadSend();
        return true;
    }
}
