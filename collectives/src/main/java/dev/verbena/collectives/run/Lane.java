package dev.verbena.collectives.run;

import dev.verbena.collectives.link.Link;
import dev.verbena.collectives.link.Links;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.plan.Place;
import dev.verbena.collectives.plan.Plan;
import dev.verbena.collectives.plan.Step;
import dev.verbena.collectives.trace.StepTrace;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One lane of a plan that is being carried out: its sends, its grants for long messages, and its
/// receives, each in their order.
final class Lane {
    private static final long NOT_YET = -1;

    private final Run run;
    private final Links links;
    private final int number;
    private final int shortBytes;
    private final Step send = new Step();
    private final Step grant = new Step();
    private final Step receive = new Step();
    private final AckWindow acks = new AckWindow();
    private @Nullable Plan plan;
    private @Nullable LaneTrace trace;
    private int sends;
    private int receives;
    private long slotBytes;

    private int sent;
    private int granted;
    private int received;

    /// Messages that were or will be combined out of landing memory.
    private long landings;

    private long landed;

    /// When the next send is prepared and the next receive is dealt with, where that takes time.
    private long sendReadyNs;

    private long receiveReadyNs;

    Lane(Run run, Links links, int number) {
        this.run = run;
        this.links = links;
        this.number = number;
        shortBytes = links.settings().shortBytes();
    }

    void begin(Plan next, long slotSize, @Nullable StepTrace wanted) {
        plan = next;
        if (wanted == null) {
            trace = null;
        } else if (trace == null || !trace.isOf(wanted)) {
            trace = new LaneTrace(wanted, number);
        }
        slotBytes = slotSize;
        sends = next.sends(number);
        receives = next.receives(number);
        sent = 0;
        granted = 0;
        received = 0;
        landings = 0;
        landed = 0;
        sendReadyNs = NOT_YET;
        receiveReadyNs = NOT_YET;
        acks.reset();
        loadSend();
        loadGrant();
        loadReceive();
    }

    private void loadSend() {
        if (sent < sends) {
            plan().send(number, sent, send);
        }
    }

    private void loadGrant() {
        if (granted < receives) {
            plan().receive(number, granted, grant);
        }
    }

    private void loadReceive() {
        if (received < receives) {
            plan().receive(number, received, receive);
        }
    }

    private Plan plan() {
        return Objects.requireNonNull(plan, "a lane has its plan before it goes on");
    }

    boolean isDone() {
        return received == receives && acks.count() == sends;
    }

    void acknowledged(int index) {
        acks.acknowledged(index);
        if (trace != null) {
            trace.acknowledged(index);
        }
    }

    /// Does what can be done; returns whether there was anything.
    boolean advance(long nowNs) {
        boolean any = false;
        while (received < receives && receive(nowNs)) {
            any = true;
        }
        while (granted < receives && grant()) {
            any = true;
        }
        while (sent < sends && send(nowNs)) {
            any = true;
        }
        return any;
    }

    private boolean may(Step step) {
        return run.lane(step.receivesLane).received >= step.receives
                && run.lane(step.sendsLane).acks.count() >= step.sends;
    }

    // ---- receives

    private boolean receive(long nowNs) {
        Link link = links.link(receive.peer, number);
        long bytes = receive.count * run.elementBytes();
        boolean isShort = bytes <= shortBytes;
        boolean isHere = isShort ? link.hasShort() : received < granted && link.hasLong();
        if (trace != null) {
            trace.receives();
        }
        if (!isHere || !may(receive)) {
            return false;
        }
        if (trace != null) {
            trace.dataIsHere();
        }
        if (isShort && link.shortLength() != bytes) {
            disagree(link, link.shortLength(), bytes);
            return false;
        }
        if (receiveReadyNs == NOT_YET) {
            receiveReadyNs = run.receiveReadyNs(nowNs, bytes, receive.combines, receive.peer);
        }
        if (receiveReadyNs > nowNs) {
            return false;
        }
        receiveReadyNs = NOT_YET;
        if (isShort) {
            run.take(receive, link.slotBytes(), link.slotOffset());
            link.takeShort();
        } else {
            takeLong(link);
        }
        if (trace != null) {
            trace.received(receive, received, bytes);
        }
        received++;
        if (granted < received) {
            granted = received;
            loadGrant();
        }
        loadReceive();
        return true;
    }

