package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.plan.Inputs.Need;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a plan says beside its counts: latency, watts, prices, demands, advice.
class FabricPlanTest {
    @Test
    void latencyIsSwitchesCablesAndThePacketOnce() {
        Latency ib = Plans.one("gpus=512 fabric=ib").latency();
        // 4096 bytes at 400 Gb/s are 81.92 ns; 6 m of copper 27 ns.
        assertThat(ib.nearest().lowNs()).isCloseTo(130 + 27 + 81.92, within(1e-6));
        assertThat(ib.farthest().switches()).isEqualTo(3);
        assertThat(ib.farthest().metres()).isEqualTo(66);
        assertThat(ib.farthest().lowNs()).isCloseTo(390 + 27 + 60 * 4.9 + 81.92, within(1e-6));
        assertThat(ib.farthest().highNs()).isCloseTo(990 + 27 + 60 * 5 + 81.92, within(1e-6));
        assertThat(ib.isWhole()).isTrue();
    }

    @Test
    void latencyOfThreeTiersPassesFiveSwitchesAndAllCables() {
        Latency ib = Plans.one("gpus=4096 fabric=ib").latency();
        assertThat(ib.farthest().switches()).isEqualTo(5);
        assertThat(ib.farthest().metres()).isEqualTo(266);
    }

    @Test
    void aSwitchWithoutALatencyIsNamedInsteadOfGuessed() {
        Latency latency = Plans.one("gpus=512 fabric=roce switch=SN5610").latency();
        assertThat(latency.missing()).containsExactly("SN5610");
        assertThat(latency.nearest().lowNs()).isCloseTo(27 + 81.92, within(1e-6));
    }

    @Test
    void wattsAreOfTheMakersFiguresOnly() {
        FabricPlan plan = Plans.one("gpus=512 fabric=ib");
        Bill.Amount typical = plan.bill().typicalWatts();
        Bill.Amount most = plan.bill().maxWatts();
        assertThat(typical).isNotNull();
        assertThat(most).isNotNull();
        assertThat(typical.low()).isEqualTo(24 * 747.0);
        assertThat(most.high()).isEqualTo(24 * 1720.0);
        assertThat(Plans.one("gpus=512 fabric=roce").bill().maxWatts()).isNull();
        assertThat(plan.bill().notCounted())
                .contains("watts of NIC ConnectX-7: 24 [2] is not the maker's figure");
    }

    @Test
    void linksThatShareACageShareATransceiver() {
        FabricPlan plan = Plans.one("gpus=512 fabric=ib host-metres=20 nics-per-cage=2");
        assertThat(plan.bill().cables().get(0).upperEnds()).isEqualTo(256);
        assertThat(plan.bill().cables().get(0).hostEnds()).isEqualTo(256);
        assertThat(plan.bill().cables().get(1).upperEnds()).isEqualTo(512);
        assertThat(plan.bill().transceivers()).isEqualTo(1024);
        assertThat(Plans.one("gpus=512 fabric=roce rate=800").bill().cables().get(1).upperEnds())
                .isEqualTo(1024);
    }

    @ParameterizedTest
    @CsvSource({"400,100,4096,217941", "400,5,4096,135861", "100,100,4096,62841"})
    void headroomIsThatOfTheDriver(int gbits, double metres, int mtu, long bytes) {
        assertThat(Headroom.bytes(gbits, metres, mtu)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"2,75.0", "4,68.4", "8,65.6", "16,64.4", "64,63.5"})
    void ecmpUsesAPartOfItsUplinks(int uplinks, double percent) {
        assertThat(100 * Demand.ecmpShare(uplinks)).isCloseTo(percent, within(0.06));
    }

    @Test
    void eachKindOfNetworkHasItsDemands() {
        assertThat(Demand.of(Plans.one("gpus=512 fabric=ib")))
                .extracting(Demand::key)
                .startsWith("subnetManager")
                .contains("skills")
                .doesNotContain("pfc");
        assertThat(Demand.of(Plans.one("gpus=512 fabric=roce")))
                .extracting(Demand::key)
                .contains("pfc", "ecn", "dscp", "watchdog", "skills");
        assertThat(Demand.of(Plans.one("gpus=4096 fabric=roce radix=64")).getFirst().text())
                .contains("217,941 bytes")
                .contains("100 m");
    }

