package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Four senders in two priorities to one receiver: the switch's port to him chooses.
class EtsTest {
    private static final int RECEIVER = 4;

    /// The part of the link that priority 3 has beside priority 0.
    private static double share(Ets ets) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        Fabric fabric =
                new Fabric(
                        FatTree.single(5).topology(),
                        Anchor.ethernet().withKind(kind.withEts(ets)));
        Stream stream = new Stream(fabric);
        for (int host = 0; host < RECEIVER; host++) {
            stream.send(host, RECEIVER, host % 2 == 0 ? 0 : 3, 20_000, 0);
        }
        OutPort port = ((EthernetSwitch) fabric.node(5)).port(RECEIVER);
        fabric.run(50_000_000);
        long[] before = port.sentByLane();
        fabric.run(450_000_000);
        long[] after = port.sentByLane();
        double third = after[3] - before[3];
        return third / (third + after[0] - before[0]);
    }

    private static Ets shares(int first, int third) {
        return new Ets(0, List.of(first, 1, 1, third, 1, 1, 1, 1));
    }

    @Test
    void prioritiesThatWaitHaveTheirShares() {
        assertThat(share(shares(1, 1))).isBetween(0.495, 0.505);
        assertThat(share(shares(1, 3))).isBetween(0.745, 0.755);
        assertThat(share(shares(7, 1))).isBetween(0.120, 0.130);
    }

    @Test
    void aStrictPriorityTakesAllThatItCanUse() {
        assertThat(share(new Ets(1 << 3, Ets.EQUAL.shares()))).isEqualTo(1.0);
    }
}
