package dev.verbena.fabric;

import dev.verbena.fabric.manage.Subnet;
import dev.verbena.transport.TransportDevice;
import dev.verbena.transport.TransportOptions;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.transport.carrier.ProgramGuard;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import dev.verbena.wire.capture.CaptureWriter;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A simulated network: its clock, its nodes, and the packets between them.
///
/// ```
/// Fabric fabric = new Fabric(FatTree.threeTiers(4, 8).topology(), FabricSettings.ROCE);
/// Device left = fabric.open(0);
/// Device right = fabric.open(127);
/// …
/// ```
///
/// Time passes when a program waits (`CompletionQueue.await`), or when [#run] is called. A fabric,
/// and all objects made from its devices, belong to one thread at a time.
public final class Fabric {
    /// 10.0.0.1 is the first host.
    private static final int FIRST_ADDRESS = 0x0A00_0001;

    /// Unicast LIDs of a subnet (IBA 4.1.3): larger networks are several subnets.
    static final int LIDS_MAX = 0xBFFF;

    /// What a poll takes that finds nothing, where a program polls.
    private static final long POLL_PS = 100_000;

    private static final long SUBNET = 0xFE80_0000_0000_0000L;
    private static final int LARGEST_HEADERS = 128;

    /// A count that is never reached: acknowledgements depend on the delay alone.
    private static final int ACKNOWLEDGE_LATE = 1 << 20;

    private final FabricSettings settings;
    private final Topology topology;
    private final Clock clock = new Clock();
    private final Agenda agenda = new Agenda(clock);
    private final Multicast multicast;
    private final PacketPool pool = new PacketPool();
    private final InboundPacket inbound = new InboundPacket();
    private final OutboundPacket outbound = new OutboundPacket(MemorySegment.NULL, 0);
    private final Nic[] nics;
    private final Node[] nodes;
    private final ArrayDeque<Nic> busy = new ArrayDeque<>();
    private boolean isTurning;

    /// Whether [#run] or [#step] is in the middle of its work.
    private boolean isRunning;

    private long unreachable;

    /// Of devices that programs have opened by URI; null where there are none.
    private @Nullable ProgramGuard guard;

    private @Nullable CableFaults faults;
    private @Nullable ManagedPlane managed;
    private @Nullable Reductions reductions;
    private @Nullable PfcWatchdog watchdog;
    private final @Nullable Repair repair;
    private final VirtualTime time = new FabricTime(this);
    private Runnable whenEmpty = () -> {};
    private int opened;

    public Fabric(Topology topology, FabricSettings settings) {
        this.topology = topology;
        this.settings = settings;
        if (settings.layer() == LinkLayer.INFINIBAND) {
            Assembly.requireLids(topology);
        }
        multicast = new Multicast(topology, settings.layer() == LinkLayer.INFINIBAND);
        nics = new Nic[topology.hosts()];
        nodes = new Node[topology.hosts() + topology.switches()];
        new Assembly(this, topology).build(nics, nodes);
        Routing routing = settings.routing();
        repair = routing.repairs() ? new Repair(this, routing.repairPs()) : null;
    }

    public FabricSettings settings() {
        return settings;
    }

    public Topology topology() {
        return topology;
    }

    /// Opens the device of a host.
    public TransportDevice open(int host) {
        return open(host, options -> {});
    }

    /// Opens the device of a host; `changes` may set everything but its name and addresses, and
    /// that it carries [PhantomMemory].
    public TransportDevice open(int host, Consumer<TransportOptions> changes) {
        if (host < 0 || host >= nics.length) {
            throw new InvalidRequestException(
                    "fabric", "it has no host " + host, "use 0 to " + (nics.length - 1));
        }
        Nic nic = nics[host];
        if (nic.isOpen()) {
            throw new InvalidRequestException(
                    nic.toString(), "its device is open already", "close it first");
        }
        // Seeded by the number of the host, so that hosts do not depend on each other.
        SplittableRandom keys = new SplittableRandom(settings.seed() * 0x9E37_79B9L + host);
        TransportOptions options = new TransportOptions(keys, nic).madeUpAddresses(true);
        if (settings.kind() instanceof FabricKind.Ethernet ethernet) {
            options.priorities(ethernet.priorities());
        }
        NicProfile profile = profile(host);
        if (profile.acknowledgeNs() > 0) {
            options.acknowledge(ACKNOWLEDGE_LATE, profile.acknowledgeNs());
        }
        options.postDelayNs(Math.ceilDiv(profile.sendPs(), Clock.PS_PER_NS));
        changes.accept(options);
        int mtu = settings.mtu();
        options.name("host " + host)
                .gids(nic.gids())
                .carriesPhantoms(true)
                .port(
                        new PortAttributes(
                                1,
                                nic.portState(),
                                settings.layer(),
                                nic.lid(),
                                mtu,
                                mtu,
                                nic.port().cable().rate().bitsPerSecond()));
        TransportDevice device = TransportDevice.create(options);
        nic.device(device);
        if (managed != null) {
            managed.opened(host);
        }
        opened++;
        return device;
    }

