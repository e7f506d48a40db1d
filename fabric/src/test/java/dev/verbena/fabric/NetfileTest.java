package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetfileTest {
    private static final String DISCOVERED =
            """
            #
            # Topology file: generated on Sun Nov 15 12:00:00 2026
            #
            # Initiated from node 0002c90300001e00 port 0002c90300001e01

            vendid=0x2c9
            devid=0xbd36
            sysimgguid=0x2c902004210b3
            switchguid=0x2c902004210b0(2c902004210b0)
            Switch\t36 "S-0002c902004210b0"\t\t# "edge 1" enhanced port 0 lid 1 lmc 0
            [1]\t"H-0002c90300001e00"[1](2c90300001e01) \t\t# "node-1 HCA-1" lid 4 4xQDR
            [2]\t"H-0002c90300001e04"[2](2c90300001e06) \t\t# "node-2 HCA-1" lid 5 4xQDR

            vendid=0x2c9
            devid=0x673c
            caguid=0x2c90300001e04
            Ca\t2 "H-0002c90300001e04"\t\t# "node-2 HCA-1"
            [2](2c90300001e06) \t"S-0002c902004210b0"[2]\t\t# lid 5 lmc 0 "edge 1" lid 1 4xQDR

            Ca\t1 "H-0002c90300001e00"\t\t# "node-1 HCA-1"
            [1](2c90300001e01) \t"S-0002c902004210b0"[1]\t\t# lid 4 lmc 0 "edge 1" lid 1 4xQDR
            """;

    private static final String SIMULATED =
            """
            Switch 8 "SwitchA"
            [1] "HcaOne"[1]
            [8] "SwitchB"[8]

            Switch 8 "SwitchB"

            Hca 2 "HcaOne"
            [2] "SwitchB"[1]
            """;

    @Test
    void whatIbnetdiscoverPrintsIsAFabric() {
        Topology topology = Netfile.parse("rack", DISCOVERED.lines().toList());

        assertThat(topology).hasToString("rack: 2 hosts, 1 switch, 2 cables, 34 free ports");
        assertThat(topology.hostName(0)).isEqualTo("node-2 HCA-1 port 2");
        assertThat(topology.hostName(1)).isEqualTo("node-1 HCA-1");
        Fabric fabric = new Fabric(topology, FabricSettings.INFINIBAND);
        Anchor.run(fabric, List.of(Flow.of(0, 1, 10_000)));
        assertThat(fabric.counters("edge 1").getFirst().counts())
                .containsEntry("PortRcvPkts", 3L)
                .containsEntry("PortXmitPkts", 3L);
    }

    @Test
    void anAdapterWithTwoCablesIsTwoHosts() {
        Topology topology = Netfile.parse("lab", SIMULATED.lines().toList());

        assertThat(topology).hasToString("lab: 2 hosts, 2 switches, 3 cables, 12 free ports");
        assertThat(topology.hostName(1)).isEqualTo("HcaOne port 2");
        Fabric fabric = new Fabric(topology, FabricSettings.INFINIBAND);
        Anchor.run(fabric, List.of(Flow.of(0, 1, 10_000)));
    }

    @Test
    void aSwitchThatNothingLeadsToIsLeftAlone() {
        List<String> lines = (SIMULATED + "Switch 8 \"spare\"\n").lines().toList();
        for (FabricSettings settings : List.of(FabricSettings.ROCE, FabricSettings.INFINIBAND)) {
            Fabric fabric = new Fabric(Netfile.parse("lab", lines), settings);
            Anchor.run(fabric, List.of(Flow.of(0, 1, 10_000)));
        }
    }

    @Test
    void aTreeThatWasWrittenAndReadRunsAsItDidBefore() {
        for (FatTree tree : List.of(FatTree.threeTiers(2, 4), FatTree.twoTiers(3, 4, 2))) {
            Topology before = tree.topology();
            String text = Netfile.print(before);
            Topology after = Netfile.parse(tree.toString(), text.lines().toList());
            assertThat(after).hasToString(before.toString());
            List<Flow> flows = Patterns.permutation(before.hosts(), 100_000, 7);

            for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
                long[] once = Anchor.run(new Fabric(before, settings), flows).timesPs();
                long[] again = Anchor.run(new Fabric(after, settings), flows).timesPs();
                assertThat(again).isEqualTo(once);
            }
            assertThat(Netfile.print(after)).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1] \"a\"[1] | line 1: a port comes after its Switch or Ca",
                "Switch 2 \"a\";[1] \"b\"[1] | line 2: there is no \"b\"",
                "Switch 2 \"a\";Switch 2 \"a\" | line 2: \"a\" is there twice",
                "Switch 2 \"a\";[3] \"a\"[1] | line 2: \"a\" has ports 1 to 2, not 3",
                "Switch 2 \"a\";Hca 1 \"b\";[1] \"a\"[1];Hca 1 \"c\";[1] \"a\"[1]"
                        + "| line 5: the other end is \"c\"[1], but was \"b\"[1] before",
                "Hca 1 \"a\";[1] \"b\"[1];Hca 1 \"b\" | line 1: two adapters without a switch",
                "Rt 2 \"a\" | line 1: routers are not simulated",
                "Switch two \"a\" | line 1: neither Switch, Ca nor [port]"
            })
    void whatIsNoFabricIsRefusedWithItsLine(String text, String reason) {
        List<String> lines = List.of(text.split(";"));
        assertThatThrownBy(() -> Netfile.parse("bad", lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
