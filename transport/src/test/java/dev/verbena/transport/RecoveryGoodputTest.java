package dev.verbena.transport;

import static dev.verbena.transport.Duo.LEFT;
import static dev.verbena.transport.Duo.MTU;
import static dev.verbena.transport.Duo.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What losses cost a stream of WRITEs that fills a pipe of 120 packets, beside what must be.
///
/// To go back costs the lost packet and a pipe of those behind it; to repeat costs the packet. Row
/// 7 of the sheet of validations: at a loss of 1 in 1,000 that is 0.892 and 0.999.
class RecoveryGoodputTest {
    private static final int PIPE = 120;
    private static final int MESSAGES = 500;
    private static final int BYTES = 200 * MTU;
    private static final int AT_A_TIME = 8;

    /// A WRITE Middle with its headers: BTH, ICRC, and a RETH where each packet has one.
    private static final int PACKET = 12 + MTU + 4;

    private static final int PS_PER_BYTE = 1_000;

    private static final Path PAGE =
            Path.of(System.getProperty("verbena.root", ".."), "docs/selective-repeat.md");
    private static final String BEGIN =
            """
            <!-- Written by RecoveryGoodputTest with -Ddocs=write; change that test. -->

            | loss | go back | repeat what is lost |
            |---|---:|---:|
            """;
    private static final String END = "\n<!-- End of that table. -->\n";

    private record Result(double goodput, long lost, long repeated) {}

    private static Result run(boolean isSelective, double loss, long seed) {
        int packetNs = (PACKET + (isSelective ? 16 : 0)) * PS_PER_BYTE / 1_000;
        SplittableRandom random = new SplittableRandom(seed);
        long[] lost = new long[1];
        try (Duo duo =
                new Duo(
                        o -> o.selectiveRepeat(isSelective).windowPackets(1024).ackRequestEvery(8),
                        a -> {})) {
            for (int side = 0; side < 2; side++) {
                duo.pair.ports.get(side).carrier.psPerByte = PS_PER_BYTE;
                duo.wire(side).latencyNs = (long) packetNs * PIPE / 2;
            }
            long last = (long) MESSAGES * BYTES / MTU - 2 * PIPE;
            duo.wire(LEFT).rule =
                    (_, index) -> {
                        boolean isLost = index < last && random.nextDouble() < loss;
                        lost[0] += isLost ? 1 : 0;
                        return isLost ? WireScript.Fate.DROP : WireScript.Fate.PASS;
                    };
            long from = duo.pair.nowNs();
            int posted = 0;
            int done = 0;
            while (done < MESSAGES) {
                while (posted < MESSAGES && posted - done < AT_A_TIME) {
                    write(duo, posted++);
                }
                assertThat(duo.pair.step()).as("something to come").isTrue();
                duo.sent(LEFT);
                duo.sent(RIGHT);
                List<String> ended = duo.completed(LEFT);
                assertThat(ended).allMatch(text -> text.endsWith("SUCCESS"));
                done += ended.size();
            }
            double ideal = (double) MESSAGES * BYTES / MTU * packetNs;
            if (isSelective) {
                assertThat(duo.counter(LEFT, Counter.ACK_TIMEOUT)).isZero();
            }
            return new Result(
                    ideal / (duo.pair.nowNs() - from),
                    lost[0],
                    duo.counter(LEFT, Counter.RETRANSMITTED));
        }
    }

    private static void write(Duo duo, int id) {
        MemoryRegion target = duo.memory.get(RIGHT);
        duo.post(
                b ->
                        b.write(target.address(), target.remoteKey())
                                .local(duo.memory.get(LEFT), 0, BYTES)
                                .id(id)
                                .signaled());
    }

    @Test
    void aLossCostsAPipeOrAPacketAndThePageSaysSo() throws IOException {
        StringBuilder table = new StringBuilder(BEGIN);
        double packets = (double) MESSAGES * BYTES / MTU;
        for (double loss : new double[] {1e-3, 1e-2}) {
            Result back = run(false, loss, 7);
            Result selective = run(true, loss, 7);
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %s %% | %.3f | %.3f |%n",
                            loss == 1e-3 ? "0.1" : "1",
                            back.goodput,
                            selective.goodput));
            System.out.printf(
                    "RecoveryGoodputTest: loss %s: go back %.4f (%,d lost, %,d repeated), "
                            + "selective %.4f (%,d lost, %,d repeated)%n",
                    loss,
                    back.goodput,
                    back.lost,
                    back.repeated,
                    selective.goodput,
                    selective.lost,
                    selective.repeated);
            assertThat(selective.repeated).isEqualTo(selective.lost);
            if (loss == 1e-3) {
                // The losses that there were, of which chance has its share.
                double rate = back.lost / (packets + back.repeated);
                double theory = (1 - rate) / (1 + (PIPE - 1) * rate);
                assertThat(back.goodput).isCloseTo(theory, within(0.02 * theory));
                double whole = 1 - selective.lost / (packets + selective.repeated);
                assertThat(selective.goodput).isCloseTo(whole, within(0.002));
            }
        }
        compare(table.append(END).toString());
    }

    /// The table between the two marks of the page is this one, or becomes it.
    private static void compare(String table) throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN.lines().findFirst().orElseThrow());
        int until = page.indexOf(END, Math.max(0, from));
        assertThat(from).as("the mark before the table").isNotNegative();
        assertThat(until).as("the mark behind it").isGreaterThan(from);
        String before = page.substring(from, until + END.length());
        if (System.getProperty("docs", "").equals("write")) {
            Files.writeString(PAGE, page.replace(before, table));
            return;
        }
        assertThat(before).as("stale table: write it anew with -Ddocs=write").isEqualTo(table);
    }
}