    /// The device of a host, opened if it is not open yet: what runs beside each other shares it.
    public TransportDevice opened(int host, Consumer<TransportOptions> changes) {
        boolean isKnown = host >= 0 && host < nics.length && nics[host].isOpen();
        return isKnown ? nics[host].device() : open(host, changes);
    }

    /// The counters of all devices that are open, added up by name.
    public Map<String, Long> deviceCounters() {
        Map<String, Long> sums = new TreeMap<>();
        for (Nic nic : nics) {
            if (nic.isOpen()) {
                nic.device()
                        .counters()
                        .forEach((name, value) -> sums.merge(name, value, Long::sum));
            }
        }
        return sums;
    }

    /// Opens the device of a host for a program of which nothing is known: it may poll, and have
    /// several threads.
    TransportDevice openForProgram(int host, Consumer<TransportOptions> changes) {
        ProgramGuard known = programGuard();
        known.enter();
        try {
            return open(
                    host,
                    options -> {
                        changes.accept(options);
                        options.guard(known);
                    });
        } finally {
            known.exit();
        }
    }

    private ProgramGuard programGuard() {
        if (guard == null) {
            guard = new ProgramGuard("fabric");
        }
        return guard;
    }

    /// Lets threads use the devices that pass a baton, until it is taken away by null. Devices that
    /// were opened by URI notice it; call it while no thread is in a call of one.
    public void pass(@Nullable Baton baton) {
        programGuard().baton(baton);
    }

    /// Its time, for threads that take turns.
    public VirtualTime time() {
        return time;
    }

    @Nullable Baton baton() {
        return guard == null ? null : guard.baton();
    }

    /// Sets the listener that is called when the last device was closed.
    void whenEmpty(Runnable listener) {
        whenEmpty = listener;
    }

    void closed() {
        if (--opened == 0) {
            whenEmpty.run();
        }
    }

    /// The number of the host with this name, -1 if there is none. A dash stands for a blank where
    /// that is impractical: `host-7`.
    public int host(String name) {
        return topology.host(name);
    }

    /// The LID of a multicast group, with which programs attach to it and send to it: on InfiniBand
    /// the fabric, as a subnet manager, gives it one; 0 on Ethernet.
    public int multicastLid(Gid group) {
        return settings.layer() == LinkLayer.INFINIBAND ? Multicast.lid(group) : 0;
    }

    Multicast multicast() {
        return multicast;
    }

    Gid gid(int host) {
        return settings.layer() == LinkLayer.ETHERNET
                ? Gid.ofIpv4(FIRST_ADDRESS + host)
                : new Gid(SUBNET, host + 1);
    }

    /// What packets to an address are forwarded by; see [Route#destination].
    int destination(Address address) {
        if (address.gid().isMulticast()) {
            return multicast.destination(address);
        }
        if (settings.layer() == LinkLayer.INFINIBAND) {
            int lid = address.lid();
            return lid > 0 && lid <= LIDS_MAX ? lid : Route.NOWHERE;
        }
        long host = (address.gid().low() & 0xFFFF_FFFFL) - FIRST_ADDRESS;
        return host >= 0 && host < nics.length ? (int) host : Route.NOWHERE;
    }

    /// The delays of a host's NIC. Of a port within a host the link's latency is all there is.
    NicProfile profile(int host) {
        return topology.isInner(host) ? NicProfile.IDEAL : settings.nic();
    }

