package dev.verbena.fabric;

import dev.verbena.transport.carrier.Path;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;

/// Bytes over a TCP connection between two hosts of an Ethernet fabric, beside RDMA or alone: plain
/// Reno, with the repair of several losses of a window (NewReno), and without selective answers.
///
/// ```
/// TcpFlow copy = TcpFlow.start(fabric, 0, 5, 1, 100_000_000, 0);
/// fabric.run(20_000_000_000L);
/// long bytes = copy.deliveredBytes();
/// ```
///
/// The connection is open when it starts, and its last segment is known as such: no packets open or
/// close it. Its packets are not ECN-capable, so switches mark none. Programs of a host take no
/// time: they have all bytes to send at the start, and read what comes at once.
public final class TcpFlow {
    private static final int PRIORITIES = EthernetPort.PRIORITIES;

    /// The port of the receiver; no service is registered there.
    private static final int RECEIVER_PORT = 40_000;

    private final TcpSender sender;
    private final TcpReceiver receiver;

    private TcpFlow(TcpSender sender, TcpReceiver receiver) {
        this.sender = sender;
        this.receiver = receiver;
    }

    /// Starts a flow as Linux has it: [TcpSettings#DEFAULT].
    public static TcpFlow start(
            Fabric fabric, int source, int destination, int priority, long bytes, long startPs) {
        Flow flow = Flow.of(source, destination, bytes).startingAt(startPs);
        return start(fabric, flow, priority, TcpSettings.DEFAULT);
    }

    /// Starts a flow.
    ///
    /// @param flow its hosts, its bytes and its time; one whose time has passed starts now
    /// @param priority the priority of Ethernet of its packets in both directions, 0 to 7
    public static TcpFlow start(Fabric fabric, Flow flow, int priority, TcpSettings settings) {
        check(fabric, flow, priority);
        TcpSettings used = settings.over(fabric.settings().mtu());
        NicTcp from = fabric.nic(flow.source()).tcp();
        NicTcp to = fabric.nic(flow.destination()).tcp();
        TcpSender sender = new TcpSender(from, from.nextPort(), used, flow.bytes());
        TcpReceiver receiver = new TcpReceiver(to, RECEIVER_PORT, used, flow.bytes());
        connect(fabric, sender, receiver, priority);
        connect(fabric, receiver, sender, priority);
        from.add(sender);
        to.add(receiver);
        long postedPs = Math.max(flow.startPs(), fabric.nowPs());
        fabric.at(postedPs + fabric.settings().nic().sendPs(), () -> sender.begin(fabric.nowPs()));
        return new TcpFlow(sender, receiver);
    }

    private static void check(Fabric fabric, Flow flow, int priority) {
        if (fabric.settings().layer() != LinkLayer.ETHERNET) {
            throw new InvalidRequestException(
                    "tcp flow", "the fabric is InfiniBand", "use an Ethernet fabric (RoCE)");
        }
        int hosts = fabric.topology().hosts();
        if (Math.max(flow.source(), flow.destination()) >= hosts) {
            throw new InvalidRequestException(
                    "tcp flow",
                    "from host %d to host %d, of %d hosts"
                            .formatted(flow.source(), flow.destination(), hosts),
                    "use 0 to " + (hosts - 1));
        }
        if (priority < 0 || priority >= PRIORITIES) {
            throw new InvalidRequestException(
                    "tcp flow", "Ethernet has no priority " + priority, "use 0 to 7");
        }
        if (!flow.after().isNothing()) {
            throw new InvalidRequestException(
                    "tcp flow",
                    "ends of other flows do not start it",
                    "give a time, or start it from whenOver");
        }
    }

    private static void connect(Fabric fabric, TcpEnd end, TcpEnd peer, int priority) {
        Nic nic = end.nic();
        Address address = Address.to(peer.nic().gid()).withServiceLevel(priority);
        Path path = new Path.Roce(0, address, nic.gid(), priority);
        end.connect(new Route(path, nic, fabric.destination(address), peer), peer);
    }

    /// Sets what is called when the last byte is acknowledged; set it before that.
    public void whenOver(Runnable listener) {
        sender.whenOver(listener);
    }

    /// When its first packet could leave, or [FlowRun#NOT_YET].
    public long startedPs() {
        return sender.startedPs();
    }

    /// When the last byte was acknowledged, or [FlowRun#NOT_YET].
    public long endPs() {
        return sender.endPs();
    }

    /// Bytes that are at the receiver, without those behind a gap.
    public long deliveredBytes() {
        return receiver.deliveredBytes();
    }

    /// Segments that were sent again.
    public long retransmitted() {
        return sender.retransmitted();
    }

    /// How often a segment was sent again for want of any answer.
    public long timeouts() {
        return sender.timeouts();
    }

    /// How often the window was made smaller: by duplicate answers or by a timeout.
    public long cuts() {
        return sender.cuts();
    }

    /// The congestion window: bytes that may be under way.
    public int windowBytes() {
        return sender.windowBytes();
    }
}
