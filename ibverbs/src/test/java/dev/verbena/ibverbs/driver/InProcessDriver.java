package dev.verbena.ibverbs.driver;

import dev.verbena.conformance.World;
import dev.verbena.transport.Loopback;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.LongConsumer;

/// The libraries and the kernel of a machine with two devices, which reach each other.
///
/// One lock guards all of it, as the network in memory belongs to one thread at a time. Work on the
/// network is done in every call and by a [Pump], by which time passes too.
public final class InProcessDriver implements AutoCloseable {
    /// The result of a function, and its error code.
    public record Result(long value, int errno) {}

    private record Delayed(long atNs, Runnable action) {}

    private static final long SEED = 7;

    /// Deadlines of the network that are passed at a time.
    private static final int STEPS = 50;

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /// Small enough that tests run into each of them.
    private static final DeviceLimits LIMITS =
            World.SMALL_LIMITS.toBuilder()
                    .workRequestsInAll(1 << 16)
                    .pendingEvents(1 << 16)
                    .build();

    /// Fair, so that the pump keeps no program waiting.
    final DriverLock lock = new DriverLock();

    private final Condition acknowledged = lock.newCondition();
    final Heap heap = new Heap();
    final Misuse misuse = new Misuse();
    final Map<Long, DriverObject> objects = new LinkedHashMap<>();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private volatile int doorbell;
    final Map<Long, Posted> posted = new HashMap<>();

    /// Keys of windows as programs know them, and as the transport does.
    final Map<Integer, Integer> keys = new HashMap<>();

    final List<DriverDevice> devices = new ArrayList<>();
    final boolean isSoftRoce;
    long tokens;
    int nextWindow = 1;
    private final Loopback network = new Loopback(SEED);
    private final Map<String, Calls.Call> functions = new HashMap<>();
    private final List<Delayed> delayed = new ArrayList<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private final Pump pump;

    /// @param isSoftRoce whether it has the habits of Soft-RoCE
    /// @param partitionKeys of each port
    /// @param names of the devices
    public InProcessDriver(boolean isSoftRoce, List<Integer> partitionKeys, List<String> names) {
        this.isSoftRoce = isSoftRoce;
        for (String name : names) {
            TransportDevice transport =
                    network.open(
                            name, options -> options.limits(LIMITS).partitionKeys(partitionKeys));
            devices.add(new DriverDevice(this, name, transport));
        }
        new Calls(this).addTo(functions);
        new CmCalls(this).addTo(functions);
        pump = new Pump(this);
        pump.start();
    }

    /// Calls that the libraries would not survive.
    public Misuse misuse() {
        return misuse;
    }

    /// Whether the libraries have a function of this name.
    public boolean has(String symbol) {
        return functions.containsKey(symbol);
    }

    /// Makes as if the libraries were of a version without this function.
    public void forget(String symbol) {
        functions.remove(symbol);
    }

    /// Makes a function fail from now on.
    public void refuse(String symbol, int errno) {
        refusals.put(symbol, errno);
    }

    /// Calls a function of the libraries.
    public Result call(String symbol, long... arguments) {
        Calls.Call call = functions.get(symbol);
        if (call == null) {
            throw new IllegalArgumentException("no function " + symbol);
        }
        Integer reason = refusals.get(symbol);
        if (reason != null) {
            return new Result(call.failure(reason), reason);
        }
        lock.lock();
        try {
            long value = call.answer(arguments);
            while (!afterwards.isEmpty()) {
                afterwards.removeFirst().run();
            }
            return new Result(value, 0);
        } catch (Refusal refused) {
            return new Result(call.failure(refused.errno), refused.errno);
        } catch (VerbsException refused) {
            int errno = Refusal.of(refused);
            return new Result(call.failure(errno), errno);
        } finally {
            work();
            lock.unlock();
        }
    }

    /// Calls the function of a context that is at an address.
    public Result pointed(long address, long... arguments) {
        if (address == Stubs.ALLOC_MW) {
            return call("ibv_alloc_mw", arguments);
        }
        if (address == Stubs.DEALLOC_MW) {
            return call("ibv_dealloc_mw", arguments);
        }
        throw new AssertionError("no function at 0x%x".formatted(address));
    }

    int poll(long queue, int most, long to) {
        return entered(
                () -> {
                    work();
                    return find(DriverQueue.class, queue).poll(most, to);
                });
    }

    int arm(long queue, boolean isSolicitedOnly) {
        return entered(
                () -> {
                    find(DriverQueue.class, queue).arm(isSolicitedOnly);
                    return 0;
                });
    }

