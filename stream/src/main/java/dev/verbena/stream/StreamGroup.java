package dev.verbena.stream;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.VirtualTime;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Streams of one device that one thread drives. The group has no thread and never waits.
///
/// Its completion queues are made for 64 streams at a time, each as large as all work of its
/// streams, so that none overflows. A group holds at most 32,768 streams.
public final class StreamGroup implements AutoCloseable {
    /// Streams of a group.
    public static final int STREAMS_MAX = 1 << 15;

    private static final int SHELF_STREAMS = 64;
    private static final int SLOT_SHIFT = 48;
    private static final int GENERATION_SHIFT = 32;
    private static final int GENERATION_MASK = 0xFFFF;
    private static final int POLL_MAX = 256;

    /// A completion queue and the number of its streams.
    static final class Shelf {
        private final CompletionQueue completions;

        /// Streams that take room in the queue.
        private int streams;

        /// Those of them that are closed: completions of theirs may still be in the queue.
        private int closed;

        Shelf(CompletionQueue completions) {
            this.completions = completions;
        }

        CompletionQueue completions() {
            return completions;
        }
    }

    private final Device device;
    private final StreamSettings settings;
    private final int streamsMax;
    private final LongSupplier clock;
    private final ProtectionDomain domain;
    private final List<Shelf> shelves = new ArrayList<>();
    private final Consumer<Completion> dispatcher = this::dispatch;
    private @Nullable ByteStream[] slots = new ByteStream[1];
    private short[] generations = new short[1];
    private int[] free = new int[1];
    private int freeCount;
    private int slotCount;
    private final List<ByteStream> connecting = new ArrayList<>();
    private final List<ByteStream> lingering = new ArrayList<>();
    private final ArrayDeque<ByteStream> touched = new ArrayDeque<>();
    private @Nullable Runnable notification;
    private boolean closed;

    public StreamGroup(Device device, StreamSettings settings) {
        this(device, settings, STREAMS_MAX);
    }

    /// @param streamsMax that may be open at a time; further ones are refused
    public StreamGroup(Device device, StreamSettings settings, int streamsMax) {
        this.device = device;
        this.settings = settings;
        this.streamsMax = Math.min(streamsMax, STREAMS_MAX);
        LongSupplier virtual =
                VirtualTime.of(device).<LongSupplier>map(it -> it::nowNs).orElse(null);
        clock = virtual == null ? System::nanoTime : virtual;
        domain = device.protectionDomain();
    }

    public Device device() {
        return device;
    }

    public StreamSettings settings() {
        return settings;
    }

    ProtectionDomain domain() {
        return domain;
    }

    long nowNs() {
        return clock.getAsLong();
    }

    /// The streams that are open or still deliver what was written.
    public int size() {
        return slotCount - freeCount;
    }

    /// Its completion queues.
    int queues() {
        return shelves.size();
    }

    /// Connects to a listener: of this class, or of a program of rsocket. Returns at once; the
    /// stream's listener is called when it is connected or has failed.
    ///
    /// @throws LimitExceededException when the group or the device has no room for another stream
    public ByteStream connect(InetSocketAddress to) {
        return connect(Address.to(Gid.of(to)), to.getPort());
    }

    /// The same for a peer that is found by more than its IP address, as on InfiniBand.
    public ByteStream connect(Address to, int port) {
        ByteStream stream = open();
        boolean isBegun = false;
        try {
            stream.connect(to, port);
            connecting.add(stream);
            isBegun = true;
        } finally {
            if (!isBegun) {
                stream.abort();
            }
        }
        return stream;
    }

    /// Accepts the request of a peer that a listener of the device has. A request of a peer that
    /// does not speak the protocol is rejected.
    ///
    /// @throws ProtocolException when the request was rejected
    public ByteStream accept(ConnectionRequest request) throws ProtocolException {
        try {
            requireReliable(request);
            Framing.require(settings.protocol(), request.privateData());
        } catch (ProtocolException stranger) {
            request.reject();
            throw stranger;
        }
        boolean isBegun = false;
        @Nullable ByteStream stream = null;
        try {
            stream = open();
            stream.accept(request);
            connecting.add(stream);
            isBegun = true;
            return stream;
        } finally {
            if (!isBegun) {
                if (stream != null) {
                    stream.abort();
                }
                request.reject();
            }
        }
    }

    /// A peer may ask for a connection of any type.
    private static void requireReliable(ConnectionRequest request) throws ProtocolException {
        if (request.type() != QueuePairType.RC) {
            throw new ProtocolException(
                    "the peer asks for a connection of type %s, and a stream has one of type %s"
                            .formatted(request.type(), QueuePairType.RC));
        }
    }

