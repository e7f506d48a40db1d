package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Our own side, through the verbs API and nothing else.
final class VerbsSide implements Side {
    private static final int DEPTH = 256;
    private static final Duration BIND_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Device device;
    private @Nullable Open open;

    VerbsSide(String name, Device device) {
        this.name = name;
        this.device = device;
    }

    /// What lives from one [#open(Setup)] to the next.
    private static final class Open {
        final Setup setup;
        final ProtectionDomain domain;
        final CompletionQueue sent;
        final CompletionQueue received;
        final MemoryRegion region;
        final List<QueuePair> pairs = new ArrayList<>();
        final @Nullable SharedReceiveQueue shared;
        @Nullable AddressHandle way;
        int peer;
        QueuePair pair;
        final Queue<CompletionRecord> sends = new ArrayDeque<>();
        final Queue<CompletionRecord> receives = new ArrayDeque<>();

        Open(Device device, Setup setup) {
            this.setup = setup;
            domain = device.protectionDomain();
            sent = device.completionQueue(DEPTH);
            received = device.completionQueue(DEPTH);
            region = domain.allocate(Setup.MEMORY_BYTES, setup.rights().toArray(new Access[0]));
            shared = setup.shared() ? domain.sharedReceiveQueue(DEPTH) : null;
            for (int i = 0; i < setup.pairs(); i++) {
                pairs.add(domain.queuePair(setup.type(), this::choose));
            }
            pair = pairs.getFirst();
        }

        private void choose(QueuePairOptions it) {
            it.sendCompletions(sent).receiveCompletions(received).queueKey(Setup.QUEUE_KEY);
            if (shared != null) {
                it.sharedReceives(shared);
            }
        }

