package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PerfSideTest {
    static Stream<Arguments> tests() {
        return Arrays.stream(PerfVerb.values())
                .flatMap(
                        verb ->
                                Arrays.stream(PerfKind.values())
                                        .map(kind -> Arguments.of(verb, kind)));
    }

    @ParameterizedTest
    @MethodSource("tests")
    void everyTestMovesAllItsMessages(PerfVerb verb, PerfKind kind) {
        int bytes = verb == PerfVerb.ATOMIC ? 8 : 3000;
        try (PerfPair pair = new PerfPair(PerfPair.options(verb, kind, bytes))) {
            PerfSide client = pair.client(bytes);
            PerfSide server = pair.server(bytes);
            PerfPair.run(client, server, 100);
            PerfResult result = PerfPair.run(client, server, 1000);

            if (result instanceof PerfResult.Bandwidth it) {
                assertThat(it.messages()).isEqualTo(1000);
                assertThat(it.bytes()).isEqualTo(bytes);
                assertThat(it.average()).isPositive();
                assertThat(it.peak()).isGreaterThanOrEqualTo(it.average());
                assertThat(it.average() / it.rate()).isBetween(bytes * 0.999, bytes * 1.001);
            } else if (result instanceof PerfResult.Latency it) {
                assertThat(it.messages()).isEqualTo(1000);
                assertThat(it.min()).isPositive().isLessThanOrEqualTo(it.typical());
                assertThat(it.typical()).isLessThanOrEqualTo(it.percentile99());
                assertThat(it.percentile99()).isLessThanOrEqualTo(it.percentile999());
                assertThat(it.percentile999()).isLessThanOrEqualTo(it.max());
            }
            assertThat(server.result()).isEqualTo(new PerfResult.None());
        }
    }

    @Test
    void atomicsAddUpAtThePeer() {
        try (PerfPair pair = new PerfPair(PerfPair.options(PerfVerb.ATOMIC, PerfKind.BW, 8))) {
            PerfPair.run(pair.client(8), pair.server(8), 1234);

            PerfEnd there = pair.right();
            assertThat(there.memory.get(ValueLayout.JAVA_LONG, there.halfBytes)).isEqualTo(1234);
        }
    }

    @ParameterizedTest
    @MethodSource("tests")
    void manyQueuePairsShareTheWork(PerfVerb verb, PerfKind kind) {
        PerfOptions one = PerfPair.options(verb, kind, 8);
        PerfOptions many = with(one, 7, false, QueuePairType.RC, 0, 3);
        try (PerfPair pair = new PerfPair(many)) {
            PerfResult result = PerfPair.run(pair.client(8), pair.server(8), 500);

            assertThat(result.toText())
                    .startsWith(kind == PerfKind.BW ? "bw 8 3500 " : "lat 8 500 ");
        }
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void bothDirectionsAtOnceAreBothMeasured(PerfVerb verb) {
        PerfOptions one = PerfPair.options(verb, PerfKind.BW, 8);
        try (PerfPair pair = new PerfPair(with(one, 2, true, QueuePairType.RC, 0, 1))) {
            PerfSide server = pair.server(8);
            PerfResult here = PerfPair.run(pair.client(8), server, 300);

            assertThat(here.toText()).startsWith("bw 8 600 ");
            assertThat(server.result().toText()).startsWith("bw 8 600 ");
        }
    }

    static Stream<PerfVerb> verbs() {
        return Arrays.stream(PerfVerb.values());
    }

    @ParameterizedTest
    @MethodSource("unreliable")
    void unreliableServicesMoveMessagesToo(QueuePairType type, PerfVerb verb, PerfKind kind) {
        PerfOptions one = PerfPair.options(verb, kind, 1000 + 40);
        try (PerfPair pair = new PerfPair(with(one, 1, false, type, 0, 1))) {
            PerfResult result = PerfPair.run(pair.client(1000), pair.server(1000), 400);

            assertThat(result.toText()).contains(" 1000 400 ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void aLostMessageIsCountedAndSentAgain(QueuePairType type) {
        PerfOptions one = PerfPair.options(PerfVerb.SEND, PerfKind.LAT, 100 + 40);
        String network = "?network=lossy-" + type;
        try (PerfPair pair =
                new PerfPair(
                        "virtual://perf-left" + network + "&loss=0.05&seed=7",
                        "virtual://perf-right" + network,
                        with(one, 1, false, type, 0, 1))) {
            PerfResult result = PerfPair.run(pair.client(100), pair.server(100), 60);

            assertThat(result.toText()).startsWith("lat 100 60 ");
            assertThat(result.lost()).isBetween(1L, 30L);
        }
    }

    static Stream<Arguments> unreliable() {
        return Stream.of(
                Arguments.of(QueuePairType.UC, PerfVerb.WRITE, PerfKind.BW),
                Arguments.of(QueuePairType.UC, PerfVerb.WRITE, PerfKind.LAT),
                Arguments.of(QueuePairType.UC, PerfVerb.SEND, PerfKind.LAT),
                Arguments.of(QueuePairType.UD, PerfVerb.SEND, PerfKind.BW),
                Arguments.of(QueuePairType.UD, PerfVerb.SEND, PerfKind.LAT));
    }

    @Test
    void messagesRotateThroughTheWorkingSet() {
        PerfOptions one = PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 4096);
        try (PerfPair pair = new PerfPair(with(one, 1, false, QueuePairType.RC, 10 * 4096, 1))) {
            PerfEnd here = pair.left();
            for (int i = 0; i < 10; i++) {
                here.memory.set(ValueLayout.JAVA_BYTE, i * 4096L, (byte) (i + 1));
            }
            PerfPair.run(pair.client(4096), pair.server(4096), 10);

            PerfEnd there = pair.right();
            for (int i = 0; i < 10; i++) {
                assertThat(there.memory.get(ValueLayout.JAVA_BYTE, there.halfBytes + i * 4096L))
                        .isEqualTo((byte) (i + 1));
            }
        }
    }

    @Test
    void timeEndsARunWithoutACount() {
        try (PerfPair pair = new PerfPair(PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 64))) {
            PerfSide client = pair.client(64);
            client.begin(Long.MAX_VALUE, System.nanoTime() + 50_000_000, true);
            PerfResult result = PerfPair.drive(client, pair.server(64));

            assertThat(result).isInstanceOf(PerfResult.Bandwidth.class);
            PerfResult.Bandwidth it = (PerfResult.Bandwidth) result;
            assertThat(it.messages()).isPositive();
            assertThat(it.messages() / it.rate()).as("seconds").isGreaterThan(0.04);
        }
    }

    @Test
    void timeThatEndsWithNothingInFlightIsCountedToo() {
        PerfOptions one = PerfPair.options(PerfVerb.SEND, PerfKind.BW, 64 + 40);
        try (PerfPair pair = new PerfPair(with(one, 1, false, QueuePairType.UD, 0, 1))) {
            PerfSide client = pair.client(64);
            long untilNs = System.nanoTime() + 50_000_000;
            client.begin(Long.MAX_VALUE, untilNs, true);
            // A completion for each hundred, and then a turn that finds the time over.
            while (client.sent() == 0) {
                client.turn();
            }
            assertThat(client.sent()).isEqualTo(one.posting().cqModeration());
            while (System.nanoTime() - untilNs < 0) {
                Thread.onSpinWait();
            }
            client.turn();

            assertThat(client.isFinished()).isTrue();
            PerfResult.Bandwidth it = (PerfResult.Bandwidth) client.result();
            assertThat(it.messages() / it.rate()).as("seconds").isGreaterThan(0.04);
        }
    }

    @ParameterizedTest
    @MethodSource("tests")
    void steadyStateAllocatesNothing(PerfVerb verb, PerfKind kind) {
        try (PerfPair pair = new PerfPair(PerfPair.options(verb, kind, 8))) {
            PerfSide client = pair.client(8);
            PerfSide server = pair.server(8);
            PerfPair.run(client, server, 20_000);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long farNs = System.nanoTime() + (Long.MAX_VALUE >> 1);
            client.begin(20_000, farNs, true);
            server.begin(20_000, farNs, true);
            long before = threads.getCurrentThreadAllocatedBytes();
            while (!client.isFinished()) {
                client.turn();
                server.turn();
            }
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;

            // Less than a byte for each message: a few objects of the run, none of the messages.
            assertThat(bytes).isLessThan(20_000);
        }
    }

    private static PerfOptions with(
            PerfOptions it,
            int queuePairs,
            boolean isBidirectional,
            QueuePairType type,
            long rotateBytes,
            int postList) {
        PerfOptions.Measure measure = it.measure();
        PerfOptions.Pairs pairs = it.pairs();
        PerfOptions.Posting posting = it.posting();
        PerfOptions.Amount amount = it.amount();
        return new PerfOptions(
                new PerfOptions.Measure(
                        measure.verb(), measure.kind(), measure.atomic(), isBidirectional),
                new PerfOptions.Pairs(
                        type, queuePairs, pairs.mtu(), pairs.timeout(), pairs.retryCount()),
                new PerfOptions.Posting(
                        posting.txDepth(),
                        posting.rxDepth(),
                        posting.cqModeration(),
                        postList,
                        posting.inlineBytes()),
                new PerfOptions.Amount(
                        amount.bytesMax(),
                        amount.iterations(),
                        amount.durationSeconds(),
                        rotateBytes,
                        amount.warmUpMs()),
                it.isCaller());
    }
}
