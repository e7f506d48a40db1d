package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FlowPathsTest {
    private static final Topology TREE = FatTree.threeTiers(4, 4).topology();

    private static FabricSettings roce(FabricKind.Spread spread) {
        return FabricSettings.ROCE.withKind(FabricKind.Ethernet.DEFAULT.withSpread(spread));
    }

    private static List<String> names(FlowPaths paths, int from, int to, int entropy) {
        int[] links = new int[10];
        int count = paths.links(from, to, entropy, links);
        assertThat(count).isPositive();
        return Arrays.stream(links, 0, count).mapToObj(paths::name).toList();
    }

    /// The ports that sent as many bytes as a flow has.
    private static Set<String> busy(Fabric fabric, long bytes) {
        return fabric.ports().stream()
                .filter(port -> port.busy() * fabric.nowPs() > 20.0 * bytes)
                .map(port -> port.node() + " to " + port.neighbour())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @CsvSource({"roce,0,63", "roce,5,6", "roce,17,44", "ib,0,63", "ib,33,2", "fixed,3,60"})
    void aFlowsPacketsTakeTheLinksOfItsPath(String kind, int from, int to) {
        FabricSettings settings =
                switch (kind) {
                    case "ib" -> FabricSettings.INFINIBAND;
                    case "fixed" -> roce(FabricKind.Spread.FIXED);
                    default -> FabricSettings.ROCE;
                };
        Fabric fabric = new Fabric(TREE, settings);
        long bytes = 1 << 20;
        FlowRun run = new FlowRun(fabric, List.of(Flow.of(from, to, bytes)), _ -> {});
        assertThat(run.run(1_000_000_000_000L)).isTrue();

        FlowPaths paths = new FlowPaths(TREE, settings);
        Set<String> taken = busy(fabric, bytes);
        boolean isFound = false;
        for (int entropy = 0; entropy < 200 && !isFound; entropy++) {
            isFound = new TreeSet<>(names(paths, from, to, entropy)).equals(taken);
        }
        // Of the paths that there are, by entropy where a hash chooses, one is that of the packets.
        assertThat(isFound).as("%s", taken).isTrue();
        assertThat(names(paths, from, to, 0).getFirst()).startsWith(TREE.hostName(from) + " to");
        assertThat(names(paths, from, to, 0).getLast()).endsWith(" to " + TREE.hostName(to));
    }

    @Test
    void hashesOfTwoTiersDoNotDependOnEachOther() {
        FlowPaths paths = new FlowPaths(TREE, FabricSettings.ROCE);
        Set<List<String>> found = new HashSet<>();
        for (int entropy = 0; entropy < 2000; entropy++) {
            found.add(names(paths, 0, 63, entropy).subList(1, 3));
        }
        // Four uplinks of the leaf, and four of the switch above each.
        assertThat(found).hasSize(16);
    }

    @Test
    void whatCreditsDoNotBringBackIsNotCarried() {
        Topology two = FatTree.single(2).topology();
        FabricSettings near =
                FabricSettings.INFINIBAND.withCable(Cable.ofMetres(Rate.gbits(400), 10));
        FabricSettings far =
                FabricSettings.INFINIBAND.withCable(Cable.ofMetres(Rate.gbits(400), 200));
        assertThat(new FlowPaths(two, near).bitsPerSecond(0)).isEqualTo(400_000_000_000L);
        assertThat(new FlowPaths(two, near).isHeldByCredits()).isFalse();
        assertThat(new FlowPaths(two, far).isHeldByCredits()).isTrue();
        // Seen: 16 MiB from one host to another take 664 to 673 us.
        long bits = new FlowPaths(two, far).bitsPerSecond(0);
        assertThat((double) bits).isBetween(0.45 * 400e9, 0.52 * 400e9);
    }

    @Test
    void planesAreApart() {
        Topology planes = Rails.ofRadix(4, 2, 8, true).topology();
        FlowPaths paths = new FlowPaths(planes, FabricSettings.INFINIBAND);
        assertThat(paths.links(0, 1, 0, new int[10])).isEqualTo(FlowPaths.NOWHERE);
        assertThat(paths.links(0, 2, 0, new int[10])).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(FabricKind.Spread.class)
    void packetsOfSeveralWaysHaveNoPath(FabricKind.Spread spread) {
        boolean hasOne =
                switch (spread) {
                    case ECMP, WEIGHTED, FIXED -> true;
                    case FLOWLET, ADAPTIVE, SPRAY -> false;
                };
        if (!hasOne) {
            assertThatThrownBy(() -> new FlowPaths(TREE, roce(spread)))
                    .hasMessageContaining("use ecmp, weighted or fixed");
        } else {
            assertThat(new FlowPaths(TREE, roce(spread)).links()).isEqualTo(2 * TREE.cables());
        }
    }
}