        void close() {
            pairs.forEach(QueuePair::close);
            if (shared != null) {
                shared.close();
            }
            AddressHandle last = way;
            if (last != null) {
                last.close();
            }
            sent.close();
            received.close();
            region.close();
            domain.close();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void open(Setup setup) {
        close();
        while (device.pollEvent() != null) {
            // Of queue pairs that failed in cells before; the device keeps only so many.
        }
        open = new Open(device, setup);
    }

    @Override
    public void use(int pair) {
        it().pair = it().pairs.get(pair);
    }

    @Override
    public Endpoint endpoint() {
        Endpoint it = it().pair.endpoint();
        return new Endpoint(
                it.type(),
                it.lid(),
                it.gid(),
                it.queuePair(),
                it().setup.psn(),
                it.mtu(),
                Setup.READS,
                it.udpPort(),
                it.partitionKey(),
                it.queueKey());
    }

    @Override
    public RemoteSlice memory() {
        return it().region.remote();
    }

    @Override
    public void connect(Endpoint peer, int mtu) {
        Setup setup = it().setup;
        QueuePair pair = it().pair;
        switch (setup.type()) {
            case RC ->
                    pair.connect(
                            peer,
                            it ->
                                    it.pathMtu(mtu)
                                            .sendPsn(setup.psn())
                                            .timeout(Setup.TIMEOUT)
                                            .retryCount(setup.retries())
                                            .rnrRetry(setup.rnrRetries())
                                            .minRnrTimer(Setup.RNR_TIMER)
                                            .readsAsInitiator(Setup.READS)
                                            .readsAsResponder(Setup.READS));
            case UC -> pair.connect(peer, it -> it.pathMtu(mtu).sendPsn(setup.psn()));
            case UD -> {
                pair.activate(it -> it.sendPsn(setup.psn()));
                it().way = it().domain.addressHandle(Address.to(peer));
                it().peer = peer.queuePair();
            }
        }
    }

    @Override
    public void fill(long offset, long length, long seed) {
        Pattern.fill(it().region.segment(), offset, length, seed);
    }

    @Override
    public int checksum(long offset, long length) {
        return Pattern.checksum(it().region.segment(), offset, length);
    }

    @Override
    public long word(long offset) {
        return it().region.segment().get(ValueLayout.JAVA_LONG, offset);
    }

    @Override
    public void word(long offset, long value) {
        it().region.segment().set(ValueLayout.JAVA_LONG, offset, value);
    }

    @Override
    public byte[] bytes(long offset, int length) {
        return it().region.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void receive(long id, long offset, long length) {
        SharedReceiveQueue shared = it().shared;
        ReceiveBatch batch = shared != null ? shared.receives() : it().pair.receives();
        requirePosted(batch.receive().local(it().region, offset, length).id(id).post());
    }

    @Override
    public void post(List<Request> chain) {
        SendBatch batch = it().pair.sends();
        for (Request request : chain) {
            begin(batch, request).id(request.id());
            AddressHandle way = it().way;
            if (way != null) {
                batch.to(way, it().peer, request.key());
            }
            if (request.length() > 0) {
                batch.local(it().region, request.offset(), request.length());
            }
            if (request.signaled()) {
                batch.signaled();
            }
        }
        requirePosted(batch.post());
    }

    private static SendBatch begin(SendBatch batch, Request it) {
        return switch (it.operation()) {
            case SEND -> batch.send();
            case SEND_IMMEDIATE -> batch.sendImmediate((int) it.first());
            case SEND_INVALIDATE -> batch.sendInvalidate((int) it.first());
            case WRITE -> batch.write(it.address(), it.key());
            case WRITE_IMMEDIATE -> batch.writeImmediate(it.address(), it.key(), (int) it.first());
            case READ -> batch.read(it.address(), it.key());
            case COMPARE_SWAP ->
                    batch.compareAndSwap(it.address(), it.key(), it.first(), it.second());
            case FETCH_ADD -> batch.fetchAndAdd(it.address(), it.key(), it.first());
        };
    }

    @Override
    public int bind(long offset, long length, Set<Access> rights) {
        MemoryWindow window = it().domain.window(WindowType.TYPE_2);
        requirePosted(
                it().pair
                        .sends()
                        .bind(window, it().region, offset, length, rights)
                        .signaled()
                        .post());
        CompletionRecord done =
                sent(BIND_TIMEOUT).orElseThrow(() -> new CellFailure(name + ": no window bound"));
        if (done.status() != CompletionStatus.SUCCESS) {
            throw new CellFailure(name + ": binding a window: " + done.status());
        }
        return window.remoteKey();
    }

    @Override
    public Optional<CompletionRecord> sent(Duration timeout) {
        return next(it().sent, it().sends, timeout);
    }

    @Override
    public Optional<CompletionRecord> received(Duration timeout) {
        return next(it().received, it().receives, timeout);
    }

    private static Optional<CompletionRecord> next(
            CompletionQueue queue, Queue<CompletionRecord> waiting, Duration timeout) {
        if (waiting.isEmpty()) {
            queue.await(timeout, done -> waiting.add(copy(done)));
        }
        return Optional.ofNullable(waiting.poll());
    }

    private static CompletionRecord copy(Completion it) {
        return new CompletionRecord(
                it.id(),
                it.status(),
                it.operation(),
                it.byteLength(),
                it.hasImmediate() ? OptionalInt.of(it.immediate()) : OptionalInt.empty(),
                it.hasInvalidatedKey() ? OptionalInt.of(it.invalidatedKey()) : OptionalInt.empty(),
                it.queuePair(),
                it.isSuccess() ? it.sourceQueuePair() : 0,
                it.isSuccess() && it.hasGlobalHeader());
    }

    @Override
    public void limit(int requests) {
        SharedReceiveQueue shared = it().shared;
        if (shared == null) {
            throw new IllegalStateException(name + " shares no receives");
        }
        shared.limit(requests);
    }

    @Override
    public Optional<AsyncEvent.Type> event(Duration timeout) {
        long endNs = System.nanoTime() + timeout.toNanos();
        while (true) {
            AsyncEvent event = device.pollEvent();
            if (event != null) {
                return Optional.of(event.type());
            }
            if (System.nanoTime() - endNs >= 0) {
                return Optional.empty();
            }
            device.progress();
        }
    }

    @Override
    public QueuePairState state() {
        return it().pair.state();
    }

    @Override
    public SortedMap<String, Long> counters() {
        return device.counters();
    }

    @Override
    public boolean admits(Difference difference) {
        return false;
    }

    @Override
    public Set<Difference> differences() {
        return EnumSet.noneOf(Difference.class);
    }

    @Override
    public void close() {
        Open before = open;
        open = null;
        if (before != null) {
            before.close();
        }
    }

    private Open it() {
        Open now = open;
        if (now == null) {
            throw new IllegalStateException(name + " is not open");
        }
        return now;
    }

    private void requirePosted(boolean posted) {
        if (!posted) {
            throw new CellFailure(name + ": the queue is full");
        }
    }
}