    @Test
    void moreAddressesThanASubnetHasSpeakAgainstInfiniBand() {
        Plan plan = Plans.of("gpus=65536");
        assertThat(plan.fabrics().getFirst().growth().exceedsSubnet()).isTrue();
        assertThat(plan.advice().arguments())
                .anySatisfy(it -> assertThat(it.text()).contains("LIDs"));
        assertThat(plan.fabrics().getFirst().growth().addresses()).isEqualTo(65536 + 5120);
        assertThat(Plans.one("gpus=32768 fabric=ib").growth().exceedsSubnet()).isFalse();
    }

    @Test
    void adviceNamesTheInputOfEachArgument() {
        assertThat(Plans.of("gpus=512").advice().network()).isEmpty();
        assertThat(Plans.of("gpus=512").advice().arguments()).isEmpty();
        Advice ib = Plans.of("gpus=512 team=ib needs=fewest-settings,many-vendors").advice();
        assertThat(ib.network()).contains(Network.IB);
        assertThat(ib.arguments())
                .extracting(Advice.Argument::input)
                .containsExactly("team", "needs", "needs");
        assertThat(Plans.of("gpus=512 team=ethernet").advice().network()).contains(Network.ROCE);
        assertThat(Plans.of("gpus=512 team=ethernet needs=fewest-settings").advice().network())
                .isEmpty();
        assertThat(Plans.of("gpus=512 needs=lowest-latency").advice().network())
                .contains(Network.IB);
        assertThat(Plans.of("gpus=4096").advice().network()).contains(Network.ROCE);
        for (Need need : Need.values()) {
            String word = need.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            assertThat(Plans.of("gpus=512 needs=" + word).advice().arguments()).hasSize(1);
        }
    }

    @Test
    void adviceOnLatencyNeedsRangesThatDoNotOverlap() {
        assertThat(Plans.of("gpus=512 needs=lowest-latency switch=SN5610").advice().arguments())
                .isEmpty();
    }

    @Test
    void latenciesThatOverlapDecideNothing() {
        String text =
                """
                switches:
                  - name: T5
                    fabric: roce
                    ports:
                      400: {value: 64, source: ours, date: 2026-01, mark: vendor}
                    latencyNs: {low: 200, high: 900, source: ours, date: 2026-01, mark: vendor}
                """;
        Catalog catalog = Catalog.builtIn().with(Catalog.parse("ours.yaml", text));
        Plan plan = Plan.of(Plans.inputs("gpus=512 needs=lowest-latency"), catalog);
        assertThat(plan.advice().arguments()).isEmpty();
    }

    @Test
    void growthEndsWithTheTierAndNamesTheNext() {
        Growth two = Plans.one("gpus=512 fabric=ib").growth();
        assertThat(two.lastGpus()).isEqualTo(2048);
        assertThat(two.nextTiers()).isEqualTo(3);
        assertThat(two.limit()).isEqualTo("a spine has 64 links, one at least for each leaf");
        Growth pair = Plans.one("nodes=4 tiers=pair fabric=ib").growth();
        assertThat(pair.lastGpus()).isEqualTo(64);
    }

    @Test
    void aRateThatNoSwitchHasIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> Plans.of("gpus=64 rate=300 fabric=ib"))
                .hasMessageContaining("no InfiniBand switch at 300 Gb/s: use 400 or 800");
        assertThatThrownBy(() -> Plans.of("gpus=64 switch=SN9 fabric=roce"))
                .hasMessageContaining("\"SN9\" is not in the catalogue for RoCE: use SN5600");
        assertThatThrownBy(() -> Plans.of("gpus=64 rate=200 switch=SN5600 fabric=roce"))
                .hasMessageContaining("no links at 200 Gb/s: use 400 or 800");
        assertThatThrownBy(() -> Plans.of("gpus=64 radix=255 fabric=ib"))
                .hasMessageContaining("at most 254 ports");
    }
}
