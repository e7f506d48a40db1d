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

    private static final String CA_B = "Ca 1 \"b\"";
    private static final String CA_C = "Ca 1 \"c\"";

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

    /// The rate of the cable of a host, where 1 Gb/s means that it has none of its own.
    private static Rate rate(Topology topology, int host) {
        return topology.cablePlan(host).over(new Cable(Rate.gbits(1), 0)).rate();
    }

    @Test
    void speedsOfCablesAreRead() {
        Topology topology = Netfile.parse("rack", DISCOVERED.lines().toList());

        assertThat(rate(topology, 0)).isEqualTo(Rate.gbits(32));
        assertThat(rate(topology, 1)).isEqualTo(Rate.gbits(32));
        assertThat(rate(Netfile.parse("lab", SIMULATED.lines().toList()), 0))
                .isEqualTo(Rate.gbits(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1] \"b\"[1] # \"b\" lid 4 1xSDR | 2 | 0",
                "[1] \"b\"[1] # lid 4 lmc 0 \"b\" lid 4 2xHDR | 100 | 0",
                "[1] \"b\"[1] # \"b\" lid 4 4xQDR w=4 s=2 | 32 | 0",
                "[1] \"b\"[1] # \"b\" 100m 4xNDR | 400 | 500000",
                "[1] \"b\"[1] # \"b\" 0.5m 2.5Gb/s | 2.5 | 2500",
                "[1] \"b\"[1] # \"b\" 7m | 1 | 35000",
                "[1] \"b\"[1] # \"rack 4xEDR 100m \" lid 1 | 1 | 0"
            })
    void speedAndLengthFollowTheName(String line, String gbits, long delayPs) {
        List<String> file = List.of("Switch 2 \"a\"", line, "[2] \"c\"[1]", CA_B, CA_C);
        Cable cable = Netfile.parse("two", file).cablePlan(0).over(new Cable(Rate.gbits(1), 0));

        assertThat(cable).isEqualTo(new Cable(Rate.parse(gbits), delayPs));
    }

    @Test
    void cablesOfTheirOwnKindAreWrittenAndReadAgain() {
        Wiring wiring = new Wiring("mixed");
        wiring.addSwitch("one", 16);
        wiring.addSwitch("other", 16);
        int port = 0;
        for (String rate : List.of("1xSDR", "4xFDR", "4xFDR10", "12xXDR", "1600", "5", "0.0015")) {
            CablePlan plan = CablePlan.USUAL.withRate(Rate.parse(rate));
            wiring.addHost("host " + port, 0, port, plan);
            wiring.join(0, 7 + port, 1, port, plan.withMetres(0.3 * port));
            port++;
        }
        wiring.addHost("host " + port, 1, port, CablePlan.USUAL.withMetres(2000));
        wiring.addHost("host " + (port + 1), 1, port + 1);
        Topology before = wiring.topology();
        String text = Netfile.print(before);
        Topology after = Netfile.parse("mixed", text.lines().toList());

        for (int i = 0; i < before.cables(); i++) {
            assertThat(after.cablePlan(i)).isEqualTo(before.cablePlan(i));
        }
        assertThat(Netfile.print(after)).isEqualTo(text);
        assertThat(text).contains("# \"one\" 4xFDR\n", "# \"other\" 0.6m 4xFDR10\n", " 5Gb/s\n");
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
                "Switch 2 \"a\";[1] \"b\"[1] # \"b\" 4xZDR;Hca 1 \"b\""
                        + "| line 2: \"4xZDR\" is no InfiniBand speed",
                "Switch 2 \"a\";[1] \"b\"[1] # \"b\" 3xHDR;Hca 1 \"b\" | line 2: a link of 3 lanes",
                "Switch 2 \"a\";[1] \"b\"[1] 4xHDR;Hca 1 \"b\";[1] \"a\"[1] 4xEDR"
                        + "| line 4: the cable is 4xEDR, but was 4xHDR at its other end",
                "Switch 2 \"a\";[1] \"b\"[1] w=4 s=2;Hca 1 \"b\" | line 2: w=, s= and e= are not"
                        + " read",
                "Switch two \"a\" | line 1: neither Switch, Ca nor [port]"
            })
    void whatIsNoFabricIsRefusedWithItsLine(String text, String reason) {
        List<String> lines = List.of(text.split(";"));
        assertThatThrownBy(() -> Netfile.parse("bad", lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
