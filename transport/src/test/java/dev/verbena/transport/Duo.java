package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.transport.carrier.Driver;
import dev.verbena.transport.carrier.FlightQueue;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Two devices with one connected queue pair each, for tests that drop exactly this packet and
/// expect exactly that answer.
///
/// The left side sends from PSN 100, the right one from 500; packets take a microsecond; the MTU is
/// 256; the timer runs for [#TIMEOUT_NS]; credits are off.
final class Duo implements AutoCloseable {
    static final int LEFT = 0;
    static final int RIGHT = 1;
    static final int MTU = 256;
    static final int TIMEOUT = 8;
    static final long TIMEOUT_NS = 4_096L << TIMEOUT;
    static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    static final int MEMORY_BYTES = 1 << 16;

    final Pair pair;
    final List<QueuePair> queuePairs = new ArrayList<>();
    final List<CompletionQueue> completions = new ArrayList<>();
    final List<MemoryRegion> memory = new ArrayList<>();
    final List<ProtectionDomain> domains = new ArrayList<>();

    private final List<ScriptedWire.Seen> seen = new ArrayList<>();

    Duo() {
        this(options -> {}, attributes -> {});
    }

    Duo(Consumer<TransportOptions> options, Consumer<QueuePairAttributes> attributes) {
        pair =
                new Pair(
                        2,
                        LinkLayer.ETHERNET,
                        new FlightQueue<>(Flight::new),
                        null,
                        (driver, index) -> options(driver, index, options));
        pair.manual = true;
        pair.seen = seen;
        for (int i = 0; i < 2; i++) {
            ProtectionDomain domain = pair.device(i).protectionDomain();
            CompletionQueue queue = pair.device(i).completionQueue(256);
            domains.add(domain);
            completions.add(queue);
            memory.add(
                    domain.allocate(
                            MEMORY_BYTES,
                            Access.REMOTE_WRITE,
                            Access.REMOTE_READ,
                            Access.REMOTE_ATOMIC));
            queuePairs.add(domain.queuePair(QueuePairType.RC, o -> o.completions(queue)));
        }
        connect(left(), right(), 100, 500, attributes);
    }

    private static TransportOptions options(
            Driver driver, int index, Consumer<TransportOptions> changes) {
        TransportOptions options =
                new TransportOptions(new SplittableRandom(index), driver)
                        .name("host" + index)
                        .port(Pair.attributes(LinkLayer.ETHERNET, index))
                        .gids(Pair.gids(LinkLayer.ETHERNET, index))
                        .endToEndCredits(false);
        changes.accept(options);
        return options;
    }

    void connect(
            QueuePair left,
            QueuePair right,
            int leftPsn,
            int rightPsn,
            Consumer<QueuePairAttributes> changes) {
        left.connect(right.endpoint(), a -> changes.accept(plain(a, leftPsn, rightPsn)));
        right.connect(left.endpoint(), a -> changes.accept(plain(a, rightPsn, leftPsn)));
        pair.log(LEFT, left.number()).mtu = MTU;
        pair.log(RIGHT, right.number()).mtu = MTU;
    }

    private static QueuePairAttributes plain(QueuePairAttributes values, int psn, int peerPsn) {
        return values.sendPsn(psn).receivePsn(peerPsn).pathMtu(MTU).timeout(TIMEOUT);
    }

    QueuePair left() {
        return queuePairs.get(LEFT);
    }

    QueuePair right() {
        return queuePairs.get(RIGHT);
    }

    WireScript wire(int side) {
        return pair.ports.get(side).wire.script;
    }

    ScriptedWire lineOf(int side) {
        return pair.ports.get(side).wire;
    }

    long counter(int side, Counter counter) {
        return pair.device(side).counters().getOrDefault(counter.title(), 0L);
    }

    /// The right side posts receives of 4 KiB each.
    void receives(int count) {
        for (int i = 0; i < count; i++) {
            int at = i;
            boolean posted =
                    right().postReceive(
                                    b -> b.receive(memory.get(RIGHT).slice(0, 4096)).id(1000 + at));
            if (!posted) {
                throw new AssertionError("no room for receives");
            }
        }
    }

    /// The left side posts a signaled SEND.
    void send(long id, int bytes) {
        post(b -> b.send().local(memory.get(LEFT), 0, bytes).id(id).signaled());
    }

    /// The left side posts a signaled READ of the right side's memory.
    void read(long id, int bytes) {
        long address = memory.get(RIGHT).address();
        int key = memory.get(RIGHT).remoteKey();
        post(b -> b.read(address, key).local(memory.get(LEFT), 0, bytes).id(id).signaled());
    }

    /// The left side adds to the first word of the right side's memory.
    void fetchAndAdd(long id, long addend) {
        long address = memory.get(RIGHT).address();
        int key = memory.get(RIGHT).remoteKey();
        post(
                b ->
                        b.fetchAndAdd(address, key, addend)
                                .local(memory.get(LEFT), 0, 8)
                                .id(id)
                                .signaled());
    }

    void post(Consumer<SendBatch> work) {
        if (!left().post(work)) {
            throw new AssertionError("no room for the request");
        }
    }

    /// Completions of a side as `id STATUS`, taken.
    List<String> completed(int side) {
        List<String> texts = new ArrayList<>();
        while (true) {
            Completion completion = completions.get(side).poll();
            if (completion == null) {
                return texts;
            }
            texts.add(completion.id() + " " + completion.status());
        }
    }

    /// What a side sent since it was asked last, as text.
    List<String> sent(int side) {
        List<String> texts = packets(side).stream().map(ScriptedWire.Seen::text).toList();
        seen.removeIf(packet -> packet.from() == side);
        return texts;
    }

    /// What a side sent and was not asked for yet, with times.
    List<ScriptedWire.Seen> packets(int side) {
        return seen.stream().filter(packet -> packet.from() == side).toList();
    }

    @Override
    public void close() {
        pair.close();
    }
}
