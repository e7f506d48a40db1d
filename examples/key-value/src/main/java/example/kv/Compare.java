package example.kv;

import dev.verbena.easy.MessageChannel;
import dev.verbena.easy.RdmaNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Measures both stores in one run, client and server in this process, over the loopback interface.
public final class Compare {
    private static final int KEYS = 1000;
    private static final int SECONDS = Integer.getInteger("seconds", 5);
    private static final byte[] VALUE = new byte[64];

    private Compare() {}

    /// The same operations of both.
    private interface Store {
        void put(byte[] key, byte[] value) throws IOException;

        byte[] get(byte[] key) throws IOException;
    }

    private interface Operation {
        void run(byte[] key) throws IOException;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path code = Path.of(args.length > 0 ? args[0] : "src/main/java/example/kv");
        System.out.printf("%-22s %6s%n", "lines of the store", "");
        System.out.printf("%-22s %6d%n", "  easy layer", lines(code, "StoreServer", "StoreClient"));
        System.out.printf("%-22s %6d%n", "  Netty", lines(code, "NettyServer", "NettyClient"));
        System.out.printf(
                "%n%-12s %-4s %8s %12s %10s %10s%n",
                "store", "", "threads", "per second", "p50 us", "p99 us");
        try (RdmaNode own = RdmaNode.open("roce://127.0.0.1");
                RdmaNode other = RdmaNode.open("roce://127.0.0.2");
                NettyServer tcp = new NettyServer(new InetSocketAddress("127.0.0.1", 0));
                NettyClient overTcp = new NettyClient(tcp.address())) {
            StoreServer server = new StoreServer(own, 0);
            Thread.ofVirtual().start(() -> serve(server));
            MessageChannel channel =
                    other.connect(new InetSocketAddress("127.0.0.1", server.port()));
            StoreClient overRdma = new StoreClient(channel);
            for (int round = 0; round < 2; round++) { // the first one warms up
                boolean isShown = round > 0;
                measure("easy layer", isShown, store(overRdma::put, overRdma::get));
                measure("Netty TCP", isShown, store(overTcp::put, overTcp::get));
            }
        }
    }

    private static void serve(StoreServer server) {
        try {
            server.serve();
        } catch (IOException over) {
            System.err.println(over.getMessage());
        }
    }

    private interface Put {
        void put(byte[] key, byte[] value) throws IOException;
    }

    private interface Get {
        byte[] get(byte[] key) throws IOException;
    }

    private static Store store(Put put, Get get) {
        return new Store() {
            @Override
            public void put(byte[] key, byte[] value) throws IOException {
                put.put(key, value);
            }

            @Override
            public byte[] get(byte[] key) throws IOException {
                return get.get(key);
            }
        };
    }

    private static void measure(String name, boolean isShown, Store store)
            throws IOException, InterruptedException {
        for (int i = 0; i < KEYS; i++) {
            store.put(key(i), VALUE);
        }
        for (int threads : new int[] {1, 8}) {
            run(name, "get", isShown, threads, store::get);
            run(name, "put", isShown, threads, key -> store.put(key, VALUE));
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static void run(
            String name, String what, boolean isShown, int threads, Operation operation)
            throws InterruptedException {
        List<long[]> all = new ArrayList<>();
        List<Thread> started = new ArrayList<>();
        long endNs = System.nanoTime() + SECONDS * 1_000_000_000L / (isShown ? 1 : 2);
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = new SplittableRandom(i);
            started.add(Thread.ofPlatform().start(() -> add(all, times(random, endNs, operation))));
        }
        for (Thread thread : started) {
            thread.join();
        }
        long[] times = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        if (isShown) {
            System.out.printf(
                    "%-12s %-4s %8d %,12d %10.1f %10.1f%n",
                    name,
                    what,
                    threads,
                    times.length / SECONDS,
                    times[times.length / 2] / 1e3,
                    times[(int) (times.length * 0.99)] / 1e3);
        }
    }

    private static void add(List<long[]> all, long[] times) {
        synchronized (all) {
            all.add(times);
        }
    }

    private static long[] times(SplittableRandom random, long endNs, Operation operation) {
        long[] times = new long[1 << 20];
        int count = 0;
        long nowNs = System.nanoTime();
        while (nowNs < endNs && count < times.length) {
            try {
                operation.run(key(random.nextInt(KEYS)));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
            long doneNs = System.nanoTime();
            times[count++] = doneNs - nowNs;
            nowNs = doneNs;
        }
        return Arrays.copyOf(times, count);
    }

    /// Lines that are neither empty, nor comments, nor imports.
    private static long lines(Path code, String... names) throws IOException {
        long lines = 0;
        for (String name : names) {
            lines +=
                    Files.readAllLines(code.resolve(name + ".java")).stream()
                            .map(String::strip)
                            .filter(it -> !it.isEmpty() && !it.startsWith("//"))
                            .filter(it -> !it.startsWith("import ") && !it.startsWith("package "))
                            .count();
        }
        return lines;
    }
}
