package dev.verbena.transport;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A device in software: programs open it, and a carrier drives it with five calls.
///
/// The contract between device and carrier stands in the package's description.
public final class TransportDevice implements Device {
    /// How long a device that closes waits until its last words have left: far longer than it
    /// takes, also where others use the processor.
    private static final long LEAVE_NS = 1_000_000_000;

    private static final long LEAVE_STEP_NS = 1_000_000;

    private final Engine engine;
    private int domains;
    private int completionQueues;
    private int completionQueuesMade;
    private @Nullable TransportCompletionQueue newestQueue;
    private volatile boolean closed;

    /// Threads that wait for connections, requests and resolutions.
    final Waiters managementWaits = new Waiters(this);

    /// Queue pairs and listeners.
    private int reaches;

    /// What ended it, while it was not closed.
    private volatile @Nullable Throwable failure;

    /// When connection management wants to be looked at: here, since it is asked after every
    /// packet.
    private long managementDueNs = Long.MAX_VALUE;

    private TransportDevice(TransportOptions options) {
        this.engine = new Engine(options);
    }

    /// A device, ready to be driven.
    ///
    /// @throws InvalidRequestException when an option is outside the range of the implementation
    public static TransportDevice create(TransportOptions options) {
        options.check();
        return new TransportDevice(options);
    }

    /// One queue pair or listener more, or less, by which peers reach the device.
    void reach(int change) {
        boolean wasReachable = reaches > 0;
        reaches += change;
        if (wasReachable != reaches > 0) {
            engine.options.driver.reachable(reaches > 0);
        }
    }

    /// Takes a packet in; does not look at its bytes after returning. Listeners are called at the
    /// end, and may close the device.
    public void handlePacket(long nowNs, InboundPacket packet) {
        engine.notices.hold();
        try {
            take(nowNs, packet);
        } finally {
            engine.notices.letGo();
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
            if (view.destQp() == GeneralServices.NUMBER) {
                engine.services.handle(nowNs, packet);
                managed();
            } else {
                counters.add(Counter.DROPPED_UNKNOWN_PAIR);
            }
            return;
        }
        pair.handle(nowNs, packet);
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
        engine.notices.hold();
        try {
            TransportQueuePair pair = engine.timers.expire(nowNs);
            while (pair != null) {
                pair.handleTimeout(nowNs, heardNs);
                pair = engine.timers.expire(nowNs);
            }
            if (nowNs >= managementDueNs) {
                engine.services.handleTimeout(nowNs);
                managed();
            }
        } finally {
            engine.notices.letGo();
        }
    }

    /// Connection management has done something, and may wait for something else.
    void managed() {
        managementDueNs = engine.services.pollTimeout();
    }

    /// The same by a call of the program, after which the carrier has to look.
    void managedByProgram() {
        managed();
        wakeIfBusy();
    }

    /// When to call [#handleTimeout] next; `Long.MAX_VALUE` when nothing is waited for. It may be
    /// early, never late.
    public long pollTimeout() {
        return Math.min(engine.timers.next(), managementDueNs);
    }

    /// Yields packets of the classes in the mask, up to the budget; returns how many.
    public int pollTransmit(long nowNs, int classMask, int budgetBytes, TransmitSink sink) {
        engine.notices.hold();
        try {
            return engine.scheduler.transmit(nowNs, classMask, budgetBytes, sink);
        } finally {
            engine.notices.letGo();
        }
    }

    /// Frees no memory until [#letMemoryGo]: for a carrier that refers to payload by address,
    /// around [#pollTransmit] and the sending of the packets.
    public void holdMemory() {
        engine.memory.hold();
        engine.notices.hold();
    }

    public void letMemoryGo() {
        engine.memory.letGo();
        engine.notices.letGo();
    }

    /// A bit for each class of which there may be something to send.
    public int pendingClasses() {
        return engine.scheduler.waiting();
    }

    @Override
    public @Nullable AsyncEvent pollEvent() {
        try (var _ = engine.door.enter()) {
            return engine.events.poll();
        }
    }

    @Override
    public String name() {
        return engine.options.name;
    }

    @Override
    public String description() {
        return engine.options.driver.description();
    }

    @Override
    public DeviceLimits limits() {
        return engine.options.limits;
    }

    @Override
    public PortAttributes port(int number) {
        requirePort(number);
        return engine.options.port;
    }

    @Override
    public List<Gid> gids(int port) {
        requirePort(port);
        return engine.options.gids;
    }

