package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The look, character by character: programs that read perftest's tables read these.
@Tag("command")
class PerfTableTest {
    private static final PerfResult.Bandwidth WRITE =
            new PerfResult.Bandwidth(65536, 5000, 49_012_500_000.0, 48_975_000_000.0, 747_295, 0);
    private static final PerfResult.Latency PING =
            new PerfResult.Latency(8, 1000, 3.5, 81.25, 3.71, 3.8, 1.04, 5.5, 12.25, 131_000, 0);

    private static String show(PerfOptions options, boolean inGigabits, PerfResult row) {
        return show(options, row, out -> new PerfTable(out, inGigabits));
    }

    private static String show(
            PerfOptions options, PerfResult row, Function<PrintWriter, PerfReport> look) {
        StringWriter text = new StringWriter();
        try (PerfPair pair = new PerfPair(options)) {
            PerfReport report = look.apply(new PrintWriter(text));
            report.begin(
                    new PerfReport.Setting(
                            options,
                            pair.device(),
                            pair.left().mtu(),
                            true,
                            pair.left().describe(),
                            pair.right().describe()));
            report.row(row, true);
            report.end();
        }
        return text.toString();
    }

    @Test
    void aBandwidthTableLooksLikePerftests() {
        String table = show(PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 65536), true, WRITE);

        // The numbers of queue pairs and keys are drawn anew for every device.
        String masked =
                table.replaceAll("QPN 0x[0-9a-f]{4,6} PSN 0x[0-9a-f]{6} ", "")
                        .replaceAll("RKey \\.\\.[0-9a-f]{2} VAddr 0x[0-9a-f]{14}", "RKey")
                        .replaceAll("GID: 253(:\\d{2,3}){15}", "GID:");
        assertThat(masked)
                .isEqualTo(
                        """
                        LINE
                                            RDMA_Write BW Test
                         Dual-port       : OFF\t\tDevice         : perf-left
                         Number of qps   : 1\t\tTransport type : IB
                         Connection type : RC\t\tUsing SRQ      : OFF
                         PCIe relax order: OFF\t\tLock-free      : OFF
                         ibv_wr* API     : ON\t\tUsing Enhanced Reorder      : OFF
                         TX depth        : 128
                         CQ Moderation   : 100
                         CQE Poll Batch  : 16
                         Mtu             : 4096[B]
                         Link type       : Ethernet
                         GID index       : 0
                         Max inline data : 0[B]
                         rdma_cm QPs\t : OFF
                         Data ex. method : Ethernet
                        LINE
                         local address: LID 0000 RKey
                         GID:
                         remote address: LID 0000 RKey
                         GID:
                        LINE
                        COLUMNS
                         65536      5000             392.10             391.80 \t\t     0.747295
                        LINE
                        """
                                .replace("LINE", "-".repeat(87))
                                .replace("COLUMNS", columns("Gb")));
    }

    private static String columns(String unit) {
        return " #bytes     #iterations    BW peak["
                + (unit + "/sec]    BW average[" + unit)
                + "/sec]   MsgRate[Mpps]";
    }

    @Test
    void mebibytesAreTheUnitUnlessGigabitsAreAskedFor() {
        assertThat(show(PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 65536), false, WRITE))
                .contains(
                        " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]  "
                                + " MsgRate[Mpps]\n 65536      5000             46741.96          "
                                + "  46706.20\t\t     0.747295\n");
    }

    @Test
    void aLatencyTableLooksLikePerftests() {
        assertThat(show(PerfPair.options(PerfVerb.WRITE, PerfKind.LAT, 8), false, PING))
                .contains("                    RDMA_Write Latency Test\n")
                .contains(" TX depth        : 1\n Mtu ")
                .contains(" Max inline data : 220[B]\n")
                .contains(
                        " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]   "
                                + " t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9%"
                                + " percentile[usec] \n 8       1000          3.50           81.25"
                                + "        3.71     \t       3.80        \t1.04   \t\t5.50    "
                                + "\t\t12.25  \n");
    }

    @Test
    void titlesNameTheTest() {
        assertThat(PerfTable.title(PerfPair.options(PerfVerb.ATOMIC, PerfKind.LAT, 8), " "))
                .isEqualTo("Atomic FETCH_AND_ADD Latency Test");
        assertThat(PerfTable.title(PerfPair.options(PerfVerb.READ, PerfKind.BW, 8), "_"))
                .isEqualTo("RDMA_Read_BW_Test");
    }

    @Test
    void gidsAreOctetsInDecimal() {
        assertThat(PerfTable.decimal(Gid.parse("10.0.21.3")))
                .isEqualTo("00:00:00:00:00:00:00:00:00:00:255:255:10:00:21:03");
    }

    @Test
    void jsonHasPerftestsKeysInGigabitsAndMicroseconds() throws IOException {
        assertThat(json(PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 65536), WRITE))
                .containsSubsequence("{", "test_info", "test", "Dual_port", "Device")
                .containsSubsequence("TX_depth", "CQ_Moderation", "Mtu", "Link_type")
                .containsSubsequence(
                        "results", "MsgSize", "n_iterations", "BW_peak", "BW_average", "MsgRate");
        assertThat(show(PerfPair.options(PerfVerb.WRITE, PerfKind.BW, 65536), WRITE, PerfJson::new))
                .endsWith(
                        "\"results\":{\"MsgSize\":65536,\"n_iterations\":5000,"
                                + "\"BW_peak\":392.100000,\"BW_average\":391.800000,"
                                + "\"MsgRate\":0.747295}}\n");
        assertThat(json(PerfPair.options(PerfVerb.WRITE, PerfKind.LAT, 8), PING))
                .contains("t_min", "t_max", "t_typical", "t_avg", "t_stdev")
                .contains("percentile_99", "percentile_99.9");
    }

    private static List<String> json(PerfOptions options, PerfResult row) throws IOException {
        List<String> words = new ArrayList<>();
        try (JsonParser parser =
                new JsonFactory().createParser(show(options, row, PerfJson::new))) {
            while (parser.nextToken() != null) {
                words.add(parser.getText());
            }
        }
        return words;
    }

    @Test
    void bothDirectionsTogetherAreTheSumOfTheirRates() {
        PerfResult.Bandwidth back = new PerfResult.Bandwidth(65536, 5000, 3e9, 2e9, 30_000, 0);

        assertThat(WRITE.plus(back))
                .isEqualTo(
                        new PerfResult.Bandwidth(
                                65536, 5000, 52_012_500_000.0, 50_975_000_000.0, 777_295, 0));
    }

    @Test
    void resultsSurviveTheWayToThePeer() {
        assertThat(PerfResult.parse(WRITE.toText())).isEqualTo(WRITE);
        assertThat(PerfResult.parse(PING.toText())).isEqualTo(PING);
        assertThat(PerfResult.parse(new PerfResult.None().toText()))
                .isEqualTo(new PerfResult.None());
    }
}