    private ByteStream open() {
        if (size() >= streamsMax) {
            throw new LimitExceededException(
                    toString(),
                    "it holds " + streamsMax + " streams already",
                    "close some, or use another group");
        }
        Shelf shelf = shelf();
        int slot = freeCount > 0 ? free[--freeCount] : slotCount++;
        if (slot == slots.length) {
            slots = Arrays.copyOf(slots, slot * 2);
            generations = Arrays.copyOf(generations, slot * 2);
            free = Arrays.copyOf(free, slot * 2);
        }
        long id =
                (long) slot << SLOT_SHIFT
                        | (long) (generations[slot] & GENERATION_MASK) << GENERATION_SHIFT;
        boolean isMade = false;
        try {
            ByteStream stream = new ByteStream(this, shelf, id);
            slots[slot] = stream;
            shelf.streams++;
            isMade = true;
            return stream;
        } finally {
            if (!isMade) {
                free[freeCount++] = slot;
            }
        }
    }

    private Shelf shelf() {
        int each = Framing.receives(settings) + ByteStream.REQUESTS_MAX + ByteStream.CONTROLS_MAX;
        int most = Math.min(streamsMax, SHELF_STREAMS);
        int streams = Math.max(1, Math.min(most, device.limits().completions() / each));
        for (Shelf shelf : shelves) {
            if (shelf.streams < streams) {
                return shelf;
            }
        }
        CompletionQueue queue = device.completionQueue(streams * each);
        Runnable present = notification;
        if (present != null) {
            queue.onNotification(present);
        }
        Shelf shelf = new Shelf(queue);
        shelves.add(shelf);
        return shelf;
    }

    static int slotOf(long id) {
        return (int) (id >>> SLOT_SHIFT);
    }

    /// Does what can be done now, and calls the listeners of the streams that changed; returns
    /// whether anything was done.
    public boolean progress() {
        boolean any = settle();
        for (int i = 0; i < shelves.size(); i++) {
            any |= poll(shelves.get(i));
        }
        any |= tell();
        for (int i = lingering.size() - 1; i >= 0; i--) {
            lingering.get(i).finish();
        }
        return any;
    }

    private boolean poll(Shelf shelf) {
        int closed = shelf.closed;
        int count = shelf.completions.poll(POLL_MAX, dispatcher);
        if (count < POLL_MAX) {
            // The queue was empty: those that were closed before have nothing in it any more.
            shelf.closed -= closed;
            shelf.streams -= closed;
        }
        return count > 0;
    }

    private boolean settle() {
        boolean any = false;
        for (int i = connecting.size() - 1; i >= 0; i--) {
            ByteStream stream = connecting.get(i);
            if (stream.isReleased() || stream.settle()) {
                connecting.remove(i);
                again(stream);
                any = true;
            }
        }
        return any;
    }

    private boolean tell() {
        int count = touched.size();
        for (int i = 0; i < count; i++) {
            touched.remove().changed();
        }
        return count > 0;
    }

    void dispatch(Completion done) {
        long id = done.id();
        int slot = slotOf(id);
        @Nullable ByteStream stream = slots[slot];
        if (stream == null
                || generations[slot] != (short) (id >>> GENERATION_SHIFT)
                || stream.isReleased()) {
            // Of a stream that was closed since.
            return;
        }
        stream.complete(done, (int) id);
        again(stream);
    }

    /// The stream has something to do in the next round.
    void again(ByteStream stream) {
        if (stream.touch()) {
            touched.add(stream);
        }
    }

    void lingers(ByteStream stream) {
        lingering.add(stream);
    }

    void released(ByteStream stream) {
        int slot = stream.slot();
        if (slots[slot] == stream) {
            slots[slot] = null;
            generations[slot]++;
            free[freeCount++] = slot;
            stream.shelf().closed++;
        }
        lingering.remove(stream);
    }

    /// Whether a stream waits for its connection, or for the end of its linger time: no completion
    /// announces these, so that the group must be driven from time to time.
    public boolean isTimed() {
        return !connecting.isEmpty() || !lingering.isEmpty();
    }

    /// Sets what is called when the group has something to do again, once for each [#arm]. It is
    /// called by a thread of the device, and must not use the device.
    public void onNotification(Runnable called) {
        notification = called;
        for (Shelf shelf : shelves) {
            shelf.completions.onNotification(called);
        }
    }

    /// Asks for one call of the notification. Drive the group once more after it, before waiting.
    public void arm() {
        for (int i = 0; i < shelves.size(); i++) {
            shelves.get(i).completions.arm(Notification.ANY);
        }
    }

    /// Waits for completions of a group of one stream, and passes them to the handler. The caller
    /// drives the group then.
    void await(Duration timeout, Consumer<? super Completion> handler) {
        shelves.getFirst().completions.await(timeout, handler);
    }

    /// Ends all streams at once, without delivering what was written.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (int slot = 0; slot < slotCount; slot++) {
            @Nullable ByteStream stream = slots[slot];
            if (stream != null) {
                stream.abort();
            }
        }
        for (Shelf shelf : shelves) {
            shelf.completions.close();
        }
        domain.close();
    }

    @Override
    public String toString() {
        return "streams of " + device.name();
    }
}