    /// From now on the kernel refuses to look at requests that the library has put into a queue:
    /// the library then names none of them. 0 ends it.
    public void refuseDoorbells(int errno) {
        lock.lock();
        try {
            doorbell = errno;
        } finally {
            lock.unlock();
        }
    }

    int postSend(long pair, long first, long bad) {
        if (doorbell != 0) {
            CStruct.putLong(bad, 0);
            return doorbell;
        }
        return chain(Layouts.SEND_WR, first, bad, at -> find(DriverPair.class, pair).postSend(at));
    }

    int postReceive(long pair, long first, long bad) {
        return chain(
                Layouts.RECV_WR, first, bad, at -> find(DriverPair.class, pair).postReceive(at));
    }

    int postShared(long queue, long first, long bad) {
        return chain(
                Layouts.RECV_WR,
                first,
                bad,
                at -> {
                    DriverShared shared = find(DriverShared.class, queue);
                    Pieces.receive(shared.domain, shared.ring, shared.queue.receives(), at);
                });
    }

    /// Posts one request after the other; writes the one that was refused to `bad`.
    private int chain(CStruct layout, long first, long bad, LongConsumer post) {
        return entered(
                () -> {
                    for (long at = first; at != 0; at = layout.get(at, "next")) {
                        try {
                            post.accept(at);
                        } catch (Refusal refused) {
                            CStruct.putLong(bad, at);
                            return refused.errno;
                        } catch (VerbsException refused) {
                            CStruct.putLong(bad, at);
                            return Refusal.of(refused);
                        }
                    }
                    return 0;
                });
    }

    private interface Entry {
        int call();
    }

    private int entered(Entry call) {
        lock.lock();
        try {
            int answer = call.call();
            work();
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /// Lets the network do all there is to do now, and hands its events over.
    void work() {
        while (network.turn()) {
            // A turn may make work for the next.
        }
        devices.forEach(AsyncEvents::forward);
    }

    /// Lets the time of the network pass, by a few steps: the rest has time until the next call.
    void pass(long ns) {
        lock.lock();
        try {
            work();
            long endNs = network.nowNs() + ns;
            for (int i = 0; i < STEPS && network.nowNs() < endNs; i++) {
                network.idle(endNs);
                work();
            }
            while (!delayed.isEmpty() && delayed.getFirst().atNs <= network.nowNs()) {
                delayed.removeFirst().action.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The time of the network, which runs faster than that of the machine.
    public long nowNs() {
        lock.lock();
        try {
            return network.nowNs();
        } finally {
            lock.unlock();
        }
    }

    /// The object of a structure.
    <T extends DriverObject> T find(Class<T> type, long address) {
        DriverObject found = objects.get(address);
        if (!type.isInstance(found)) {
            misuse.add("0x%x is no %s, or was one".formatted(address, type.getSimpleName()));
            throw new Refusal(Refusal.EINVAL);
        }
        return type.cast(found);
    }

    /// Runs something when so much time of the network has passed.
    void after(long ns, Runnable action) {
        delayed.add(new Delayed(network.nowNs() + ns, action));
    }

    /// Runs something when the current call is done.
    void later(Runnable action) {
        afterwards.add(action);
    }

    /// The key that the transport knows instead of one of a program.
    int wireKey(int key) {
        return keys.getOrDefault(key, key);
    }

    /// The key that a program knows instead of one of the transport.
    int programKey(int key) {
        for (Map.Entry<Integer, Integer> entry : keys.entrySet()) {
            if (entry.getValue() == key) {
                return entry.getKey();
            }
        }
        return key;
    }

    void acknowledge(DriverObject object, int events) {
        object.unacknowledged -= events;
        if (object.unacknowledged < 0) {
            misuse.add("more events of " + object + " were acknowledged than fetched");
        }
        acknowledged.signalAll();
    }

    /// A library does not destroy an object with an event that was fetched and not acknowledged: it
    /// waits, here for some seconds.
    void awaitAcknowledged(DriverObject object) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        boolean isInterrupted = false;
        while (object.unacknowledged > 0 && System.nanoTime() - endNs < 0) {
            try {
                acknowledged.awaitNanos(endNs - System.nanoTime());
            } catch (InterruptedException asked) {
                // A library in C does not hear of it.
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        if (object.unacknowledged > 0) {
            misuse.add(object + " is not destroyed: its event was not acknowledged");
        }
    }

    /// Ends it; what the program has not ended is [Misuse].
    @Override
    public void close() {
        pump.stop();
        lock.lock();
        try {
            for (DriverObject object : List.copyOf(objects.values())) {
                if (!(object instanceof DriverDevice)) {
                    misuse.add(object + " was never destroyed");
                }
            }
            devices.forEach(device -> device.transport.close());
            Stubs.remove(this);
        } finally {
            lock.unlock();
        }
    }
}
