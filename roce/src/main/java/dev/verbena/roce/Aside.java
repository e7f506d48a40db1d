package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Receives from sockets other than the device's own: datagrams to groups, and requests that all
/// devices at its address read.
final class Aside {
    /// Packets of one turn: the device's own socket comes first.
    private static final int TURN_MAX = 4;

    private final Gid own;
    private final int port;
    private final Datagrams datagrams;
    private final @Nullable Forwarding forwarding;
    private final Losses losses;
    private final Arrival arrival = new Arrival(Arrival.ONE_MAX);
    private final InboundPacket inbound = new InboundPacket();
    private final Integrity requests;

    /// The ICRC covers where a packet was sent to.
    private final Map<Gid, Integrity> groups = new HashMap<>();

    private long packets;
    private long solvedBefore;

    Aside(RoceSettings settings, Datagrams datagrams, Losses losses) {
        own = settings.address();
        port = settings.port();
        this.datagrams = datagrams;
        this.losses = losses;
        forwarding = datagrams.forwarding();
        requests = new Integrity(own, port);
    }

    void join(Gid group) {
        datagrams.join(group);
        groups.put(group, new Integrity(group, port));
    }

    void leave(Gid group) {
        Integrity over = groups.remove(group);
        if (over != null) {
            solvedBefore += over.solved();
            datagrams.leave(group);
        }
    }

    /// Hands a few packets to the device; returns whether there was one.
    boolean receive(long nowNs, TransportDevice device) {
        int taken = 0;
        while (taken < TURN_MAX && datagrams.receiveAside(arrival, nowNs)) {
            taken++;
            packets++;
            Gid group = arrival.group;
            if (group != null) {
                handle(nowNs, device, group, Objects.requireNonNull(groups.get(group)));
            } else if (forwarding == null
                    || arrival.length == 0
                    || !forwarding.passes(nowNs, arrival, 0, arrival.length, 0)) {
                handle(nowNs, device, own, requests);
            }
        }
        if (forwarding != null) {
            forwarding.services().sweep(nowNs);
        }
        return taken > 0;
    }

    private void handle(long nowNs, TransportDevice device, Gid to, Integrity integrity) {
        if (losses.takesNext()) {
            return;
        }
        integrity.from(arrival.sourceHigh, arrival.sourceLow, arrival.sourcePort);
        Carrier.came(inbound, arrival, to);
        Verdict verdict = inbound.view().wrapTransport(arrival.bytes, 0, arrival.length);
        inbound.verdict(integrity.check(verdict, inbound.view(), 0));
        device.handlePacket(nowNs, inbound);
    }

    long packets() {
        return packets;
    }

    long solved() {
        long solved = solvedBefore + requests.solved();
        for (Integrity each : groups.values()) {
            solved += each.solved();
        }
        return solved;
    }
}
