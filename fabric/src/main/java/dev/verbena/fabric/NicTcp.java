package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ends of TCP connections at a NIC: their packets in turn, beside those of the transport, and
/// their timers. As an event it is the first of these.
final class NicTcp extends Alarm {
    /// RFC 6335, 6: ports without a registered service.
    private static final int FIRST_PORT = 49_152;

    private static final int PORTS = (1 << 16) - FIRST_PORT;

    private final Nic nic;
    private final PacketPool pool;
    private final Framing framing;
    private final @Nullable SlowNic slow;

    /// Ends with a timer or packets to come.
    private final List<TcpEnd> ends = new ArrayList<>();

    /// By priority, the last of the ends with a packet; the first is behind it.
    private final @Nullable TcpEnd[] last = new TcpEnd[EthernetPort.PRIORITIES];

    /// A bit for each priority in which an end may have a packet.
    private int ready;

    /// Lanes to which TCP was the last to add a packet.
    private int wasLast;

    private long armedPs = EventQueue.NEVER;
    private int connections;

    NicTcp(Nic nic, Fabric fabric, @Nullable SlowNic slow, int globalPort) {
        super(fabric.clock(), Orders.nicTcp(globalPort));
        this.nic = nic;
        this.slow = slow;
        pool = fabric.pool();
        framing = fabric.settings().framing();
    }

    Nic nic() {
        return nic;
    }

    /// A port that no connection has, until there are as many as ports.
    int nextPort() {
        return FIRST_PORT + connections++ % PORTS;
    }

    void add(TcpEnd end) {
        ends.add(end);
    }

    void remove(TcpEnd end) {
        ends.remove(end);
    }

    /// Remembers an end that may have a packet. The port is woken by the caller.
    void offer(TcpEnd end) {
        if (!end.isQueued && end.hasPacket()) {
            append(end, end.route().level);
        }
    }

    private void append(TcpEnd end, int priority) {
        TcpEnd before = last[priority];
        if (before == null) {
            end.following = end;
        } else {
            end.following = before.following;
            before.following = end;
        }
        last[priority] = end;
        end.isQueued = true;
        ready |= 1 << priority;
    }

    private @Nullable TcpEnd removeFirst(int priority) {
        TcpEnd before = last[priority];
        if (before == null || before.following == null) {
            return null;
        }
        TcpEnd end = before.following;
        if (end.equals(before)) {
            last[priority] = null;
            ready &= ~(1 << priority);
        } else {
            before.following = end.following;
        }
        end.following = null;
        end.isQueued = false;
        return end;
    }

    /// Puts a packet into each lane that is empty and may send, of TCP or of the transport. In a
    /// lane that both want they take turns.
    void fill(OutPort out, long nowPs) {
        fill(out, ~wasLast, nowPs);
        int before = out.waiting();
        nic.fillByTransport(out, nowPs);
        int added = out.waiting() & ~before;
        if (added != 0) {
            wasLast = slow == null ? wasLast & ~added : 0;
        }
        fill(out, wasLast, nowPs);
    }

    private void fill(OutPort out, int lanes, long nowPs) {
        int may = ready & lanes & out.classes() & ~out.waiting();
        for (int left = may; left != 0; left &= left - 1) {
            if (slow != null && !slow.mayBegin(nowPs)) {
                return;
            }
            send(out, Integer.numberOfTrailingZeros(left), nowPs);
        }
    }

    private void send(OutPort out, int priority, long nowPs) {
        TcpEnd end = removeFirst(priority);
        while (end != null && !end.hasPacket()) {
            end = removeFirst(priority);
        }
        if (end == null) {
            return;
        }
        int handle = pool.take();
        int payload = end.write(pool.headers(handle), PacketPool.headersAt(handle), nowPs);
        Route route = end.route();
        pool.fill(handle, TcpHeader.LENGTH, payload, route);
        out.add(
                priority,
                handle,
                Tag.of(route.destination, framing.tcpBytes(payload), end.entropy()),
                0);
        if (slow != null) {
            slow.began(nowPs);
            // It takes one packet at a time of all lanes: a second one of this lane begins a round.
            wasLast = (wasLast & (1 << priority)) != 0 ? 0 : wasLast;
        }
        wasLast |= 1 << priority;
        offer(end);
    }

    /// Makes sure that it rings no later than at that time.
    void arm(long timePs) {
        if (timePs < armedPs) {
            armedPs = timePs;
            set(timePs);
        }
    }

    @Override
    void ring(long nowPs) {
        armedPs = EventQueue.NEVER;
        for (TcpEnd end : ends) {
            if (end.deadlinePs() <= nowPs) {
                end.noDeadline();
                end.expired(nowPs);
            } else {
                arm(end.deadlinePs());
            }
        }
        nic.port().wake(nowPs);
    }
}
