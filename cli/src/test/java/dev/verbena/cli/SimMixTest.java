package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Workloads beside each other, faults of cables, and their picture.
@Tag("command")
class SimMixTest {
    private static final String VICTIM =
            "--hosts 16 --tiers 2 --radix 8 --xoff 100K"
                    + " --workload incast:pattern=incast,senders=12,size=1M"
                    + " --workload victim:from=5,to=1,size=1M";

    @TempDir Path directory;

    @Test
    void aVictimOfPausesIsSlowerThanAlone() throws IOException {
        SimRun run = SimRun.of(VICTIM);

        assertThat(run.value("workloads[0].name")).isEqualTo("incast");
        assertThat(run.count("workloads[1].flows_done")).isEqualTo(1);
        // Nothing but the incast's pauses is in the victim's way.
        assertThat(run.number("workloads[1].slowdown_50")).isGreaterThan(2);
        assertThat(run.number("workloads[0].slowdown_max")).isBetween(1.0, 1.2);
        assertThat(run.count("pause_frames")).isPositive();
    }

    @Test
    void aClassOfItsOwnFreesTheVictim() throws IOException {
        SimRun run = SimRun.of(VICTIM + ",class=3");
        assertThat(run.number("workloads[1].slowdown_50")).isLessThan(2);
    }

    @Test
    void theTextHasTheFiguresOfTheJson() throws IOException {
        SimRun run = SimRun.of(VICTIM);
        String text = SimRun.text(VICTIM).out();

        assertThat(text)
                .contains(" workload     class   #flows   t_50%[us]")
                .containsPattern(
                        " victim +rdma/0 +1 .* +%.2f +%.2f\n"
                                .formatted(
                                        run.number("workloads[1].slowdown_50"),
                                        run.number("workloads[1].slowdown_max")));
        assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void tcpHasItsShareOfTheLinkInAClassOfItsOwn() throws IOException {
        SimRun run =
                SimRun.of(
                        "--hosts 8 --rate 100 --ets 0=3,1=1"
                                + " --workload rdma:from=1,to=0,size=16M"
                                + " --workload tcp:from=2,to=0,size=16M,protocol=tcp,class=1");

        // RDMA has three quarters until it is over, then TCP has all.
        assertThat(run.number("workloads[0].slowdown_50")).isCloseTo(4 / 3.0, within(0.02));
        assertThat(run.number("workloads[1].slowdown_50")).isCloseTo(2, within(0.02));
        assertThat(run.count("workloads[1].bytes_delivered")).isEqualTo(16 << 20);
        assertThat(run.count("workloads[1].retransmitted")).isZero();
    }

    @Test
    void aClassOfTcpAloneMayLosePackets() throws IOException {
        SimRun run =
                SimRun.of(
                        "--hosts 8 --rate 100 --buffer 2M"
                                + " --workload rdma:from=1,to=0,size=4M"
                                + " --workload tcp:from=2,to=0,size=4M,protocol=tcp,class=1");

        assertThat(run.count("drops")).isPositive();
        assertThat(run.count("workloads[1].retransmitted")).isPositive();
        assertThat(run.count("workloads[1].flows_done")).isEqualTo(1);
    }

    @Test
    void aRunInWhichTcpIsNotOverSaysSo() throws IOException {
        String words =
                "--hosts 4 --limit 300 --workload tcp:from=1,to=0,size=64M,protocol=tcp"
                        + " --workload rdma:from=2,to=3,size=1M";
        SimRun run = SimRun.of(words);

        assertThat(run.command().status()).isEqualTo(1);
        assertThat(run.count("flows")).isEqualTo(2);
        assertThat(run.count("flows_pending")).isEqualTo(1);
        assertThat(run.count("flows_done")).isEqualTo(1);
        assertThat(run.count("bytes")).isEqualTo(65 << 20);
        long delivered =
                run.count("workloads[0].bytes_delivered")
                        + run.count("workloads[1].bytes_delivered");
        assertThat(run.count("bytes_delivered")).isEqualTo(delivered);
        assertThat(run.number("span_us")).isBetween(299.0, 300.0);
        assertThat(SimRun.text(words).out())
                .contains(" 1 of 2 flows are not over after 300 us: allow more time with --limit\n")
                .contains(" delivered %,d of 68,157,440 bytes\n".formatted(delivered));
    }

    @Test
    void aFlowThatFailsIsNamedByItsWorkload() throws IOException {
        String words =
                "--hosts 4 --qp-timeout 4 --fault host-2=down"
                        + " --workload a:from=1,to=0 --workload b:from=2,to=0";
        SimRun run = SimRun.of(words);

        assertThat(run.value("failed[0].workload")).isEqualTo("b");
        assertThat(run.count("failed[0].flow")).isEqualTo(1);
        assertThat(SimRun.text(words).out())
                .contains(" gave up after 7 retries: flow 1 of b from host 2 to host 0\n");
    }

    /// Without times of their own the same one of two hosts would lose all packets, for every seed.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aWorkloadStartsAsItsPatternDoes(int seed) throws IOException {
        String lossy = "--tiers 1 --hosts 3 --lossy --buffer 1M --seed " + seed;
        SimRun pattern = SimRun.of(lossy + " --pattern incast --senders 2 --size 4M");
        SimRun workload = SimRun.of(lossy + " --workload x:pattern=incast,senders=2,size=4M");

        for (String figure : List.of("t_min", "t_max", "drops", "span_us", "packets")) {
            assertThat(workload.value(figure)).as(figure).isEqualTo(pattern.value(figure));
        }
        SimRun inStep = SimRun.of(lossy + " --jitter 0 --workload x:pattern=incast,senders=2");
        assertThat(inStep.command().status()).isZero();
    }