    /// The LID of a host, where the builder of the fabric assigns them.
    int lid(int host) {
        return settings.layer() == LinkLayer.INFINIBAND ? host + 1 : 0;
    }

    /// Picoseconds since the fabric was made.
    public long nowPs() {
        return clock.nowPs();
    }

    /// Whether no event is left; then nothing happens until a program posts a request.
    public boolean isIdle() {
        return busy.isEmpty() && clock.nextPs() == EventQueue.NEVER;
    }

    /// Number of events so far.
    public long events() {
        return clock.happened();
    }

    /// Runs all events up to a time; until nothing is left for `Long.MAX_VALUE`, and the time is
    /// that of the last one then.
    public void run(long untilPs) {
        isRunning = true;
        try {
            runTo(untilPs);
        } finally {
            isRunning = false;
        }
    }

    private void runTo(long untilPs) {
        boolean isMore = true;
        while (isMore) {
            isMore = next(untilPs);
        }
        if (untilPs != EventQueue.NEVER) {
            clock.run(untilPs);
        }
    }

    /// Runs the next event; returns whether there was one up to that time.
    public boolean step(long untilPs) {
        if (guard == null || isRunning) {
            return next(untilPs);
        }
        isRunning = true;
        try {
            return next(untilPs);
        } finally {
            isRunning = false;
        }
    }

    private boolean next(long untilPs) {
        serveBusy();
        long nextPs = clock.nextPs();
        if (nextPs > untilPs || nextPs == EventQueue.NEVER) {
            return false;
        }
        clock.step();
        serveBusy();
        return true;
    }

    /// Runs all events of this instant, once; returns whether there was one.
    boolean turn() {
        enter();
        if (isTurning) {
            exit();
            return false;
        }
        isTurning = true;
        try {
            boolean any = serveBusy();
            while (clock.nextPs() <= clock.nowPs()) {
                clock.step();
                any = true;
            }
            return any;
        } finally {
            isTurning = false;
            exit();
        }
    }

    /// Moves the clock to the next event, at most to `deadlineNs`.
    void idle(long deadlineNs) {
        if (isTurning || (deadlineNs == Long.MAX_VALUE && clock.nextPs() == EventQueue.NEVER)) {
            return;
        }
        long deadlinePs =
                deadlineNs > Long.MAX_VALUE / Clock.PS_PER_NS
                        ? Long.MAX_VALUE - 1
                        : deadlineNs * Clock.PS_PER_NS;
        boolean wasRunning = isRunning;
        isRunning = true;
        enter();
        try {
            clock.run(Math.min(deadlinePs, clock.nextPs()));
        } finally {
            exit();
            isRunning = wasRunning;
        }
    }

    /// Lets a thread of a program wait, at most to `deadlineNs`.
    void await(long deadlineNs, BooleanSupplier isOver) {
        Baton baton = baton();
        if (baton == null) {
            idle(deadlineNs);
        } else if (isTurning || isRunning) {
            throw new WrongStateException(
                    "fabric",
                    "a listener waits, and the time stands still until it returns",
                    "wait in the program, not in its listeners");
        } else {
            baton.await(deadlineNs, isOver);
        }
    }

    /// A poll takes a little time where something is under way, so that a program that polls gets
    /// on as one that waits does. A listener polls in the middle of an event, which has its time.
    void polledInVain() {
        if (guard == null) {
            return;
        }
        enter();
        try {
            Baton baton = guard.baton();
            if (isRunning || isTurning) {
                return;
            }
            if (baton != null) {
                baton.polled();
            } else if (clock.nextPs() != EventQueue.NEVER) {
                clock.pass(clock.nowPs() + POLL_PS);
            }
        } finally {
            exit();
        }
    }

    void enter() {
        if (guard != null) {
            guard.enter();
        }
    }

    void exit() {
        if (guard != null) {
            guard.exit();
        }
    }

    /// Runs for a duration.
    public void advance(Duration time) {
        run(clock.nowPs() + time.toNanos() * Clock.PS_PER_NS);
    }

    private boolean serveBusy() {
        if (busy.isEmpty()) {
            return false;
        }
        while (!busy.isEmpty()) {
            busy.removeFirst().serve(clock.nowPs());
        }
        return true;
    }