    @Override
    public List<Integer> partitionKeys(int port) {
        requirePort(port);
        return engine.options.partitionKeys;
    }

    @Override
    public SortedMap<String, Long> counters() {
        try (var _ = engine.door.enter()) {
            SortedMap<String, Long> counts = engine.counters.byTitle();
            counts.putAll(engine.options.driver.counters());
            return counts;
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return new TransportDomain(this, domains++);
        }
    }

    @Override
    public CompletionQueue completionQueue(int capacity) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            if (capacity < 1 || capacity > limits().completions()) {
                throw new LimitExceededException(
                        name(),
                        "no completion queue of " + capacity,
                        "use 1 to " + limits().completions());
            }
            if (completionQueues == limits().completionQueues()) {
                throw new LimitExceededException(
                        name(),
                        "it holds " + completionQueues + " completion queues already",
                        "close some, or share one between queue pairs");
            }
            completionQueues++;
            newestQueue =
                    new TransportCompletionQueue(
                            this, ++completionQueuesMade, capacity, newestQueue);
            return newestQueue;
        }
    }

    @Override
    public Listener listen(int port, int backlog) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return Connecting.listen(this, port, backlog);
        }
    }

    @Override
    public Connection connect(QueuePair queuePair, Address address, int port, byte... privateData) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return Connecting.connect(this, own(queuePair), address, port, privateData);
        }
    }

    @Override
    public DatagramListener listenForDatagrams(int port, int backlog) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return Resolving.listen(this, port, backlog);
        }
    }

    @Override
    public Resolution resolve(Address address, int port, byte... privateData) {
        try (var _ = engine.door.enter()) {
            requireOpen();
            return Resolving.resolve(this, address, port, privateData);
        }
    }

    @Override
    public boolean progress() {
        requireOpen();
        Driver driver = engine.options.driver;
        boolean moved = driver.turn();
        if (!moved) {
            driver.polledInVain();
        }
        return moved;
    }

    @Override
    public void close() {
        try {
            takeLeave();
        } finally {
            end();
        }
    }

    private void end() {
        try (var _ = engine.door.enter()) {
            if (closed) {
                return;
            }
            try {
                closeAll();
            } finally {
                closed = true;
                rouseAll();
            }
        } finally {
            if (closed) {
                engine.options.driver.closed();
            }
        }
    }

    private void rouseAll() {
        managementWaits.rouse();
        for (var queue = newestQueue; queue != null; queue = queue.older()) {
            queue.rouse();
        }
    }

    /// Ends a device whose carrier cannot go on: all queue pairs fail, every waiting thread is
    /// woken, and later calls say why. Called with the guard held.
    ///
    /// @param cause what the carrier, or the transport, has thrown
    public void fail(Throwable cause) {
        if (closed || failure != null) {
            return;
        }
        failure = cause;
        try {
            for (int i = 0; i < engine.pairs.top(); i++) {
                TransportQueuePair pair = engine.pairs.at(i);
                if (pair != null) {
                    failWith(pair, cause);
                }
            }
            engine.events.warn(
                    AsyncEvent.Type.DEVICE_FATAL,
                    0,
                    name() + " failed and does nothing more: " + cause);
        } finally {
            rouseAll();
        }
    }

    /// The others fail, and threads are woken, even if this one is broken too.
    private static void failWith(TransportQueuePair pair, Throwable cause) {
        try {
            pair.failWithDevice();
        } catch (RuntimeException | Error broken) {
            if (!broken.equals(cause)) {
                cause.addSuppressed(broken);
            }
        }
    }

    long nowNs() {
        return engine.options.driver.nowNs();
    }

    /// Notifies the peers of managed connections that they have ended: once, since a closed device
    /// cannot receive their replies.
    private void takeLeave() {
        try (var _ = engine.door.enter()) {
            for (int i = 0; i < engine.pairs.top() && !closed; i++) {
                TransportQueuePair pair = engine.pairs.at(i);
                if (pair != null && pair.connection != null) {
                    pair.connection.disconnect();
                }
            }
        }
        Driver driver = engine.options.driver;
        long endNs = driver.nowNs() + LEAVE_NS;
        while (isLeaving() && driver.nowNs() < endNs) {
            if (!driver.turn()) {
                driver.idle(Math.min(endNs, driver.nowNs() + LEAVE_STEP_NS), () -> !isLeaving());
            }
        }
    }

    /// Whether something that peers should know has not left yet.
    private boolean isLeaving() {
        try (var _ = engine.door.enter()) {
            return !closed && failure == null && engine.services.mayHaveMore();
        }
    }

    private void closeAll() {
        for (int i = 0; i < engine.pairs.top(); i++) {
            TransportQueuePair pair = engine.pairs.at(i);
            if (pair != null) {
                pair.close();
            }
        }
        engine.shared.closeAll();
        engine.windows.closeAll();
        engine.memory.closeAll();
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
            pair = new TransportQueuePair(this, domain, type, options, index);
        } catch (RuntimeException refused) {
            engine.pairs.giveBack(index);
            throw refused;
        }
        engine.pairs.add(pair);
        reach(1);
        pair.isMarkable = engine.options.congestion != null && type != QueuePairType.UD;
        pair.rate(RateControl.of(engine.options, type, 0));
        QueuePairAttributes first =
                new QueuePairAttributes()
                        .port(options.port())
                        .partitionIndex(options.partitionIndex());
        if (type == QueuePairType.UD) {
            pair.mtuShift = Integer.numberOfTrailingZeros(engine.options.port.activeMtu());
            // The highest bit of a queue key means something else to senders.
            first.queueKey(
                    options.queueKey().orElseGet(() -> engine.options.random.nextInt() >>> 1));
        } else {
            first.access(options.access());
        }
        try {
            // Also in RESET: the endpoint contains the partition, and connect starts from these
            // settings.
            QueuePairSettings.check(pair, engine, first);
            QueuePairSettings.apply(pair, engine, first);
            if (!options.isLeftReset()) {
                pair.modify(QueuePairState.INIT, first);
            }
        } catch (RuntimeException refused) {
            pair.close();
            throw refused;
        }
        return pair;
    }

    TransportQueuePair own(QueuePair queuePair) {
        if (queuePair instanceof TransportQueuePair ours && ours.domain().device() == this) {
            ours.requireOpen();
            return ours;
        }
        throw new InvalidRequestException(
                name(), queuePair + " belongs to another device", "use one of this device");
    }

    TransportCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof TransportCompletionQueue ours && ours.isOn(this)) {
            ours.requireOpen();
            ours.requireWhole();
            return ours;
        }
        throw new InvalidRequestException(
                name(), queue + " belongs to another device", "use one of this device");
    }

    @Nullable TransportSharedReceives own(@Nullable SharedReceiveQueue queue) {
        if (queue == null) {
            return null;
        }
        if (queue instanceof TransportSharedReceives ours && ours.domainImpl().device() == this) {
            ours.requireOpen();
            return ours;
        }
        throw new InvalidRequestException(
                name(), queue + " belongs to another device", "use one of this device");
    }

    void completionQueueClosed(TransportCompletionQueue queue) {
        completionQueues--;
        if (queue == newestQueue) {
            newestQueue = queue.older();
        }
    }

    /// Whether it was closed or failed.
    boolean isOver() {
        return closed || failure != null;
    }

    /// Why a peer may not have answered.
    String noReplyFrom(Gid peer) {
        try (var _ = engine.door.enter()) {
            int error = engine.options.driver.lastError(peer);
            String usual =
                    "no reply; check the address, that its program runs, and that UDP %d is open"
                            .formatted(engine.options.udpPort);
            return error == 0 ? usual : "no reply. " + engine.options.driver.explain(error);
        }
    }

    /// Wakes the driver when there is something to send.
    void wakeIfBusy() {
        if (!engine.scheduler.isIdle()) {
            engine.options.driver.wake();
        }
    }

    void requireOpen() {
        requireNotClosed();
        Throwable cause = failure;
        if (cause != null) {
            throw new ClosedException(
                    name(), "the device failed: " + cause, "close it and open it again");
        }
    }

    /// What a program may still do with a device that failed: take the completions.
    void requireNotClosed() {
        if (closed) {
            throw new ClosedException(name(), "the device was closed", "open it again");
        }
    }

    private void requireDepth(String which, int depth) {
        int most = limits().workRequests();
        if (depth < 1 || depth > most) {
            throw new LimitExceededException(
                    name(), "no " + which + " queue of " + depth + " requests", "use 1 to " + most);
        }
    }

    private void requirePort(int number) {
        if (number != 1) {
            throw new InvalidRequestException(name(), "no port " + number, "it has port 1 only");
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