    /// IEEE 802.1Qaz: three classes that always have packets to send have the link in proportion to
    /// their shares, to a half per cent; `--series` has what the port sent of each. Of each packet
    /// of 4,178 bytes on the link the counters leave out 20.
    @ParameterizedTest
    @CsvSource({"5, 3, 2", "1, 1, 1", "8, 1, 1", "70, 20, 10"})
    void classesHaveTheirSharesOfTheLinkInTheSeries(int first, int second, int third)
            throws IOException {
        Path file = directory.resolve("leaf.csv");
        String incast = ":pattern=incast,senders=7,size=256K,until=1200,class=";
        SimRun run =
                SimRun.of(
                        "--hosts 8 --rate 100 --every 100 --series leaf-0=%s --ets 0=%d,1=%d,2=%d"
                                        .formatted(file, first, second, third)
                                + " --workload a"
                                + incast
                                + "0 --workload b"
                                + incast
                                + "1"
                                + " --workload c"
                                + incast
                                + "2");
        assertThat(run.command().status()).isZero();

        double[] bytes = new double[3];
        for (String line : Files.readAllLines(file)) {
            String[] row = line.split(",", -1);
            for (int i = 0; i < 3; i++) {
                if (row[2].equals("0") && row[3].equals("tx_prio" + i + "_bytes")) {
                    double value = Double.parseDouble(row[4]);
                    bytes[i] -= row[0].equals("200.000") ? value : 0;
                    bytes[i] += row[0].equals("1200.000") ? value : 0;
                }
            }
        }
        double all = bytes[0] + bytes[1] + bytes[2];
        double shares = first + second + third;
        assertThat(all).isCloseTo(1000e-6 * 100e9 / 8 * 4158 / 4178, withinPercentage(0.2));
        assertThat(bytes[0] / all).isCloseTo(first / shares, within(0.005));
        assertThat(bytes[1] / all).isCloseTo(second / shares, within(0.005));
        assertThat(bytes[2] / all).isCloseTo(third / shares, within(0.005));
    }

    @Test
    void aSlowCableIsSeenInTheResult() throws IOException {
        SimRun run =
                SimRun.of("--hosts 4 --workload one:from=1,to=0,size=4M --fault host-0=slow:0.25");
        assertThat(run.number("workloads[0].slowdown_50")).isCloseTo(4, within(0.06));
        assertThat(run.value("faults[0]")).isEqualTo("host-0=slow:0.25");
        assertThat(SimRun.text("--hosts 4 --fault host-0=slow").out())
                .contains(" fault: host-0=slow\n", " packets lost on cables 0\n");
    }

    @Test
    void aFlappingCableLosesPacketsAndTheTransferEnds() throws IOException {
        SimRun run =
                SimRun.of(
                        "--hosts 4 --pattern incast --senders 2 --size 8M --qp-timeout 7"
                                + " --fault host-0=flap:20/80@50-250");
        assertThat(run.count("packets_lost")).isPositive();
        assertThat(run.count("flows_done")).isEqualTo(2);
    }

    @Test
    void utilisationOfTheBusiestLinkIsKnownOverTime() throws IOException {
        SimRun run =
                SimRun.of(
                        "--hosts 4 --workload a:from=1,to=0,size=4M"
                                + " --workload b:from=2,to=3,size=4M,start=100,until=300");
        // From host 2, or to host 3: both are as busy.
        assertThat(run.value("bottleneck.neighbour")).isIn("leaf 0", "host 3");
        double last = 0;
        double busyUs = 0;
        for (int i = 0; run.values().containsKey("bottleneck.until_us[%d]".formatted(i)); i++) {
            double until = run.number("bottleneck.until_us[%d]".formatted(i));
            busyUs += run.number("bottleneck.utilisation[%d]".formatted(i)) * (until - last);
            last = until;
        }
        // What is seen over time adds up to what is seen in all.
        double share = run.number("busiest_links[0].busy_percent") / 100;
        assertThat(busyUs / (share * last)).isCloseTo(1, within(0.02));
    }