    /// Captures the link between a host and its switch, in both directions, including pause frames
    /// and credits: RoCE as Ethernet frames, InfiniBand as ERF records. The caller closes the
    /// writer.
    public void capture(int host, CaptureWriter writer) {
        PortCapture capture = new PortCapture(pool, writer, settings.layer());
        nics[host].port().captureTo(capture);
        new Census(this).neighbour(host).captureTo(capture);
    }

    /// Schedules an action at a time that has not passed.
    public void at(long timePs, Runnable action) {
        agenda.add(timePs, action);
    }

    /// Lets something go wrong with a cable.
    ///
    /// @throws IllegalArgumentException for a cable that is not there, a time that has passed, or a
    ///   second fault of the same kind at the same time
    public void fault(CableFault fault) {
        if (faults == null) {
            faults = new CableFaults(this);
        }
        faults.add(fault);
    }

    /// Lets a watchdog look for pause storms from now on; the fabric is never idle then.
    ///
    /// @throws WrongStateException for a fabric that has one
    public void watch(WatchdogSettings against) {
        if (watchdog != null) {
            throw new WrongStateException(
                    "fabric", "it has a watchdog already", "make another fabric for other times");
        }
        watchdog = new PfcWatchdog(this, against);
    }

    /// What the watchdog has found so far.
    public List<WatchdogEvent> storms() {
        return watchdog == null ? List.of() : watchdog.events();
    }

    /// Leaves an InfiniBand fabric to a subnet manager: no port is active, and no packet is
    /// forwarded, until one has set it. The same subnet is returned every time.
    ///
    /// @throws IllegalArgumentException for a fabric that has no subnet manager
    public Subnet subnet() {
        if (managed == null) {
            managed = new ManagedPlane(this);
        }
        return managed.subnet();
    }

    void cableChanged(int cable) {
        if (managed != null) {
            managed.cableChanged(cable);
        }
        if (repair != null && topology.isUplink(cable)) {
            repair.cableChanged();
        }
    }

    Reductions reductions() {
        if (reductions == null) {
            reductions = new Reductions(this);
        }
        return reductions;
    }

    void busy(Nic nic) {
        busy.addLast(nic);
    }

    void unreachable() {
        unreachable++;
    }

    Nic nic(int host) {
        return nics[host];
    }

    /// Length of a packet on a link.
    int wireBytes(int handle, Route route) {
        int payload = pool.payloadLength(handle);
        return settings.framing().wireBytes(pool.transportLength(handle), payload, route.isGlobal);
    }

    int largestPacket() {
        return settings.mtu() + LARGEST_HEADERS;
    }

    Clock clock() {
        return clock;
    }

    PacketPool pool() {
        return pool;
    }

    InboundPacket inbound() {
        return inbound;
    }

    OutboundPacket outbound() {
        return outbound;
    }

    Node node(int number) {
        return nodes[number];
    }

    public FabricCounts counts() {
        return new Census(this).counts();
    }

    /// Marks and congestion notifications of all nodes.
    public CongestionCounts congestion() {
        return new Census(this).congestion();
    }

    /// All ports, those of a cable one after the other.
    public List<PortCounts> ports() {
        return new Census(this).ports();
    }

    /// How long each port of [#ports] has been sending by now, in picoseconds.
    public long[] busyPs() {
        return new Census(this).busyPs();
    }

    /// The most link bytes that waited at a time in a lane of each port of [#ports], with those on
    /// their way through its switch, since this was last called: like the watermarks of switches,
    /// it begins again when it is read.
    public long[] takeQueuePeaks() {
        return new Census(this).takeQueuePeaks();
    }

    /// The port counters of a host or switch by its name, such as `leaf 0`, or `leaf-0` where a
    /// blank is impractical.
    public List<PortCounts> counters(String node) {
        List<PortCounts> found = new Census(this).counters(node);
        if (found.isEmpty()) {
            throw new InvalidRequestException(
                    "fabric",
                    "it has no \"" + node + "\" with a cable",
                    "use a name such as \"" + nodes[nodes.length - 1] + "\" or \"host 0\"");
        }
        return found;
    }

    /// Packets to addresses that no host has.
    public long unreachablePackets() {
        return unreachable;
    }

    @Override
    public String toString() {
        return topology.toString();
    }
}
