package dev.verbena.job.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Collective;
import dev.verbena.fabric.Cable;
import dev.verbena.fabric.CablePlan;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rate;
import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Wiring;
import dev.verbena.job.JobLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rates are max-min fair at every instant of an operation.
class SharesTest {
    private static FlowRun run(Topology topology, Algorithm by, long seed) {
        CommunicatorSettings settings = CommunicatorSettings.of(() -> 0);
        return new FlowRun(
                topology,
                FabricSettings.ROCE.withCable(Cable.ofMetres(Rate.gbits(400), 10)).withSeed(seed),
                JobLayout.flat(topology.hosts()),
                settings.withWindow(8).withChoice(settings.choice().prefer(by)),
                QueuePairs.of(seed));
    }

    /// What is wrong with the rates now; empty where they are max-min fair.
    private static String wrong(FlowRun run) {
        int links = run.shares().links();
        double[] sum = new double[links];
        double[] most = new double[links];
        for (int i = 0; i < run.channels(); i++) {
            Channel channel = run.channel(i);
            if (channel.isActive()) {
                for (int link : channel.way.links) {
                    sum[link] += channel.rate();
                    most[link] = Math.max(most[link], channel.rate());
                }
            }
        }
        for (int link = 0; link < links; link++) {
            if (sum[link] > capacity(run, link) * 1.000001) {
                return "link %d carries %f, above %f"
                        .formatted(link, sum[link], capacity(run, link));
            }
        }
        for (int i = 0; i < run.channels(); i++) {
            Channel channel = run.channel(i);
            boolean isHeld = !channel.isActive();
            for (int link : channel.way.links) {
                boolean isFull = sum[link] > capacity(run, link) * 0.999999;
                isHeld |= isFull && channel.rate() >= most[link] * 0.999999;
            }
            if (!isHeld) {
                return "channel %d has %f, and no link holds it back".formatted(i, channel.rate());
            }
        }
        return "";
    }

    private static double capacity(FlowRun run, int link) {
        return run.shares().capacity(link) / 1e12;
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4"})
    void noRateCanGrowButAtTheCostOfALowerOne(long seed, double oversubscription) {
        Topology tree = FatTree.ofRadix(24, 2, 12, oversubscription).topology();
        FlowRun run = run(tree, Algorithm.PAIRWISE, seed);
        int[] instants = {0};
        run.onInstant(
                () -> {
                    assertThat(wrong(run)).as("seed %d", seed).isEmpty();
                    instants[0]++;
                });
        run.measure(new FlowCall(Collective.ALL_TO_ALL, 300_000, 1, 0, 1 << 17));
        assertThat(instants[0]).isGreaterThan(1000);
        assertThat(run.solved()).isGreaterThan(100);
    }

    /// Two hosts send over a slow uplink, a third shares only the port of the receiver with them.
    @Test
    void whatOneLinkHoldsBackIsLeftToOthers() {
        Wiring wiring = new Wiring("uneven");
        int left = wiring.addSwitch("left", 4);
        int right = wiring.addSwitch("right", 4);
        wiring.join(left, 3, right, 3, CablePlan.USUAL.withRate(Rate.gbits(100)));
        wiring.addHost("root", right, 0);
        wiring.addHost("a", left, 0);
        wiring.addHost("b", left, 1);
        wiring.addHost("c", right, 1);
        FlowRun run = run(wiring.topology(), Algorithm.PAIRWISE, 1);
        List<String> seen = new ArrayList<>();
        run.onInstant(() -> seen.add(rates(run)));
        run.measure(new FlowCall(Collective.GATHER, 1 << 17, 1, 0, 1 << 17));
        assertThat(seen).contains("50 50 300");
    }

    /// Of the channels to rank 0, by rank, in Gb/s.
    private static String rates(FlowRun run) {
        long[] found = new long[4];
        for (int i = 0; i < run.channels(); i++) {
            Channel channel = run.channel(i);
            if (channel.isActive() && channel.to.number == 0) {
                found[channel.from.number] += Math.round(channel.rate() * 1000);
            }
        }
        return "%d %d %d".formatted(found[1], found[2], found[3]);
    }

    @Test
    void anIncastTakesTheTimeOfThePortThatAllShare() {
        Topology one = FatTree.single(9).topology();
        FlowRun run = run(one, Algorithm.PAIRWISE, 1);
        long part = 1 << 22;
        long ns = run.measure(new FlowCall(Collective.GATHER, part, 1, 0, 1 << 17));
        double packets = 8.0 * part / 4096;
        // 4,178 bytes a packet at 50 bytes a nanosecond, and one way and back beside it.
        double wireNs = packets * (16 + 4096 + 46 + 20) / 50;
        assertThat((double) ns).isBetween(wireNs, 1.02 * wireNs + 4000);
    }
}
