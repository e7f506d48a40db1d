package dev.verbena.fabric;

import dev.verbena.transport.TransportOptions;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Flows as WRITEs over reliable connections, one for each, between memory that has no bytes. A
/// flow is over when its last acknowledgement is back at the sender.
public final class FlowRun {
    /// Of a flow that is not over.
    public static final long NOT_YET = -1;

    private final Fabric fabric;
    private final List<Flow> flows;
    private final Consumer<TransportOptions> options;
    private final UnaryOperator<Address> addresses;
    private final @Nullable Host[] hosts;
    private final QueuePair[] pairs;
    private final long[] endPs;

    /// By host, how many flows it sends.
    private final int[] sending;

    private final List<List<Integer>> followers = new ArrayList<>();
    private int left;

    /// Hosts at which something is over, since the last event.
    private final ArrayDeque<Host> told = new ArrayDeque<>();

    /// Connects the hosts of all flows, and posts those that start now.
    ///
    /// @param options may change what every device is made with
    public FlowRun(Fabric fabric, List<Flow> flows, Consumer<TransportOptions> options) {
        this(fabric, flows, options, UnaryOperator.identity());
    }

    /// The same with addresses of one's own.
    ///
    /// @param addresses may change where every connection leads, such as its traffic class
    public FlowRun(
            Fabric fabric,
            List<Flow> flows,
            Consumer<TransportOptions> options,
            UnaryOperator<Address> addresses) {
        this.addresses = addresses;
        this.fabric = fabric;
        this.flows = List.copyOf(flows);
        this.options = options;
        hosts = new Host[fabric.topology().hosts()];
        pairs = new QueuePair[flows.size()];
        endPs = new long[flows.size()];
        Arrays.fill(endPs, NOT_YET);
        left = flows.size();
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

    private void connect(QueuePair pair, Endpoint peer) {
        pair.connect(peer, it -> it.address(addresses.apply(Address.to(peer))));
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
        QueuePair pair = pairs[index];
        pair.sends()
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

    /// Lets the time pass until all flows are over, or until a time; returns whether they are.
    public boolean run(long untilPs) {
        while (left > 0) {
            if (!fabric.step(untilPs)) {
                return false;
            }
            while (!told.isEmpty()) {
                told.removeFirst().look();
            }
        }
        return true;
    }

    private void ended(Completion done) {
        int index = (int) done.id();
        if (done.status() != CompletionStatus.SUCCESS) {
            throw new IllegalStateException(
                    "flow %d from host %d to host %d: %s"
                            .formatted(
                                    index,
                                    flows.get(index).source(),
                                    flows.get(index).destination(),
                                    done));
        }
        endPs[index] = fabric.nowPs();
        left--;
        for (int follower : followers.get(index)) {
            post(follower);
        }
    }

    /// Flows that are not over.
    public int left() {
        return left;
    }

    /// When a flow was over, or [#NOT_YET].
    public long endPs(int flow) {
        return endPs[flow];
    }

    /// How long the flows took, in order; those only that are over.
    public long[] timesPs() {
        long[] times = new long[flows.size() - left];
        int count = 0;
        for (int i = 0; i < endPs.length; i++) {
            if (endPs[i] != NOT_YET) {
                times[count++] = endPs[i] - flows.get(i).startPs();
            }
        }
        Arrays.sort(times);
        return times;
    }

    /// What a host needs for its flows.
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
            memory = domain.phantom(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
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
