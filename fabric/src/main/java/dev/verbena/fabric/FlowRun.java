package dev.verbena.fabric;

import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Runs flows over a fabric: each is one RDMA WRITE over a reliable connection of its own, between
/// memory regions without bytes.
///
/// A flow that repeats is posted again whenever its message is over.
///
/// A flow is over when its last acknowledgement is back at the sender. A flow fails when its queue
/// pair gives up. When too many have failed for the number of ends that a flow waits for, it never
/// starts. A flow whose end at the receiver starts others is a WRITE with immediate data: the
/// receiver learns of its end by a completion, and its last packet is four bytes longer.
public final class FlowRun {
    /// Time of an event that has not happened: the flow has not started, or is not over.
    public static final long NOT_YET = -1;

    /// How often a queue pair sends a packet again before it gives up.
    public static final int RETRIES = 7;

    private final Fabric fabric;
    private final List<Flow> flows;
    private final Consumer<TransportOptions> options;
    private final Consumer<QueuePairAttributes> connections;
    private final @Nullable Host[] hosts;
    private final QueuePair[] pairs;
    private final QueuePair[] receivers;
    private final long[] startedPs;
    private final long[] endPs;
    private final long[] failedPs;

    /// By flow, messages that are over.
    private final int[] messages;

    /// By host, how many completions it may have.
    private final int[] completed;

    private final WaitingFlows waiting;
    private final List<FailedFlow> failed = new ArrayList<>();
    private final BitSet isReceived = new BitSet();
    private final List<Integer> unstarted = new ArrayList<>();

    private final DeadlockWatch watch;
    private Optional<Deadlock> deadlock = Optional.empty();

    /// Flows that are over, and that are never to begin.
    private int ended;

    private int leftOut;

    /// Hosts with a new completion since the last event.
    private final ArrayDeque<Host> told = new ArrayDeque<>();

    /// Connects the hosts of all flows, and posts the flows that start now.
    ///
    /// @param options changes the options of every device
    public FlowRun(Fabric fabric, List<Flow> flows, Consumer<TransportOptions> options) {
        this(fabric, flows, options, _ -> {});
    }

    /// Does the same, and changes every connection.
    ///
    /// @param connections changes attributes, such as the traffic class of the address
    public FlowRun(
            Fabric fabric,
            List<Flow> flows,
            Consumer<TransportOptions> options,
            Consumer<QueuePairAttributes> connections) {
        this(fabric, flows, options, connections, _ -> true);
    }

    /// Does the same, and leaves flows out. These are connected, so that the others have the same
    /// queue pairs, and go the same ways, as where all begin.
    ///
    /// @param begins whether a flow, by its number, is sent at all
    FlowRun(
            Fabric fabric,
            List<Flow> flows,
            Consumer<TransportOptions> options,
            Consumer<QueuePairAttributes> connections,
            IntPredicate begins) {
        this.connections = connections;
        this.fabric = fabric;
        watch = new DeadlockWatch(fabric);
        this.flows = List.copyOf(flows);
        this.options = options;
        hosts = new Host[fabric.topology().hosts()];
        pairs = new QueuePair[flows.size()];
        receivers = new QueuePair[flows.size()];
        startedPs = new long[flows.size()];
        endPs = new long[flows.size()];
        messages = new int[flows.size()];
        Arrays.fill(startedPs, NOT_YET);
        Arrays.fill(endPs, NOT_YET);
        failedPs = endPs.clone();
        waiting = new WaitingFlows(this.flows);
        completed = new int[hosts.length];
        for (int i = 0; i < flows.size(); i++) {
            completed[flows.get(i).source()]++;
            completed[flows.get(i).destination()] += waiting.awaitsReceiver(i) ? 1 : 0;
        }
        requireOnce();
        long[] longest = longest();
        for (int i = 0; i < flows.size(); i++) {
            connect(i, longest);
        }
        for (int i = 0; i < flows.size(); i++) {
            if (begins.test(i)) {
                begin(i);
            } else {
                leftOut++;
            }
        }
    }

