package dev.verbena.cli;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One side of the exchange that libibverbs' pingpong programs do: a message, the answer, the next
/// message, on each queue pair by itself until all of them together have done enough.
final class PingpongRun implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// The byte that the programs fill their memory with.
    private static final byte FILLING = 0x7b;

    /// The value that their `-c` puts at the beginning of every page, and looks for.
    private static final byte MARK = 0;

    private static final int PAGE = 4096;
    private static final Duration LINGER = Duration.ofMillis(100);

    private final Device device;
    private final PingpongPlan plan;
    private final int header;
    private final CompletionQueue completions;
    private final MemoryRegion region;
    private final @Nullable SharedReceiveQueue shared;
    private final List<PingpongLane> lanes = new ArrayList<>();
    private int posted;
    private int sent;
    private int received;

    PingpongRun(Device device, PingpongPlan plan) {
        this.device = device;
        this.plan = plan;
        header = plan.type().headerBytes();
        requireRoom(device);
        completions = device.completionQueue(plan.rxDepth() + plan.pairs());
        ProtectionDomain domain = device.protectionDomain();
        region = domain.allocate(Math.max(header + plan.bytes(), 1), Access.LOCAL_WRITE);
        region.segment().fill(FILLING);
        if (plan.isChecked()) {
            for (int page = 0; page < plan.bytes(); page += PAGE) {
                region.segment().set(ValueLayout.JAVA_BYTE, header + page, MARK);
            }
        }
        shared = plan.type() == PingpongType.SRQ ? domain.sharedReceiveQueue(plan.rxDepth()) : null;
        for (int i = 0; i < plan.pairs(); i++) {
            lanes.add(PingpongLane.of(domain, completions, shared, plan));
        }
        postReceives();
    }

    private void requireRoom(Device device) {
        int mtu = device.port(1).activeMtu();
        if (plan.type() == PingpongType.UD && plan.bytes() > mtu) {
            throw new PerfException(
                    "%s: %d bytes are more than a datagram's %d; use a smaller -s"
                            .formatted(device.name(), plan.bytes(), mtu));
        }
    }

    List<PingpongAddress> addresses() {
        return lanes.stream().map(PingpongLane::address).toList();
    }

    /// Connects each queue pair to the peer's at the same place.
    void connect(List<PingpongAddress> peers) {
        for (int i = 0; i < lanes.size(); i++) {
            lanes.get(i).connect(peers.get(i), plan.mtu());
        }
    }

    /// Sends and receives a number of messages; returns the time.
    long exchange(int iterations, boolean isClient) {
        Consumer<Completion> handler = done -> completed(done, iterations);
        long startNs = System.nanoTime();
        if (isClient) {
            lanes.forEach(this::send);
        }
        while (received < iterations || sent < iterations) {
            if (completions.await(LIMIT, handler) == 0) {
                throw new PerfException(
                        "%s: no message within %d s, after %d; check the output of the peer"
                                .formatted(lanes.getFirst(), LIMIT.toSeconds(), received));
            }
        }
        long ns = System.nanoTime() - startNs;
        // The peer may still wait for our last acknowledgement, or ask for it again. Whatever is
        // completed now is beyond what was asked for, at most a message each way per queue pair.
        for (int i = 0; i < 2 * lanes.size(); i++) {
            if (completions.await(LINGER, beyond -> {}) == 0) {
                break;
            }
        }
        return ns;
    }

    private void completed(Completion done, int iterations) {
        PerfEnd.requireSuccess(done);
        PingpongLane lane = lane(done.queuePair());
        if (done.operation().isReceive()) {
            received++;
            posted--;
            check(lane, done.byteLength() - header);
            if (posted <= lanes.size()) {
                postReceives();
            }
            lane.received();
        } else {
            sent++;
            lane.sent();
        }
        if (sent < iterations && lane.isIdle()) {
            send(lane);
        }
    }

    private void send(PingpongLane lane) {
        lane.send(region, header, plan.bytes());
    }

    private PingpongLane lane(int queuePair) {
        for (PingpongLane lane : lanes) {
            if (lane.number() == queuePair) {
                return lane;
            }
        }
        throw new PerfException(
                "qp 0x%x: unknown; this is a defect of verbena".formatted(queuePair));
    }

    private void postReceives() {
        ReceiveBatch batch = shared != null ? shared.receives() : lanes.getFirst().receives();
        for (; posted < plan.rxDepth(); posted++) {
            batch.receive().local(region, 0, header + plan.bytes());
        }
        if (!batch.post()) {
            throw new PerfException(
                    "%s: its receive queue has no room for %d; use a smaller -r"
                            .formatted(lanes.getFirst(), plan.rxDepth()));
        }
    }

    private void check(PingpongLane lane, long length) {
        if (length != plan.bytes()) {
            throw new PerfException(
                    "%s: a message of %d bytes, not %d; use the same -s on both sides"
                            .formatted(lane, length, plan.bytes()));
        }
        for (int page = 0; plan.isChecked() && page < plan.bytes(); page += PAGE) {
            byte is = region.segment().get(ValueLayout.JAVA_BYTE, header + page);
            if (is != MARK) {
                throw new PerfException(
                        "%s: byte %d of message %d is 0x%02x; use -c on both sides"
                                .formatted(lane, page, received, is));
            }
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