    private void takeLong(Link link) {
        if (receive.combines) {
            RankMemory landing = run.landing();
            run.take(receive, landing.bytes(), landingAt(landed++));
        }
        link.takeLong();
    }

    private long landingAt(long index) {
        return ((long) number * run.grants() + index % run.grants()) * slotBytes;
    }

    private void disagree(Link link, long theirs, long ours) {
        links.fail(
                link.peer(),
                "it sent %,d bytes where this rank expects %,d: all ranks must call the same"
                                .formatted(theirs, ours)
                        + " operations with the same counts, in the same order");
    }

    // ---- grants

    private boolean grant() {
        if (grant.count * run.elementBytes() <= shortBytes) {
            // Short messages need none; a grant behind them may come first.
            if (granted - received >= run.grants()) {
                return false;
            }
            granted++;
            loadGrant();
            return true;
        }
        Link link = links.link(grant.peer, number);
        if (!link.canGrant() || granted - received >= run.grants()) {
            return false;
        }
        long bytes = grant.count * run.elementBytes();
        if (grant.combines) {
            RankMemory landing = run.landing();
            int network = links.network(grant.peer);
            link.grant(landing.region(network), landingAt(landings++), bytes);
        } else if (may(grant)) {
            grantPlace(link, grant.place, grant.offset, bytes);
        } else {
            return false;
        }
        granted++;
        loadGrant();
        return true;
    }

    private void grantPlace(Link link, Place place, long offset, long bytes) {
        RankMemory memory = run.memory(place);
        link.grant(memory.region(links.network(link.peer())), run.at(place, offset), bytes);
    }

    // ---- sends

    private boolean send(long nowNs) {
        if (sent - acks.count() >= AckWindow.SIZE || !may(send)) {
            return false;
        }
        Link link = links.link(send.peer, number);
        long bytes = send.count * run.elementBytes();
        boolean isShort = bytes <= shortBytes;
        if (trace != null) {
            trace.sends();
        }
        if (!(isShort ? link.canSendShort() : link.hasGrant())) {
            return false;
        }
        if (trace != null) {
            trace.grantIsHere();
        }
        if (sendReadyNs == NOT_YET) {
            sendReadyNs = run.sendReadyNs(nowNs, bytes, send.peer);
        }
        if (sendReadyNs > nowNs) {
            return false;
        }
        sendReadyNs = NOT_YET;
        RankMemory memory = run.memory(send.place);
        long at = run.at(send.place, send.offset);
        if (isShort) {
            MemorySegment from = memory.bytes();
            link.sendShort(from, at, (int) bytes);
            acks.acknowledged(sent);
        } else if (link.grantedLength() != bytes) {
            disagree(link, bytes, link.grantedLength());
            return false;
        } else {
            link.sendLong(memory.region(links.network(send.peer)), at, bytes, sent);
        }
        if (trace != null) {
            trace.sent(send, sent, bytes);
        }
        sent++;
        loadSend();
        return true;
    }

    long nextNs() {
        long next = receiveReadyNs == NOT_YET ? Long.MAX_VALUE : receiveReadyNs;
        return sendReadyNs == NOT_YET ? next : Math.min(next, sendReadyNs);
    }

    /// The rank whose message, or whose grant, comes next; -1 when there is none.
    int awaited() {
        if (received < receives) {
            return receive.peer;
        }
        return sent < sends ? send.peer : -1;
    }
}
