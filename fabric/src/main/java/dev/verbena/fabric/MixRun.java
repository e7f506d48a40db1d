package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.Arrays;
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
            Workload each = workloads.get(i);
            first[i] = flows.size();
            flows.addAll(each.flows());
            int number = i;
            each.flows().forEach(_ -> of.add(number));
        }
        rdma =
                new FlowRun(
                        fabric,
                        flows,
                        options,
                        connections,
                        flow -> only == ALL || of.get(flow) == only);
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
        return rdma.run(untilPs);
    }

    /// Flows that are not over, whether they can still end or not.
    public int left() {
        return rdma.left();
    }

    /// Flows that can still end.
    public int pending() {
        return rdma.pending();
    }

    public Optional<Deadlock> deadlock() {
        return rdma.deadlock();
    }

    /// Bytes of a workload that its receivers have.
    public long deliveredBytes(int workload) {
        long sum = 0;
        for (int i = 0; i < size(workload); i++) {
            sum += rdma.deliveredBytes(first[workload] + i);
        }
        return sum;
    }

    /// By flow of a workload, the time of a message, on average where it repeats; or
    /// [FlowRun#NOT_YET].
    public long[] timesPs(int workload) {
        long[] times = new long[size(workload)];
        Arrays.setAll(times, i -> timePs(first[workload] + i));
        return times;
    }

    private long timePs(int flow) {
        return rdma.endPs(flow) == FlowRun.NOT_YET
                ? FlowRun.NOT_YET
                : (rdma.endPs(flow) - rdma.startedPs(flow)) / rdma.messages(flow);
    }

    /// Time from the first start of a workload to its last end, or until now while one of its flows
    /// is not over; 0 before its start.
    public long spanPs(int workload) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (int i = 0; i < size(workload); i++) {
            long startedPs = startedPs(first[workload] + i);
            long endPs = endPs(first[workload] + i);
            start = startedPs == FlowRun.NOT_YET ? start : Math.min(start, startedPs);
            end = Math.max(end, endPs == FlowRun.NOT_YET ? fabric.nowPs() : endPs);
        }
        return start == Long.MAX_VALUE ? 0 : end - start;
    }

    private long startedPs(int flow) {
        return rdma.startedPs(flow);
    }

    private long endPs(int flow) {
        return rdma.endPs(flow);
    }

    private int size(int workload) {
        return workloads.get(workload).flows().size();
    }
}
