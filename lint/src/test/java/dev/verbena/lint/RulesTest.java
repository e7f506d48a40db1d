package dev.verbena.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.BufferSettings;
import dev.verbena.fabric.Thresholds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Limits of rules to the byte, and what is said where a value is missing.
@Tag("rules")
class RulesTest {
    /// 905 quanta of 512 bits at 400 Gb/s, IEEE 802.3 31B.3.7.
    private static final int REACTION = 905 * 64;

    private static Report leaf(String... changes) throws IOException {
        String text = Samples.text("leaf1.json");
        for (int i = 0; i < changes.length; i += 2) {
            text = Samples.changed(text, changes[i], changes[i + 1]);
        }
        return Samples.check("leaf1.json", text);
    }

    private static List<String> questions(Report report) {
        return report.unjudged().stream().map(it -> it.question() + "; " + it.missing()).toList();
    }

    /// 2 x 30 m x 5 ns at 50 bytes a ns, a pause frame of 84 bytes, three packets of 4,198.
    @Test
    void theLeastHeadroomIsTheSimulators() {
        assertThat(Headroom.least(400_000, 30)).isEqualTo(15_000 + 84 + 3 * 4_198);
    }

    @Test
    void headroomIsJudgedToTheByte() throws IOException {
        int least = Headroom.least(400_000, 30);

        assertThat(Samples.codes(leaf("425958", String.valueOf(least - 1))))
                .containsExactly("VL301");
        assertThat(Samples.codes(leaf("425958", String.valueOf(least)))).containsExactly("VL302");
        assertThat(Samples.codes(leaf("425958", String.valueOf(least + REACTION - 1))))
                .containsExactly("VL302");
        assertThat(leaf("425958", String.valueOf(least + REACTION)).findings()).isEmpty();
    }

    /// The mlx5 driver reserves more than the limit of both rules; SONiC's table too.
    @ParameterizedTest
    @CsvSource({
        "400000, 100, 217941",
        "400000, 5, 135861",
        "100000, 100, 62841",
        "400000, 30, 425958",
        "200000, 5, 224536",
        "100000, 500, 1136396",
        "400000, 500, 1887900"
    })
    void whatVendorsReservePasses(long mbits, double metres, long xoff) {
        assertThat(xoff)
                .isGreaterThan(
                        Headroom.least(mbits, metres) + Headroom.ofReaction(mbits).orElseThrow());
    }

    @Test
    void marksMustComeBeforePausesOfTheSimulatorsArithmetic() throws IOException {
        double pauses = Thresholds.pausesFrom(new BufferSettings(258_035_400, 1, 0, 0, 0, 1), 2);
        String max = "2097152";

        assertThat(pauses).isBetween(172_023_599.0, 172_023_600.5);
        assertThat(Samples.codes(leaf("1048576", "172023600", max, "180000000")))
                .containsExactly("VL404");
        assertThat(leaf("1048576", "172023599", max, "180000000").findings()).isEmpty();
        // With a fixed threshold it is that of both inputs together.
        String fixed = "\"dynamic_th\": \"0\"";
        assertThat(Samples.codes(leaf(fixed, "\"static_th\": \"524288\"")))
                .containsExactly("VL404");
        assertThat(leaf(fixed, "\"static_th\": \"524289\"").findings()).isEmpty();
    }

    /// 12 us at 400 Gb/s are 600,000 bytes: Kmin from 120,000 and Kmax from 480,000 on.
    @Test
    void marksMustNotComeBeforeAPartOfTheRoundTrip() throws IOException {
        assertThat(leaf("1048576", "120000", "2097152", "480000").findings()).isEmpty();
        assertThat(Samples.codes(leaf("1048576", "119999", "2097152", "480000")))
                .containsExactly("VL405");
        assertThat(Samples.codes(leaf("1048576", "120000", "2097152", "479999")))
                .containsExactly("VL405");
    }

    @ParameterizedTest
    @CsvSource({
        "detection_time, 99, VL502",
        "detection_time, 5001, VL502",
        "restoration_time, 99, VL502",
        "restoration_time, 60001, VL502",
        "detection_time, 199, VL503"
    })
    void timesOfTheWatchdogHaveLimits(String name, String value, String code) throws IOException {
        String usual = "\"%s\": \"200\"".formatted(name);

        assertThat(Samples.codes(leaf(usual, "\"%s\": \"%s\"".formatted(name, value))))
                .containsExactly(code);
    }

    @Test
    void alikeFindingsOfPortsAreOne() throws IOException {
        Report report = leaf("\"ecn_all\"", "\"ecn_none\"");

        assertThat(report.findings()).hasSize(2); // queues 3 and 4
        assertThat(report.findings().getFirst().problem())
                .startsWith("Ethernet0, Ethernet8, Ethernet16: profile AZURE_LOSSLESS of lossless");
    }

    @Test
    void aPortThatIsDownIsNotLookedAt() throws IOException {
        String port = "\"Ethernet16\": {\"admin_status\": ";

        assertThat(leaf("425958", "1", port + "\"up\"", port + "\"down\"").findings()).isEmpty();
    }

