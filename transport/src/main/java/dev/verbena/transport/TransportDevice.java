package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.InboundPacket;
import dev.verbena.transport.carrier.ManagementAgent;
import dev.verbena.transport.carrier.ManagementOutlet;
import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.carrier.TransmitSink;
import dev.verbena.transport.common.Counters;
import dev.verbena.transport.common.DeviceWait;
import dev.verbena.transport.common.Notices;
import dev.verbena.transport.common.PortTable;
import dev.verbena.transport.connect.Connecting;
import dev.verbena.transport.connect.Resolving;
import dev.verbena.transport.manage.Management;
import dev.verbena.transport.schedule.RateControl;
import dev.verbena.transport.schedule.Scheduler;
import dev.verbena.transport.schedule.Timed;
import dev.verbena.transport.schedule.TimerQueue;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.DrivenWait;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.ObjectRules;
import dev.verbena.verbs.spi.VirtualTime;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A device in software: programs open it, and a carrier drives it with four calls.
///
/// The contract between device and carrier stands in the package's description.
public final class TransportDevice
        implements Device, VirtualTime.Timed, NetworkReduction.Offering, DrivenWait.Offering {
    private final Engine engine;

    // Of the engine, side by side: the parts that a carrier's call needs for each packet. A
    // simulation has many devices, and each load from one that was not used for long is slow.
    private final Notices notices;
    private final Scheduler scheduler;
    private final TimerQueue timers;
    private final Management management;
    private final PortTable portTable;

    private int domains;

    /// How many calls of the carrier are in the middle of their work.
    private int carried;

    private TransportDevice(TransportOptions options) {
        engine = new Engine(this, options.settings.copy());
        notices = engine.settings.notices;
        scheduler = engine.scheduler;
        timers = engine.timers;
        management = engine.management;
        portTable = engine.settings.port;
    }

    /// A device, ready to be driven.
    ///
    /// @throws InvalidRequestException when an option is outside the range of the implementation
    public static TransportDevice create(TransportOptions options) {
        options.check();
        return new TransportDevice(options);
    }

    /// Takes a packet in; does not look at its bytes after returning. Listeners are called at the
    /// end, and may close the device.
    public void handlePacket(long nowNs, InboundPacket packet) {
        hold();
        try {
            take(nowNs, packet);
        } finally {
            letGo();
        }
    }

    private void take(long nowNs, InboundPacket packet) {
        Counters counters = engine.counters;
        counters.add(Counter.RECEIVED_PACKETS);
        Verdict verdict = packet.verdict();
        PacketView view = packet.view();
        if (verdict != Verdict.OK) {
            switch (verdict.category()) {
                case CORRUPT -> {
                    counters.add(Counter.DROPPED_CORRUPT);
                    return;
                }
                case FOREIGN, MALFORMED -> {
                    counters.add(Counter.DROPPED_MALFORMED);
                    return;
                }
                // The queue pair answers these, when they are requests in their place.
                case ILLEGAL, UNSUPPORTED, ACCEPTED -> {}
            }
        }
        if (!view.hasBth()) {
            counters.add(Counter.DROPPED_MALFORMED);
            return;
        }
        if (view.destQp() != Management.SUBNET && !portTable.isActive()) {
            counters.add(Counter.DROPPED_PORT);
            return;
        }
        if (view.destQp() == QueuePair.MULTICAST_NUMBER) {
            engine.multicast.deliver(nowNs, packet);
            return;
        }
        // IBA 9.6.1.5: a packet to a group is for its members, for any destination number.
        if (packet.isToGroup()) {
            counters.add(Counter.DROPPED_GROUP);
            return;
        }
        TransportQueuePair pair = engine.pairs.find(view.destQp());
        if (pair == null) {
            if (!management.handle(nowNs, view.destQp(), packet)) {
                counters.add(Counter.DROPPED_UNKNOWN_PAIR);
            }
            return;
        }
        pair.handle(nowNs, packet);
    }

    /// Lets an agent take the management datagrams of one class that come to queue pair 0 or 1;
    /// returns how its own leave, at any time and from any thread. The connection manager has its
    /// class on every device.
    ///
    /// @throws InvalidRequestException when the class has an agent
    public ManagementOutlet manage(int queuePair, int managementClass, ManagementAgent agent) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            ManagementOutlet outlet = management.register(queuePair, managementClass, agent);
            managed();
            return (to, writer) -> send(outlet, to, writer);
        }
    }

    private void send(ManagementOutlet outlet, Address to, Consumer<MemorySegment> writer) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            outlet.send(to, writer);
            managed();
        }
    }

    /// An agent wants to be looked at, or has something to send. In the middle of the carrier's own
    /// calls the carrier looks anyway.
    private void managed() {
        management.settle();
        if (carried == 0) {
            scheduler.wakeCarrier();
        }
    }

    /// What the port has been given by now.
    public PortSettings portSettings() {
        return portTable.now();
    }

    /// Changes the port, as a subnet manager does. Programs see an event for each kind of change.
    ///
    /// A queue pair goes by the partition key that its index has from then on. A path that is in
    /// use keeps the GID that it began with; connection management goes by the new one, which the
    /// peers of managed connections do not know, so end these before. A port that is not active
    /// lets only packets of the subnet manager pass; what queue pairs send meanwhile is lost, and
    /// sent again where the service repeats it.
    ///
    /// @throws UnsupportedException when the carrier cannot follow
    public void changePort(UnaryOperator<PortSettings> change) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            PortSettings before = portTable.now();
            PortSettings after = Objects.requireNonNull(change.apply(before), "port settings");
            PortChange.make(engine, before, after);
            scheduler.wakeCarrier();
        }
    }

    private void hold() {
        carried++;
        notices.hold();
    }

    private void letGo() {
        carried--;
        notices.letGo();
    }

    /// Handles all timers that are due at this time; every packet that has arrived was handed over.
    public void handleTimeout(long nowNs) {
        handleTimeout(nowNs, nowNs);
    }

    /// Handles all timers that are due at this time, for a carrier that may be behind: a request
    /// times out only when its answer had not arrived in time, not when it waits to be read.
    ///
    /// @param heardNs what had arrived by then was handed over
    public void handleTimeout(long nowNs, long heardNs) {
        hold();
        try {
            Timed pair = timers.expire(nowNs);
            while (pair != null) {
                pair.handleTimeout(nowNs, heardNs);
                pair = timers.expire(nowNs);
            }
            management.handleTimeout(nowNs);
        } finally {
            letGo();
        }
    }

    /// When to call [#handleTimeout] next; `Long.MAX_VALUE` when nothing is waited for. It may be
    /// early, never late.
    public long pollTimeout() {
        return Math.min(timers.next(), management.pollTimeout());
    }

    /// Yields packets of the classes in the mask, up to the budget; returns how many. Those that a
    /// port drops which is not active count: they would have taken their time on the link.
    public int pollTransmit(long nowNs, int classMask, int budgetBytes, TransmitSink sink) {
        return pollTransmit(nowNs, classMask, budgetBytes, Integer.MAX_VALUE, sink);
    }

    /// The same, and no more than so many packets.
    public int pollTransmit(
            long nowNs, int classMask, int budgetBytes, int packetsMax, TransmitSink sink) {
        hold();
        try {
            boolean isActive = portTable.isActive();
            TransmitSink out = isActive ? sink : new SubnetOnly(sink, engine.counters);
            return scheduler.transmit(nowNs, classMask, budgetBytes, packetsMax, out);
        } finally {
            letGo();
        }
    }

    /// Frees no memory until [#letMemoryGo]: for a carrier that refers to payload by address,
    /// around [#pollTransmit] and the sending of the packets.
    public void holdMemory() {
        engine.memory.hold();
        notices.hold();
    }

    public void letMemoryGo() {
        engine.memory.letGo();
        notices.letGo();
    }

    /// A bit for each class of which there may be something to send.
    public int pendingClasses() {
        return scheduler.waiting();
    }

    @Override
    public @Nullable AsyncEvent pollEvent() {
        try (var _ = engine.life.entry.enter()) {
            return engine.events.poll();
        }
    }

    @Override
    public String name() {
        return engine.settings.name;
    }

    @Override
    public Optional<VirtualTime> virtualTime() {
        return engine.settings.driver.virtualTime();
    }

    @Override
    public Optional<NetworkReduction> networkReduction() {
        return engine.settings.driver.networkReduction();
    }

    /// In virtual time threads take turns, and wait by other means.
    @Override
    public Optional<DrivenWait> drivenWait() {
        return virtualTime().isPresent()
                ? Optional.empty()
                : Optional.of(new DeviceWait(engine.life));
    }

    @Override
    public String description() {
        return engine.settings.driver.description();
    }

    @Override
    public DeviceLimits limits() {
        return engine.settings.limits;
    }

    @Override
    public PortAttributes port(int number) {
        requirePort(number);
        return portTable.now().attributes();
    }

    @Override
    public List<Gid> gids(int port) {
        requirePort(port);
        return portTable.now().gids();
    }

    @Override
    public List<Integer> partitionKeys(int port) {
        requirePort(port);
        return portTable.now().partitionKeys();
    }

    @Override
    public SortedMap<String, Long> counters() {
        try (var _ = engine.life.entry.enter()) {
            SortedMap<String, Long> counts = engine.counters.byTitle();
            counts.putAll(engine.settings.driver.counters());
            return counts;
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return new TransportDomain(this, domains++);
        }
    }

    /// Creates a region that has a length but no memory: only the number of bytes is transmitted.
    /// The domain must be of a device whose carrier has set [TransportOptions#carriesPhantoms]. It
    /// is for modules with such a carrier; programs call `PhantomMemory` of the module fabric.
    ///
    /// @throws UnsupportedException when the carrier of the domain's device transmits bytes
    public static MemoryRegion phantom(ProtectionDomain domain, long bytes, Access... rights) {
        if (domain instanceof TransportDomain own && own.engine().settings.carriesPhantoms) {
            return own.phantom(bytes, rights);
        }
        throw new UnsupportedException(
                domain + " of " + domain.device().name(),
                "the device transmits bytes, and a phantom region has none",
                "use ProtectionDomain.allocate, or a device of Fabric.open");
    }

    /// Bytes of all SENDs and WRITEs that a connected queue pair has received, the one that is not
    /// complete among them: in their order, each once. It is for modules that simulate programs; a
    /// program sees messages when they are complete.
    ///
    /// @throws UnsupportedException when the queue pair is not of this module
    public static long placed(QueuePair pair) {
        return own(pair).receiver().placed();
    }

    /// How often congestion control has reduced the rate or window of a queue pair, for the same
    /// modules.
    ///
    /// @throws UnsupportedException when the queue pair is not of this module
    public static long cuts(QueuePair pair) {
        return own(pair).rate().cuts();
    }

    private static TransportQueuePair own(QueuePair pair) {
        if (pair instanceof TransportQueuePair own) {
            return own;
        }
        throw new UnsupportedException(
                pair.toString(), "its device does not simulate", "use a device of Fabric.open");
    }

    @Override
    public CompletionQueue completionQueue(int capacity) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return engine.completions.create(capacity);
        }
    }

    @Override
    public Listener listen(int port, int backlog) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return Connecting.listen(engine.connections, port, backlog);
        }
    }

    @Override
    public Connection connect(QueuePair queuePair, Address address, int port, byte... privateData) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return Connecting.connect(
                    engine.connections,
                    engine.connections.own(queuePair),
                    address,
                    port,
                    privateData);
        }
    }

    @Override
    public DatagramListener listenForDatagrams(int port, int backlog) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return Resolving.listen(engine.connections, port, backlog);
        }
    }

    @Override
    public Resolution resolve(Address address, int port, byte... privateData) {
        try (var _ = engine.life.entry.enter()) {
            engine.life.requireOpen();
            return Resolving.resolve(engine.connections, address, port, privateData);
        }
    }

    @Override
    public boolean progress() {
        return engine.life.progress();
    }

    @Override
    public void close() {
        try {
            DeviceEnd.takeLeave(engine);
        } finally {
            end();
        }
    }

    private void end() {
        try (var _ = engine.life.entry.enter()) {
            if (engine.life.isClosed()) {
                return;
            }
            try {
                DeviceEnd.closeAll(engine);
            } finally {
                engine.life.close();
                DeviceEnd.rouse(engine);
            }
        } finally {
            if (engine.life.isClosed()) {
                engine.settings.driver.closed();
            }
        }
    }

    /// Ends a device whose carrier cannot go on: all queue pairs fail, every waiting thread is
    /// woken, and later calls say why. Called with the guard held.
    ///
    /// @param cause what the carrier, or the transport, has thrown
    public void fail(Throwable cause) {
        DeviceEnd.fail(engine, cause);
    }

    Engine engine() {
        return engine;
    }

    TransportQueuePair createQueuePair(
            TransportDomain domain, QueuePairType type, QueuePairOptions options) {
        requireDepth("send", options.sendDepth());
        if (options.sharedReceives() == null) {
            requireDepth("receive", options.receiveDepth());
        }
        Depths.requireCompletions(options);
        int index = engine.pairs.reserve();
        TransportQueuePair pair;
        try {
            pair = new TransportQueuePair(engine, domain, type, options, index);
        } catch (RuntimeException refused) {
            engine.pairs.giveBack(index);
            throw refused;
        }
        engine.pairs.add(pair);
        engine.life.reach(1);
        pair.rate(RateControl.of(engine.settings, type, 1 << pair.settings().mtuShift(), 0));
        QueuePairAttributes first =
                new QueuePairAttributes()
                        .port(options.port())
                        .partitionIndex(options.partitionIndex());
        if (type == QueuePairType.UD) {
            // The highest bit of a queue key means something else to senders.
            first.queueKey(
                    options.queueKey().orElseGet(() -> engine.settings.random.nextInt() >>> 1));
        } else {
            first.access(options.access());
        }
        try {
            // Also in RESET: the endpoint contains the partition, and connect starts from these
            // settings.
            PairChange.check(pair, engine, first);
            PairChange.apply(pair, engine, first);
            if (!options.isLeftReset()) {
                pair.modify(QueuePairState.INIT, first);
            }
        } catch (RuntimeException refused) {
            pair.close();
            throw refused;
        }
        return pair;
    }

    private void requireDepth(String which, int depth) {
        Depths.requireQueue(name(), which, depth, 1, limits().workRequests());
    }

    private void requirePort(int number) {
        ObjectRules.requirePort(name(), number);
    }

    @Override
    public String toString() {
        return name();
    }
}