    /// A flow that repeats has no one end that could start others at its receiver.
    private void requireOnce() {
        for (int i = 0; i < flows.size(); i++) {
            if (flows.get(i).untilPs() != Flow.ONCE && waiting.awaitsReceiver(i)) {
                throw new IllegalArgumentException(
                        ("flow %d repeats, and others wait for its end at the receiver: use its "
                                        + "end at the sender")
                                .formatted(i + 1));
            }
        }
    }

    private long[] longest() {
        long[] longest = new long[hosts.length];
        for (Flow flow : flows) {
            longest[flow.source()] = Math.max(longest[flow.source()], flow.bytes());
            longest[flow.destination()] = Math.max(longest[flow.destination()], flow.bytes());
        }
        return longest;
    }

    private void connect(int index, long[] longest) {
        Flow flow = flows.get(index);
        Host source = host(flow.source(), longest);
        Host target = host(flow.destination(), longest);
        QueuePair sender = source.pair();
        QueuePair receiver = target.pair();
        connect(sender, receiver.endpoint(), flow.level());
        connect(receiver, sender.endpoint(), flow.level());
        pairs[index] = sender;
        receivers[index] = receiver;
        if (waiting.awaitsReceiver(index)) {
            receiver.receives().receive().id(receipt(index)).post();
        }
    }

    /// The identifier of the completion at the receiver of a flow.
    private int receipt(int index) {
        return flows.size() + index;
    }

    /// IBA 8 (routing): within a subnet packets find their way by LID, without a GRH; a fabric is
    /// one subnet.
    private void connect(QueuePair pair, Endpoint peer, int level) {
        Address known = Address.to(peer).withServiceLevel(level);
        boolean isLocal = fabric.settings().layer() == LinkLayer.INFINIBAND;
        Address address = isLocal ? known.withGid(Gid.NONE) : known;
        pair.connect(peer, it -> connections.accept(it.address(address).retryCount(RETRIES)));
    }

    private void begin(int index) {
        Flow flow = flows.get(index);
        if (!flow.after().isNothing()) {
            return;
        }
        if (flow.startPs() <= fabric.nowPs()) {
            post(index);
        } else {
            fabric.at(flow.startPs(), () -> post(index));
        }
    }

    private Host host(int number, long[] longest) {
        Host host = hosts[number];
        if (host == null) {
            host = new Host(number, longest[number]);
            hosts[number] = host;
        }
        return host;
    }

    private void post(int index) {
        Flow flow = flows.get(index);
        Host source = known(flow.source());
        Host target = known(flow.destination());
        if (startedPs[index] == NOT_YET) {
            startedPs[index] = fabric.nowPs();
        }
        LocalSlice from = source.memory.slice(0, flow.bytes());
        RemoteSlice to = target.memory.remote().slice(0, flow.bytes());
        SendBatch batch = pairs[index].sends();
        (waiting.awaitsReceiver(index)
                        ? batch.writeImmediate(from, to, index)
                        : batch.write(from, to))
                .id(index)
                .signaled()
                .post();
    }

    private Host known(int number) {
        Host host = hosts[number];
        if (host == null) {
            throw new AssertionError("every host of a flow was opened");
        }
        return host;
    }

    /// Runs until no flow is pending, until a time, or until the fabric is in [#deadlock]; returns
    /// whether all flows are over.
    public boolean run(long untilPs) {
        while (pending() > 0 && deadlock.isEmpty()) {
            long stopPs = Math.min(untilPs, watch.nextPs());
            while (pending() > 0 && fabric.step(stopPs)) {
                serve();
            }
            boolean isStill = fabric.isIdle();
            if (pending() > 0 && (isStill || stopPs < untilPs)) {
                deadlock = watch.look();
            }
            if (isStill || stopPs == untilPs) {
                break;
            }
        }
        return left() == 0;
    }

    /// Takes what has completed, where another run moves the time. Call it after each event.
    public void serve() {
        while (!told.isEmpty()) {
            told.removeFirst().look();
        }
    }

    /// Ports that will never send again, where the run ended for that reason.
    public Optional<Deadlock> deadlock() {
        return deadlock;
    }

