package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs several workloads on one fabric at the same time.
public final class MixRun {
    /// All workloads begin.
    public static final int ALL = -1;

    private final Fabric fabric;
    private final List<Workload> workloads;
    private final FlowRun rdma;

    /// Flows over TCP; those that do not begin are empty.
    private final List<Optional<TcpFlow>> tcp = new ArrayList<>();

    private int tcpLeft;

    /// By workload, the number of its first flow among those of its protocol.
    private final int[] first;

    /// Connects the hosts of all workloads, and begins.
    ///
    /// @param only the one workload that begins, or [#ALL]; the others are there and do nothing
    /// @param options changes the options of every device
    /// @param connections changes every RDMA connection
    public MixRun(
            Fabric fabric,
            List<Workload> workloads,
            int only,
            Consumer<TransportOptions> options,
            Consumer<QueuePairAttributes> connections) {
        this.fabric = fabric;
        this.workloads = List.copyOf(workloads);
        first = new int[workloads.size()];
        List<Flow> flows = new ArrayList<>();
        List<Integer> of = new ArrayList<>();
        for (int i = 0; i < first.length; i++) {
            if (!isTcp(i)) {
                first[i] = flows.size();
                flows.addAll(workloads.get(i).flows());
                of.addAll(Collections.nCopies(size(i), i));
            }
        }
        rdma =
                new FlowRun(
                        fabric,
                        flows,
                        options,
                        connections,
                        flow -> only == ALL || of.get(flow) == only);
        for (int i = 0; i < first.length; i++) {
            if (isTcp(i)) {
                first[i] = tcp.size();
                startTcp(workloads.get(i).flows(), only == ALL || only == i);
            }
        }
    }

    private void startTcp(List<Flow> flows, boolean begins) {
        for (Flow flow : flows) {
            TcpFlow made =
                    begins ? TcpFlow.start(fabric, flow, flow.level(), TcpSettings.DEFAULT) : null;
            if (made != null) {
                tcpLeft++;
                made.whenOver(() -> tcpLeft--);
            }
            tcp.add(Optional.ofNullable(made));
        }
    }

    private boolean isTcp(int workload) {
        return workloads.get(workload).protocol() == Workload.Protocol.TCP;
    }

    public Fabric fabric() {
        return fabric;
    }

    public List<Workload> workloads() {
        return workloads;
    }

    /// The flows of all workloads over RDMA, one workload after the other.
    public FlowRun flows() {
        return rdma;
    }

    /// Runs until no flow is pending, until a time, or until the fabric is in deadlock; returns
    /// whether all flows are over.
    public boolean run(long untilPs) {
        rdma.run(untilPs);
        while (tcpLeft > 0 && deadlock().isEmpty() && fabric.step(untilPs)) {
            // TCP alone is left, and needs nobody to look.
        }
        return left() == 0;
    }

    /// Flows that are not over, whether they can still end or not.
    public int left() {
        return rdma.left() + tcpLeft;
    }

    /// Flows that can still end.
    public int pending() {
        return rdma.pending() + tcpLeft;
    }

    public Optional<Deadlock> deadlock() {
        return rdma.deadlock();
    }

    /// Bytes of a workload that its receivers have.
    public long deliveredBytes(int workload) {
        long sum = 0;
        for (int i = 0; i < size(workload); i++) {
            int flow = first[workload] + i;
            sum +=
                    isTcp(workload)
                            ? tcp.get(flow).map(TcpFlow::deliveredBytes).orElse(0L)
                            : rdma.deliveredBytes(flow);
        }
        return sum;
    }

    /// Segments of TCP that a workload has sent again.
    public long retransmitted(int workload) {
        long sum = 0;
        for (int i = 0; isTcp(workload) && i < size(workload); i++) {
            sum += tcp.get(first[workload] + i).map(TcpFlow::retransmitted).orElse(0L);
        }
        return sum;
    }

    /// By flow of a workload, the time of a message, on average where it repeats; or
    /// [FlowRun#NOT_YET].
    public long[] timesPs(int workload) {
        long[] times = new long[size(workload)];
        Arrays.setAll(times, i -> timePs(workload, i));
        return times;
    }

    private long timePs(int workload, int flow) {
        long endPs = endPs(workload, flow);
        int messages = isTcp(workload) ? 1 : rdma.messages(first[workload] + flow);
        return endPs == FlowRun.NOT_YET ? endPs : (endPs - startedPs(workload, flow)) / messages;
    }

    /// Time from the first start of a workload to its last end, or until now while one of its flows
    /// is not over; 0 before its start.
    public long spanPs(int workload) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (int i = 0; i < size(workload); i++) {
            long startedPs = startedPs(workload, i);
            long endPs = endPs(workload, i);
            start = startedPs == FlowRun.NOT_YET ? start : Math.min(start, startedPs);
            end = Math.max(end, endPs == FlowRun.NOT_YET ? fabric.nowPs() : endPs);
        }
        return start == Long.MAX_VALUE ? 0 : end - start;
    }

    private long startedPs(int workload, int flow) {
        int at = first[workload] + flow;
        return isTcp(workload)
                ? tcp.get(at).map(TcpFlow::startedPs).orElse(FlowRun.NOT_YET)
                : rdma.startedPs(at);
    }

    private long endPs(int workload, int flow) {
        int at = first[workload] + flow;
        return isTcp(workload)
                ? tcp.get(at).map(TcpFlow::endPs).orElse(FlowRun.NOT_YET)
                : rdma.endPs(at);
    }

    private int size(int workload) {
        return workloads.get(workload).flows().size();
    }
}
