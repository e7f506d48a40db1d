package dev.verbena.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The code of `docs/testing.md`; [TestingPageTest] runs it and compares it with the page.
final class TestingPage {
    private TestingPage() {}

    static class First {
        @RdmaTest
        void aWriteArrives(RdmaPair pair) {
            RdmaHost left = pair.left();
            RdmaHost right = pair.right();
            left.memory().segment().setString(0, "hello");

            left.write(right, 0, 6);
            left.awaitSuccess();

            assertEquals("hello", right.memory().segment().getString(0));
        }
    }

    static class Faulty {
        @RdmaTest(loss = 0.02, reorder = 0.05, duplicate = 0.01, corrupt = 0.001, seeds = 200)
        void everyAdditionCountsOnce(RdmaPair pair) {
            RdmaHost left = pair.left();
            RdmaHost right = pair.right();
            for (int i = 0; i < 10; i++) {
                left.post(
                        right,
                        batch ->
                                batch.fetchAndAdd(left.slice(8, 8), right.remote(0, 8), 1)
                                        .signaled());
                left.awaitSuccess();
            }
            assertEquals(10, right.memory().segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    static class Drawn {
        @RdmaTest(loss = 0.05, seeds = 20)
        void anyLengthArrives(RdmaPair pair, Choices choices) {
            int length = choices.between(1, 1 << 16);
            pair.left().memory().segment().copyFrom(segment(choices.bytes(length)));
            pair.left().write(pair.right(), 0, length);
            pair.left().awaitSuccess();
            long differs = pair.right().memory().segment().mismatch(pair.left().memory().segment());
            assertEquals(-1, differs);
        }

        private static MemorySegment segment(byte[] bytes) {
            return MemorySegment.ofArray(bytes);
        }
    }

    static class Own {
        @RdmaTest(loss = 0.02)
        void theProgramOpensItsOwn(Device left, Device right) {
            try (MemoryRegion region = left.protectionDomain().allocate(4096, Access.REMOTE_READ)) {
                // queue pairs, memory, completion queues: all of them yours
                assertEquals(4096, region.length());
            }
        }
    }

    static class Late {
        @RdmaTest(loss = 0.1, seeds = 10)
        void theFlagComesUp(RdmaPair pair) {
            pair.left().memory().segment().set(ValueLayout.JAVA_LONG, 0, 1);
            pair.left().write(pair.right(), 0, 8);
            pair.awaitUntil(
                    "the flag is up",
                    () -> pair.right().memory().segment().get(ValueLayout.JAVA_LONG, 0) == 1);
            pair.advance(Duration.ofMinutes(5));
        }
    }

    static class Crash {
        @RdmaTest(hosts = 3)
        void theOthersGoOn(RdmaGroup group) {
            group.host(0).device().close();
            group.host(1).write(group.host(2), 0, 64);
            group.host(1).awaitSuccess();
        }
    }

    static class Threaded {
        @RdmaTest(loss = 0.02, seeds = 50)
        void theServerSquares(RdmaPair pair, RdmaThreads threads) {
            RdmaHost client = pair.left();
            RdmaHost server = pair.right();
            server.pair().receives().receive().local(server.memory(), 0, 8).post();
            client.pair().receives().receive().local(client.memory(), 0, 8).post();
            threads.start(
                    "server",
                    () -> {
                        server.awaitSuccess(); // the request is here
                        MemorySegment memory = server.memory().segment();
                        long asked = memory.get(ValueLayout.JAVA_LONG, 0);
                        memory.set(ValueLayout.JAVA_LONG, 0, asked * asked);
                        server.post(client, batch -> batch.send(server.slice(0, 8)));
                    });
            client.memory().segment().set(ValueLayout.JAVA_LONG, 8, 12);
            client.post(server, batch -> batch.send(client.slice(8, 8)));
            client.awaitSuccess(); // the answer
            assertEquals(144, client.memory().segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @LaunchedOnly
    static class Hasty {
        @RdmaTest(hosts = 3, seeds = 50)
        void noIncrementIsLost(RdmaGroup group, RdmaThreads threads, Choices choices) {
            int[] counter = {0};
            List<Thread> workers = new ArrayList<>();
            for (RdmaHost worker : group.hosts().subList(0, 2)) {
                Thread started =
                        threads.start(
                                worker.name(),
                                () -> {
                                    group.advance(Duration.ofNanos(choices.between(0, 20_000)));
                                    int next = counter[0] + 1;
                                    worker.write(group.host(2), 0, 8); // to a backup
                                    worker.awaitSuccess(); // the other one may run meanwhile
                                    counter[0] = next;
                                });
                workers.add(started);
            }
            workers.forEach(threads::join);
            assertEquals(2, counter[0]);
        }
    }

    static class Plain {
        @Test
        void withoutTheAnnotation() {
            String faults = "network=mine&seed=42&loss=0.02&pcap=target/mine.pcapng";
            try (Device left = Devices.open("virtual://left?" + faults);
                    Device right = Devices.open("virtual://right?network=mine")) {
                connect(left, right); // as docs/verbs.md shows
            }
        }

        @Test
        void withTypes() {
            VirtualSettings settings = VirtualSettings.DEFAULT.withSeed(42).withLoss(0.02);
            try (VirtualNetwork network = new VirtualNetwork(settings)) {
                connect(network.open("left"), network.open("right"));
                network.advance(Duration.ofSeconds(1));
                assertEquals(1_000_000_000, network.nowNs());
            }
        }

        private static void connect(Device left, Device right) {
            assertEquals(QueuePairState.READY_TO_SEND, new Traffic(left, right).left.state());
        }
    }
}
