package dev.verbena.benchmarks;

import dev.verbena.fabric.PhantomMemory;
import dev.verbena.transport.Loopback;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/// What many queue pairs and many devices cost in memory and time, in one JVM and one thread.
public final class TransportScale {
    private static final int DEPTH = 128;

    private TransportScale() {}

    /// Prints every figure on a line.
    public static void main(String[] arguments) {
        measure().forEach(Figure::print);
    }

    static List<Figure> measure() {
        List<Figure> figures = new ArrayList<>();
        for (int pairs : new int[] {100, 1_000, 10_000}) {
            manyPairs(pairs, figures);
        }
        for (int active : new int[] {100, 1_000}) {
            String name = "Jain index of %,d active pairs".formatted(active);
            figures.add(new Figure(name, jain(active), "ratio"));
        }
        for (int devices : new int[] {100, 1_000, 10_000}) {
            manyDevices(devices, figures);
        }
        return figures;
    }

    /// Connects `count` queue pairs of one device to as many of another.
    private static void manyPairs(int count, List<Figure> figures) {
        Loopback network = new Loopback(count);
        Side left = new Side(network.open("left"));
        Side right = new Side(network.open("right"));
        long empty = usedBytes();
        for (int i = 0; i < count; i++) {
            left.connect(right);
        }
        long connected = usedBytes();
        for (int i = 0; i < count; i++) {
            left.exchange(i, right);
            right.exchange(i, left);
        }
        long idle = usedBytes();
        String name = "%,d queue pairs on a device, ".formatted(count);
        figures.add(new Figure(name + "connected", (connected - empty) / 2.0 / count, "B/pair"));
        figures.add(new Figure(name + "idle again", (idle - empty) / 2.0 / count, "B/pair"));
        keep(left, right);
    }

    /// How evenly queue pairs that always have work share a device: 1 is perfectly.
    private static double jain(int count) {
        Loopback network = new Loopback(count);
        Side left = new Side(network.open("left"));
        Side right = new Side(network.open("right"));
        for (int i = 0; i < count; i++) {
            left.connect(right);
        }
        long[] written = new long[count];
        for (int round = 0; round < 20_000; round++) {
            left.keepBusy(right);
            left.device.progress();
            left.collect(written);
        }
        double sum = 0;
        double squares = 0;
        for (long one : written) {
            sum += one;
            squares += (double) one * one;
        }
        return sum * sum / (count * squares);
    }

    /// Two by two, each device with one queue pair.
    private static void manyDevices(int count, List<Figure> figures) {
        Loopback network = new Loopback(count);
        long empty = usedBytes();
        List<Side> sides = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sides.add(new Side(network.open("device" + i)));
        }
        for (int i = 0; i < count; i += 2) {
            sides.get(i).connect(sides.get(i + 1));
        }
        long connected = usedBytes();
        long packetsBefore = packets(sides);
        long start = System.nanoTime();
        for (int round = 0; round < 200_000 / count + 1; round++) {
            for (int i = 0; i < count; i += 2) {
                sides.get(i).exchange(0, sides.get(i + 1));
            }
        }
        long took = System.nanoTime() - start;
        long moved = packets(sides) - packetsBefore;
        long idle = usedBytes();
        String name = "%,d devices with one pair, ".formatted(count);
        figures.add(new Figure(name + "connected", (connected - empty) / (double) count, "B/dev"));
        figures.add(new Figure(name + "idle again", (idle - empty) / (double) count, "B/dev"));
        figures.add(new Figure(name + "time", took / (double) moved, "ns/packet"));
        keep(sides);
    }

    /// What was measured is not collected before this.
    @SuppressWarnings("ReachabilityFenceUsage") // a benchmark, nothing to clean up
    private static void keep(Object... measured) {
        Reference.reachabilityFence(measured);
    }

    private static long packets(List<Side> sides) {
        long sum = 0;
        for (Side side : sides) {
            sum += side.device.counters().getOrDefault("sent_pkts", 0L);
        }
        return sum;
    }

    /// Heap in use after collection; the transport takes native memory for inline bytes only.
    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /// A device with one domain, one completion queue, one region and its queue pairs.
    private static final class Side {
        private static final int BYTES = 1 << 16;

        private final TransportDevice device;
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion region;
        private final List<QueuePair> pairs = new ArrayList<>();

        Side(TransportDevice device) {
            this.device = device;
            domain = device.protectionDomain();
            completions = device.completionQueue(1 << 20);
            region =
                    PhantomMemory.in(
                            domain,
                            BYTES,
                            Access.REMOTE_READ,
                            Access.REMOTE_WRITE,
                            Access.LOCAL_WRITE);
        }

        void connect(Side other) {
            QueuePair one = pair();
            QueuePair two = other.pair();
            one.connect(two.endpoint());
            two.connect(one.endpoint());
            pairs.add(one);
            other.pairs.add(two);
        }

        private QueuePair pair() {
            return domain.queuePair(
                    QueuePairType.RC,
                    options ->
                            options.completions(completions).sendDepth(DEPTH).receiveDepth(DEPTH));
        }

        /// A SEND, a WRITE and a READ on one queue pair.
        void exchange(int index, Side other) {
            QueuePair pair = pairs.get(index);
            other.pairs.get(index).receives().receive().local(other.region, 0, 64).post();
            long address = other.region.address();
            int key = other.region.remoteKey();
            pair.sends()
                    .send()
                    .local(region, 0, 64)
                    .write(address, key)
                    .local(region, 0, 64)
                    .read(address, key)
                    .local(region, 0, 64)
                    .signaled()
                    .post();
            BackToBack.finish(completions);
            BackToBack.finish(other.completions);
        }

        void keepBusy(Side other) {
            for (int i = 0; i < pairs.size(); i++) {
                QueuePair pair = pairs.get(i);
                while (pair.sendRoom() > DEPTH - 4) {
                    pair.sends()
                            .write(other.region.address(), other.region.remoteKey())
                            .local(region, 0, 4096 + i % 7 * 4096)
                            .id(i)
                            .signaled()
                            .post();
                }
            }
        }

        /// Adds up what each queue pair has written.
        void collect(long[] written) {
            completions.poll(
                    Integer.MAX_VALUE, done -> written[(int) done.id()] += done.byteLength());
        }
    }
}