    @Test
    void olderReferencesAndRangesAreRead() throws IOException {
        String text =
                Samples.text("leaf1.json")
                        .replace(
                                "{\"profile\": \"pg_lossless_400000_30m_profile\"}",
                                "{\"profile\":"
                                        + " \"[BUFFER_PROFILE|pg_lossless_400000_30m_profile]\"}")
                        .replace("\"Ethernet8|3-4\"", "\"Ethernet8|3,4\"");

        assertThat(Samples.check("leaf1.json", text).findings()).isEmpty();
    }

    @Test
    void missingValuesAreQuestions() throws IOException {
        assertThat(questions(leaf("CABLE_LENGTH", "CABLES")))
                .containsExactly(
                        "headroom of ports without a row in CABLE_LENGTH; the length of their"
                                + " cables: --cable-length");
        assertThat(questions(leaf("\"PORT\"", "\"PORTS\"")))
                .containsExactly(
                        "the ports of the switch; a table PORT with ports whose admin_status is"
                                + " up");
        assertThat(questions(leaf("BUFFER_PG", "GROUPS")).getFirst())
                .startsWith("the headroom of lossless priorities; a table BUFFER_PG");
        assertThat(
                        questions(
                                leaf(
                                        "{\"profile\": \"pg_lossless_400000_30m_profile\"}",
                                        "{\"profile\": \"NULL\"}")))
                .first()
                .asString()
                .startsWith("headroom that the switch calculates itself");
        Report unknown =
                Lint.check(Samples.files(Samples.all()), Assumptions.NONE.withCableMetres(5));
        assertThat(questions(unknown))
                .anyMatch(it -> it.contains("--round-trip"))
                .anyMatch(it -> it.contains("--topology"));
        Report noDscp = Lint.check(Samples.files(List.of("gpu1.mlnx_qos.txt")), Assumptions.NONE);
        assertThat(questions(noDscp)).anyMatch(it -> it.contains("cma_roce_tos"));
    }

    @Test
    void aHostIsHeldAgainstItsOwnPortOnly() throws IOException {
        String text =
                Samples.changed(
                        Samples.text("leaf1.json"),
                        "\"Ethernet8\": {\n"
                            + "      \"dscp_to_tc_map\": \"AZURE\", \"tc_to_queue_map\": \"AZURE\","
                            + " \"tc_to_pg_map\": \"AZURE\",\n"
                            + "      \"pfc_to_queue_map\": \"AZURE\", \"pfc_enable\": \"3,4\"",
                        "\"Ethernet8\": {\"pfc_enable\": \"3\"");
        List<InputFile> one =
                List.of(
                        Samples.file("leaf1.json", text),
                        Samples.files(List.of("gpu1.mlnx_qos.txt")).getFirst());
        List<InputFile> other =
                List.of(
                        one.getFirst(),
                        Samples.file("gpu2.txt", Samples.text("gpu1.mlnx_qos.txt")),
                        Samples.file("gpu9.txt", Samples.text("gpu1.mlnx_qos.txt")));

        assertThat(Samples.codes(Lint.check(one, Samples.KNOWN))).containsExactly("VL202");
        assertThat(Lint.check(other, Samples.KNOWN).findings())
                .filteredOn(it -> it.code() == Code.VL603)
                .extracting(Finding::problem)
                .containsExactly(
                        "gpu2: PFC for [3, 4], and for [3] at the switch",
                        "gpu9: PFC for [3, 4], and for [3] at the switch");
    }

    @Test
    void anyOrderOfSwitchesFindsTheirLink() throws IOException {
        String leaf =
                Samples.changed(
                        Samples.text("leaf1.json"),
                        "\"Ethernet16\": \"30m\"",
                        "\"Ethernet16\": \"35m\"");
        InputFile one = Samples.file("leaf1.json", leaf.replace("DEVICE_NEIGHBOR", "NEIGHBORS"));
        InputFile spine = Samples.files(List.of("spine1.json")).getFirst();

        assertThat(Samples.codes(Lint.check(List.of(one, spine), Samples.KNOWN))).contains("VL606");
        assertThat(Samples.codes(Lint.check(List.of(spine, one), Samples.KNOWN))).contains("VL606");
    }

    @Test
    void switchesWithoutNeighboursAreOnePath() throws IOException {
        String leaf = Samples.text("leaf1.json").replace("DEVICE_NEIGHBOR", "NEIGHBORS");
        String spine =
                Samples.text("spine1.json")
                        .replace("DEVICE_NEIGHBOR", "NEIGHBORS")
                        .replace("\"27\": \"1\"", "\"27\": \"3\"");
        Report report =
                Lint.check(
                        List.of(
                                Samples.file("leaf1.json", leaf),
                                Samples.file("spine1.json", spine)),
                        Samples.KNOWN);

        assertThat(Samples.codes(report)).containsExactly("VL604");
    }