    @Test
    void aRunThatMayNotBeginHasAPictureToo() throws IOException {
        Path picture = directory.resolve("none.svg");
        Command run = SimRun.text("--hosts 4 --limit 0 --picture " + picture);

        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(Files.readString(picture)).endsWith("</svg>\n").doesNotContain("NaN");
    }

    @Test
    void thePictureHasALineForEachWorkloadAndTheFaults() throws IOException {
        Path picture = directory.resolve("mix.svg");
        Command run = SimRun.text(VICTIM + " --fault host-1=slow:0.5@50-80 --picture " + picture);

        assertThat(run.status()).as(run.err()).isZero();
        String svg = Files.readString(picture);
        assertThat(svg).startsWith("<svg ").endsWith("</svg>\n").doesNotContain("NaN");
        assertThat(svg).contains(">incast<", ">victim<", ">cable at fault<", ">busy: leaf 0 port");
        assertThat(svg.split("<polyline", -1)).hasSize(4);
    }

    @Test
    void aPictureOfManyWorkloadsAndFaultsHasRoomForThem() throws IOException {
        Path picture = directory.resolve("many.svg");
        StringBuilder words = new StringBuilder("--hosts 16");
        for (int i = 1; i <= 9; i++) {
            words.append(" --workload workload-%02d:from=%d,to=0,size=64K".formatted(i, i));
        }
        words.append(" --fault hosts=loss:0.000001 --fault host-15=flap:0.001/0.001@0-100");
        Command run = SimRun.text(words + " --picture " + picture);

        assertThat(run.status()).as(run.err()).isZero();
        String svg = Files.readString(picture);
        assertThat(svg).contains(">workload-09<", "stroke-dasharray");
        // Fifty thousand faults are one band.
        assertThat(svg.split("fill=\"#f6d5d5\"", -1)).hasSize(3);
        double rightmost =
                Pattern.compile("<text x=\"([0-9.]+)\"")
                        .matcher(svg)
                        .results()
                        .mapToDouble(it -> Double.parseDouble(it.group(1)))
                        .max()
                        .orElseThrow();
        assertThat(rightmost).isLessThanOrEqualTo(740);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workload x | write it as NAME:pattern=incast,senders=8,size=1M",
                "--workload a:size | size' has no value: write it as size=1M",
                "--workload a:size=1M,size=2M | size stands there twice",
                "--workload a:colour=red | colour' has no effect here",
                "--workload a:pattern=shift,senders=3 | senders' has no effect here",
                "--workload a:from=1,to=1 | a flow from host 1 to host 1",
                "--workload a:from=1,to=999 | to=999: use 0 to 127",
                "--workload a:start=x | start=x: use microseconds",
                "--workload a:class=9 | class=9: use 0 to 7",
                "--workload a:protocol=udp | protocol=udp: use rdma or tcp",
                "--workload a:by=1 --workload a:by=2 | by' has no effect",
                "--workload a:size=1K --workload a:size=2K | two have this name",
                "--workload a:size=1K --pattern shift | --pattern has no effect with --workload",
                "--workload a:protocol=tcp,until=9 | a TCP flow is sent once",
                "--fabric ib --workload a:protocol=tcp | the fabric is InfiniBand",
                "--workload a:from=1,to=0,until=0 | it must end after it has started",
                "--workload a:from=1,to=0,start=5,until=5 | it must end after it has started",
                "--limit -5 | --limit -5: use 0 to",
                "--limit 9223372036855 | use 0 to 1,000,000,000,000 us",
                "--every 0 --series leaf-0=none.csv | --every 0.0: use 0.001 to",
                "--every NaN --series leaf-0=none.csv | --every NaN: use 0.001 to",
                "--switch-latency -7 | --switch-latency -7: use 0 to 1,000,000,000,000",
                "--nic-latency -7 | --nic-latency -7: use 0 to",
                "--ack-delay -2 | --ack-delay -2: use 0 to",
                "--nic-rate -3 | --nic-rate -3: use 1.0E-6 to 1,000,000",
                "--nic-rate NaN | --nic-rate NaN: use 1.0E-6 to 1,000,000",
                "--chain -3 | --chain -3: use 1 to",
                "--pattern shift --by -3 | --by -3: use 1 to",
                "--ack-every 0 | --ack-every 0: use 1 to",
                "--fabric ib --ets 0=2 | --ets has no effect with --fabric ib",
                "--ets 8=2 | --ets 8=2: classes are 0 to 7",
                "--fault host-0=gone | gone': use loss:0.001"
            })
    void whatCannotBeReadIsAUsageErrorOfOneLine(String words, String remedy) {
        Command run = SimRun.text(words);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(remedy);
        assertThat(run.err().lines().count()).isLessThanOrEqualTo(2);
    }
}
