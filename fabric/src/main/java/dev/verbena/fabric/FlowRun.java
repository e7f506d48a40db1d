package dev.verbena.fabric;

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
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs flows over a fabric: each is one RDMA WRITE over a reliable connection of its own, between
/// memory regions without bytes.
///
/// A flow is over when its last acknowledgement is back at the sender. A flow fails when its queue
/// pair gives up; the flows that its end would have started then never start.
public final class FlowRun {
    /// Time of an event that has not happened: the flow has not started, or is not over.
    public static final long NOT_YET = -1;

    /// How often a queue pair sends a packet again before it gives up.
    public static final int RETRIES = 7;

    private final Fabric fabric;
    private final List<Flow> flows;
    private final Consumer<TransportOptions> options;
    private final UnaryOperator<Address> addresses;
    private final @Nullable Host[] hosts;
    private final QueuePair[] pairs;
    private final long[] startedPs;
    private final long[] endPs;

    /// By host, how many flows it sends.
    private final int[] sending;

    private final List<List<Integer>> followers = new ArrayList<>();
    private final List<FailedFlow> failed = new ArrayList<>();
    private final List<Integer> unstarted = new ArrayList<>();

    private final DeadlockWatch watch;
    private Optional<Deadlock> deadlock = Optional.empty();

    /// Flows that are over.
    private int ended;

    /// Hosts with a new completion since the last event.
    private final ArrayDeque<Host> told = new ArrayDeque<>();

    /// Connects the hosts of all flows, and posts the flows that start now.
    ///
    /// @param options changes the options of every device
    public FlowRun(Fabric fabric, List<Flow> flows, Consumer<TransportOptions> options) {
        this(fabric, flows, options, UnaryOperator.identity());
    }

    /// Does the same, and changes the address of every connection.
    ///
    /// @param addresses changes an address, such as its traffic class
    public FlowRun(
            Fabric fabric,
            List<Flow> flows,
            Consumer<TransportOptions> options,
            UnaryOperator<Address> addresses) {
        this.addresses = addresses;
        this.fabric = fabric;
        watch = new DeadlockWatch(fabric);
        this.flows = List.copyOf(flows);
        this.options = options;
        hosts = new Host[fabric.topology().hosts()];
        pairs = new QueuePair[flows.size()];
        startedPs = new long[flows.size()];
        endPs = new long[flows.size()];
        Arrays.fill(startedPs, NOT_YET);
        Arrays.fill(endPs, NOT_YET);
        sending = new int[hosts.length];
        for (Flow flow : flows) {
            sending[flow.source()]++;
        }
        long[] longest = longest();
        for (int i = 0; i < flows.size(); i++) {
            followers.add(List.of());
            connect(i, longest);
        }
        for (int i = 0; i < flows.size(); i++) {
            begin(i);
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
        connect(sender, receiver.endpoint());
        connect(receiver, sender.endpoint());
        pairs[index] = sender;
    }

    /// IBA 8 (routing): within a subnet packets find their way by LID, without a GRH; a fabric is
    /// one subnet.
    private void connect(QueuePair pair, Endpoint peer) {
        Address known = Address.to(peer);
        boolean isLocal = fabric.settings().layer() == LinkLayer.INFINIBAND;
        Address address = addresses.apply(isLocal ? known.withGid(Gid.NONE) : known);
        pair.connect(peer, it -> it.address(address).retryCount(RETRIES));
    }

    private void begin(int index) {
        Flow flow = flows.get(index);
        if (flow.after() >= 0) {
            if (followers.get(flow.after()).isEmpty()) {
                followers.set(flow.after(), new ArrayList<>());
            }
            followers.get(flow.after()).add(index);
        } else if (flow.startPs() <= fabric.nowPs()) {
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
        startedPs[index] = fabric.nowPs();
        pairs[index]
                .sends()
                .write(
                        source.memory.slice(0, flow.bytes()),
                        target.memory.remote().slice(0, flow.bytes()))
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
                while (!told.isEmpty()) {
                    told.removeFirst().look();
                }
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

    /// Ports that will never send again, where the run ended for that reason.
    public Optional<Deadlock> deadlock() {
        return deadlock;
    }

    private void ended(Completion done) {
        int index = (int) done.id();
        if (done.status() != CompletionStatus.SUCCESS) {
            int pair = pairs[index].number();
            failed.add(new FailedFlow(index, pair, done.status(), fabric.nowPs()));
            drop(followers.get(index));
            return;
        }
        endPs[index] = fabric.nowPs();
        ended++;
        for (int follower : followers.get(index)) {
            post(follower);
        }
    }

    /// Flows that wait for the end of a flow that failed, and those that wait for them.
    private void drop(List<Integer> waiting) {
        ArrayDeque<Integer> rest = new ArrayDeque<>(waiting);
        while (!rest.isEmpty()) {
            int index = rest.removeFirst();
            unstarted.add(index);
            rest.addAll(followers.get(index));
        }
    }

    /// Flows that are not over, whether they can still end or not.
    public int left() {
        return flows.size() - ended;
    }

    /// Flows that can still end.
    public int pending() {
        return left() - failed.size() - unstarted.size();
    }

    /// Flows whose queue pair gave up, in the order of their times.
    public List<FailedFlow> failed() {
        return List.copyOf(failed);
    }

    /// Flows that never start, because the flow that starts them failed or did not start.
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
        private final Consumer<Completion> handler = FlowRun.this::ended;

        Host(int number, long bytes) {
            device = fabric.open(number, options);
            domain = device.protectionDomain();
            completions = device.completionQueue(sending[number] + 1);
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
