package dev.verbena.ibverbs;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.DatagramListener;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.spi.Depths;
import dev.verbena.verbs.spi.ObjectRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A device of the kernel's, opened once, with all that was made from it.
final class IbvDevice implements Device {
    final IbvContext context;
    final EventThread thread;
    final AsyncEvents events;
    final Set<IbvDomain> domains = new LinkedHashSet<>();
    final Set<IbvCompletionQueue> queues = new LinkedHashSet<>();
    private @Nullable Connections connections;
    private int nextNumber = 1;
    private volatile boolean closed;

    private IbvDevice(IbvContext context) {
        this.context = context;
        this.thread = new EventThread(context);
        this.events = new AsyncEvents(this);
    }

    static IbvDevice open(RdmaStack stack, IbvSettings settings) {
        return new IbvDevice(IbvContext.open(stack, settings));
    }

    @Override
    public String name() {
        return context.settings.name();
    }

    @Override
    public String description() {
        String firmware = context.sysfs.firmware();
        return context.isRxe
                ? "Soft-RoCE of the kernel: libibverbs, and packets in software"
                : "libibverbs" + (firmware.isEmpty() ? "" : ", firmware " + firmware);
    }

    @Override
    public DeviceLimits limits() {
        return context.limits;
    }

    @Override
    public PortAttributes port(int number) {
        requirePort(number);
        return inside(context::port);
    }

    /// With the context there until it has answered.
    private <T> T inside(Supplier<T> call) {
        return context.locked(this::requireOpen, call);
    }

    @Override
    public List<Gid> gids(int port) {
        requirePort(port);
        return context.gids.stream().map(GidTable.Entry::gid).toList();
    }

    @Override
    public List<Integer> partitionKeys(int port) {
        requirePort(port);
        return inside(
                () ->
                        IntStream.range(0, context.partitionKeys())
                                .map(context::partitionKey)
                                .filter(key -> key != 0)
                                .boxed()
                                .toList());
    }

    @Override
    public SortedMap<String, Long> counters() {
        return Collections.unmodifiableSortedMap(context.sysfs.counters(context.settings.port()));
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return inside(
                () -> {
                    IbvDomain domain = new IbvDomain(this, number());
                    domains.add(domain);
                    return domain;
                });
    }

    @Override
    public CompletionQueue completionQueue(int capacity) {
        Depths.requireCompletionQueue(name(), capacity, limits().completions());
        return inside(
                () -> {
                    IbvCompletionQueue queue = new IbvCompletionQueue(this, number(), capacity);
                    queues.add(queue);
                    return queue;
                });
    }

    @Override
    public @Nullable AsyncEvent pollEvent() {
        requireOpen();
        return events.poll();
    }

    /// The device works by itself.
    @Override
    public boolean progress() {
        requireOpen();
        return false;
    }

    @Override
    public Listener listen(int port, int backlog) {
        return managed(it -> it.listen(port, backlog));
    }

    @Override
    public Connection connect(QueuePair queuePair, Address address, int port, byte... privateData) {
        return managed(it -> it.connect(queuePair, address, port, privateData));
    }

    @Override
    public DatagramListener listenForDatagrams(int port, int backlog) {
        return managed(it -> it.listenForDatagrams(port, backlog));
    }

    @Override
    public Resolution resolve(Address address, int port, byte... privateData) {
        return managed(it -> it.resolve(address, port, privateData));
    }

    /// The manager of connections is asked for when the first needs it.
    private <T> T managed(Function<Connections, T> call) {
        return inside(
                () -> {
                    if (connections == null) {
                        connections = Connections.of(this);
                    }
                    return call.apply(connections);
                });
    }

    @Override
    public void close() {
        context.lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            context.lock.unlock();
        }
        // Without the lock, since the thread may need it.
        thread.stop();
        context.lock.lock();
        try {
            if (connections != null) {
                connections.end();
            }
            for (IbvDomain domain : new ArrayList<>(domains)) {
                domain.closeAll();
            }
            for (IbvCompletionQueue queue : new ArrayList<>(queues)) {
                queue.close();
            }
            thread.closeChannel();
            context.verbs.closeDevice(context.address);
        } finally {
            context.lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw ObjectRules.closedDevice(name());
        }
    }

    /// A small number that no other object of the device has.
    int number() {
        return nextNumber++;
    }

    /// Our completion queue, if it is one.
    IbvCompletionQueue own(CompletionQueue given) {
        if (!(given instanceof IbvCompletionQueue queue) || !equals(queue.device())) {
            throw ObjectRules.foreign(name(), given);
        }
        queue.requireOpen();
        return queue;
    }

    private void requirePort(int number) {
        ObjectRules.requirePort(name(), number);
    }
}