    @Test
    void theLoopbackIsNoInterfaceAndSeveralAreAQuestion() throws IOException {
        String lo = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n";
        String link = Samples.text("gpu1.link.txt");

        assertThat(Samples.check("gpu1.txt", lo + link.replace("4200", "1500")).findings())
                .extracting(Finding::code)
                .containsExactly(Code.VL601);
        Report several = Samples.check("gpu1.txt", lo + link + link.replace("ens1", "ens2"));
        assertThat(several.findings()).isEmpty();
        assertThat(questions(several)).first().asString().contains("of 2 interfaces");
    }

    @Test
    void theCallersDscpCountsWhereNoHostHasOne() throws IOException {
        List<InputFile> alone = Samples.files(List.of("leaf1.json"));
        List<InputFile> both = Samples.files(List.of("leaf1.json", "gpu1.cma_roce_tos.txt"));
        Assumptions wrong = Samples.KNOWN.withDscp(27);

        assertThat(Samples.codes(Lint.check(alone, wrong))).containsExactly("VL205");
        assertThat(Lint.check(both, wrong).findings()).isEmpty();
    }

    @Test
    void twoFilesOfAKindForOneHostAreRefused() throws IOException {
        InputFile qos = Samples.files(List.of("gpu1.mlnx_qos.txt")).getFirst();

        assertThatThrownBy(() -> Lint.check(List.of(qos, qos), Samples.KNOWN))
                .isInstanceOf(LintException.class)
                .hasMessage(
                        "gpu1.mlnx_qos.txt: a second file of mlnx_qos for gpu1; name the host, as"
                                + " in mlnx_qos@HOST:gpu1.mlnx_qos.txt");
    }

    @ParameterizedTest
    @CsvSource({
        "gpu1.qos.txt, gpu1",
        "dir/gpu1.txt, gpu1",
        "gpu7/mlnx_qos.txt, gpu7",
        "ethtool, host",
        ".hidden, .hidden"
    })
    void aDeviceHasItsNameFromTheFile(String file, String device) {
        assertThat(Samples.file(file, "").deviceName()).isEqualTo(device);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x1=full, 0x2=limi | true",
                "0x1, 0x2=ful | true",
                "0x1=both | true",
                "0x1=Full, 0x2 | false",
                "NONE | true",
                "defmember=full : 0x1 | true",
                "ALL, mgid=ff12:401b::707,sl=1,Q_Key=0x2, SELF=full | true",
                "ALL, ALL_CAS=limited | false"
            })
    void membersAreFullAsOpenSmReadsThem(String members, boolean healthy) {
        String text = "Default=0x7fff : ALL=full;\np=0x1 : %s ;\n".formatted(members);

        assertThat(Samples.codes(Samples.check("partitions.conf", text)))
                .isEqualTo(healthy ? java.util.Set.of() : java.util.Set.of("VL903"));
    }

    @Test
    void aManagementKeyIsNotPrinted() throws IOException {
        String text =
                Samples.text("opensm.conf")
                        .replace("m_key 0x0000000000000001", "m_key 0x00000000deadbeef")
                        .replace("protection_level 1", "protection_level 0");
        Report report = Samples.check("opensm.conf", text);

        assertThat(Samples.codes(report)).containsExactly("VL811");
        assertThat(report.toString()).doesNotContain("deadbeef");
    }

    @ParameterizedTest
    @ValueSource(strings = {"updn,no_fallback", "torus-2QoS,no_fallback", "nue,no_fallback"})
    void enginesWithoutLoopsAndWithoutAFallbackAreRightOnATorus(String engines) throws IOException {
        String text = Samples.text("opensm.conf").replace("ftree,updn", engines);
        Report report =
                Lint.check(
                        List.of(Samples.file("opensm.conf", text)),
                        Samples.KNOWN.withTopology(SubnetShape.TORUS));

        assertThat(report.findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"07, 7", "0x1F, 31", "-3, -3", "12 , 12"})
    void numbersMayHaveZerosBeforeThem(String text, long value) {
        assertThat(Numbers.parse(text)).hasValue(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.5", "0x", "1 2", "9999999999999999999", "--1"})
    void whatIsNoNumberIsNone(String text) {
        assertThat(Numbers.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5-3", "3-", "a", "3-64", "99", "3,,4"})
    void whatIsNoRangeHasNoIndices(String text) {
        assertThat(Numbers.indices(text)).isEmpty();
        assertThat(Numbers.indices("3,5-6")).containsExactly(3, 5, 6);
    }

    @Test
    void namesOfFilesAreShownWithoutControlCharacters() {
        String rule =
                """
                p\u001b[31m=0x8010 : ALL=full ;
                q=0x10 : ALL=full ;
                Default=0x7fff : ALL=full;
                """;
        Report report = Samples.check("partitions.conf", rule);

        assertThat(report.findings()).hasSize(1);
        assertThat(report.findings().getFirst().problem())
                .isEqualTo("q (0x0010) has the P_Key of p?[31m (0x0010)");
    }
}
