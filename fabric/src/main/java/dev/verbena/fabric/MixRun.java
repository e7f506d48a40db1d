package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.QueuePairAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

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
            // TCP alone is left, which events drive.
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

    /// Time from the first start of all workloads to the last end; 0 before the first start.
    public long spanPs() {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (int i = 0; i < first.length; i++) {
            long startedPs = startedPs(i);
            if (startedPs != Long.MAX_VALUE) {
                start = Math.min(start, startedPs);
                end = Math.max(end, startedPs + spanPs(i));
            }
        }
        return start == Long.MAX_VALUE ? 0 : end - start;
    }

    /// Bytes of all workloads that their receivers have.
    public long deliveredBytes() {
        return IntStream.range(0, first.length).mapToLong(this::deliveredBytes).sum();
    }

    /// Bytes of all messages of a workload, those of flows that repeat as often as they were
    /// posted.
    public long askedBytes(int workload) {
        long sum = 0;
        for (int i = 0; i < size(workload); i++) {
            int over = isTcp(workload) ? 0 : rdma.messages(first[workload] + i);
            boolean isLast = isTcp(workload) || endPs(workload, i) == FlowRun.NOT_YET;
            sum += workloads.get(workload).flows().get(i).bytes() * (over + (isLast ? 1 : 0));
        }
        return sum;
    }

    /// The workload of a flow among [#flows].
    public int workload(int flow) {
        int found = 0;
        for (int i = 0; i < first.length; i++) {
            found = !isTcp(i) && first[i] <= flow ? i : found;
        }
        return found;
    }

    /// The number of a flow among [#flows] within its workload.
    public int numberInWorkload(int flow) {
        return flow - first[workload(flow)];
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
    /// can still end; 0 before its start. A flow that fails ends when its queue pair gives up.
    public long spanPs(int workload) {
        long start = startedPs(workload);
        long end = 0;
        for (int i = 0; i < size(workload); i++) {
            long endPs = endPs(workload, i);
            end = Math.max(end, endPs == FlowRun.NOT_YET ? givenUpPs(workload, i) : endPs);
        }
        return start == Long.MAX_VALUE ? 0 : end - start;
    }

    /// When the first flow of a workload started; the largest number before that.
    private long startedPs(int workload) {
        return IntStream.range(0, size(workload))
                .mapToLong(flow -> startedPs(workload, flow))
                .filter(it -> it != FlowRun.NOT_YET)
                .min()
                .orElse(Long.MAX_VALUE);
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

    /// Of a flow that has no end: when it failed, or now.
    private long givenUpPs(int workload, int flow) {
        long failedPs = isTcp(workload) ? FlowRun.NOT_YET : rdma.failedPs(first[workload] + flow);
        return failedPs == FlowRun.NOT_YET ? fabric.nowPs() : failedPs;
    }

    private int size(int workload) {
        return workloads.get(workload).flows().size();
    }
}