    private void completed(Completion done) {
        int index = (int) done.id();
        if (index >= flows.size()) {
            received(index - flows.size(), done.status());
        } else if (done.status() == CompletionStatus.SUCCESS) {
            messages[index]++;
            if (fabric.nowPs() < flows.get(index).untilPs()) {
                post(index);
                return;
            }
            endPs[index] = fabric.nowPs();
            ended++;
            waiting.sent(index, this::post);
        } else {
            int pair = pairs[index].number();
            failed.add(new FailedFlow(index, pair, done.status(), fabric.nowPs()));
            failedPs[index] = fabric.nowPs();
            waiting.failed(index, isReceived.get(index), unstarted::add);
        }
    }

    /// A receiver has the last byte. When the sender has given up before, it is too late: the flows
    /// that it would have started are given up too.
    private void received(int index, CompletionStatus status) {
        if (status == CompletionStatus.SUCCESS && failedPs[index] == NOT_YET) {
            isReceived.set(index);
            waiting.received(index, this::post);
        }
    }

    public List<Flow> flows() {
        return flows;
    }

    /// Flows that are not over, whether they can still end or not.
    public int left() {
        return flows.size() - leftOut - ended;
    }

    /// Flows that can still end.
    public int pending() {
        return left() - failed.size() - unstarted.size();
    }

    /// Flows whose queue pair gave up, in the order of their times.
    public List<FailedFlow> failed() {
        return List.copyOf(failed);
    }

    /// Flows that never start, because too many of the flows that start them failed or did not
    /// start.
    public List<Integer> unstarted() {
        return List.copyOf(unstarted);
    }

    /// Time at which a flow was posted, or [#NOT_YET].
    public long startedPs(int flow) {
        return startedPs[flow];
    }

    /// Time at which a flow was over, or [#NOT_YET].
    public long endPs(int flow) {
        return endPs[flow];
    }

    /// Time at which the queue pair of a flow gave up, or [#NOT_YET].
    long failedPs(int flow) {
        return failedPs[flow];
    }

    /// Messages of a flow that are over.
    public int messages(int flow) {
        return messages[flow];
    }

    /// Bytes of a flow that its receiver has, in their order, each counted once.
    public long deliveredBytes(int flow) {
        return TransportDevice.placed(receivers[flow]);
    }

    /// How often congestion control reduced the rate or window of a flow.
    public long cuts(int flow) {
        return TransportDevice.cuts(pairs[flow]);
    }

    /// Bytes of all flows that the receivers have.
    public long deliveredBytes() {
        long sum = 0;
        for (int i = 0; i < receivers.length; i++) {
            sum += deliveredBytes(i);
        }
        return sum;
    }

    /// Time from the first start to the last end, or until now while flows can still end; 0 before
    /// the first start. A flow that fails ends when its queue pair gives up.
    public long spanPs() {
        long first = Long.MAX_VALUE;
        long last = pending() > 0 ? fabric.nowPs() : 0;
        for (int i = 0; i < startedPs.length; i++) {
            if (startedPs[i] != NOT_YET) {
                first = Math.min(first, startedPs[i]);
            }
            last = Math.max(last, Math.max(endPs[i], failedPs[i]));
        }
        return first == Long.MAX_VALUE ? 0 : last - first;
    }

    /// Times from start to end of the flows that are over, the shortest first. A flow with a
    /// trigger starts when the trigger fires.
    public long[] timesPs() {
        long[] times = new long[ended];
        int count = 0;
        for (int i = 0; i < endPs.length; i++) {
            if (endPs[i] != NOT_YET) {
                times[count++] = endPs[i] - startedPs[i];
            }
        }
        Arrays.sort(times);
        return times;
    }

    /// The device and the verbs objects of a host.
    private final class Host {
        private final Device device;
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion memory;
        private final Consumer<Completion> handler = FlowRun.this::completed;

        Host(int number, long bytes) {
            device = fabric.opened(number, options);
            domain = device.protectionDomain();
            completions = device.completionQueue(completed[number] + 1);
            memory = PhantomMemory.in(domain, bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            completions.onNotification(() -> told.addLast(this));
            completions.arm(Notification.ANY);
        }

        QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.RC,
                    it -> it.completions(completions).sendDepth(1).receiveDepth(1));
        }

        private void look() {
            completions.arm(Notification.ANY);
            completions.poll(Integer.MAX_VALUE, handler);
        }
    }
}
