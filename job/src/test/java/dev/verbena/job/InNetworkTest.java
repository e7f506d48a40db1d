package dev.verbena.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.collectives.Choice;
import dev.verbena.collectives.Communicator;
import dev.verbena.collectives.CommunicatorSettings;
import dev.verbena.collectives.RankFailedException;
import dev.verbena.collectives.Work;
import dev.verbena.collectives.element.ElementType;
import dev.verbena.collectives.element.Reduction;
import dev.verbena.collectives.link.Failure;
import dev.verbena.collectives.memory.RankMemory;
import dev.verbena.collectives.memory.Span;
import dev.verbena.collectives.plan.Algorithm;
import dev.verbena.collectives.plan.Costs;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Rails;
import dev.verbena.fabric.ReductionSettings;
import dev.verbena.fabric.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Operations of a communicator that switches carry out.
@Tag("in-network")
class InNetworkTest {
    private static final ReductionSettings OFFER = ReductionSettings.DEFAULT;

    private static Topology twoTiers(int leaves, int each) {
        return FatTree.twoTiers(each, leaves, 2).topology();
    }

    private static NetworkRanks ranks(String kind) {
        return new NetworkRanks(kind, twoTiers(3, 4), OFFER);
    }

    private static int value(int rank, long element) {
        return (int) ((rank * 7L + element * 3) % 5) + 1;
    }

    private static long right(Reduction reduction, int ranks, long element) {
        long result = value(0, element);
        for (int rank = 1; rank < ranks; rank++) {
            int next = value(rank, element);
            result =
                    switch (reduction) {
                        case SUM -> result + next;
                        case MIN -> Math.min(result, next);
                        case MAX -> Math.max(result, next);
                    };
        }
        return result;
    }

    private static void requireRight(RankMemory memory, ElementType type, Reduction by, int ranks) {
        for (long i = 0; i < memory.length() / type.bytes(); i++) {
            assertThat(Numbers.get(memory, type, i)).isEqualTo(right(by, ranks, i));
        }
    }

    private static RankMemory filled(Communicator rank, ElementType type, int count) {
        RankMemory memory = rank.allocate((long) count * type.bytes());
        for (int i = 0; i < count; i++) {
            Numbers.set(memory, type, i, value(rank.rank(), i));
        }
        return memory;
    }

    // ---- results

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void everyTypeIsReducedInAndOutOfPlace(ElementType type) {
        try (NetworkRanks ranks = ranks("roce")) {
            for (Reduction by : Reduction.values()) {
                for (int count : new int[] {1, 2500}) {
                    List<RankMemory> results = new ArrayList<>();
                    List<Work> works = new ArrayList<>();
                    ranks.run.measure(
                            rank -> {
                                RankMemory in = filled(rank, type, count);
                                RankMemory out = count == 1 ? in : rank.allocate(in.length());
                                results.add(out);
                                works.add(rank.allReduce(in.span(), out.span(), type, by));
                                return works.getLast();
                            });
                    results.forEach(it -> requireRight(it, type, by, ranks.size()));
                    assertThat(works)
                            .allMatch(it -> it.algorithm().orElseThrow() == Algorithm.IN_NETWORK);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void theRootAloneGetsAReduction(String kind) {
        try (NetworkRanks ranks = ranks(kind)) {
            List<RankMemory> inputs = new ArrayList<>();
            List<RankMemory> outputs = new ArrayList<>();
            ranks.run.measure(
                    rank -> {
                        inputs.add(filled(rank, ElementType.INT64, 999));
                        outputs.add(rank.allocate(999 * 8));
                        outputs.getLast().segment().fill((byte) 1);
                        return rank.reduce(
                                inputs.getLast().span(),
                                outputs.getLast().span(),
                                ElementType.INT64,
                                Reduction.SUM,
                                5);
                    });
            requireRight(outputs.get(5), ElementType.INT64, Reduction.SUM, 12);
            assertThat(outputs.get(4).segment().asByteBuffer().get(0)).isEqualTo((byte) 1);
            assertThat(Numbers.get(inputs.get(4), ElementType.INT64, 7)).isEqualTo(value(4, 7));
        }
    }

    @Test
    void aBarrierEndsAfterTheLastHasBegun() {
        try (NetworkRanks ranks = ranks("ib")) {
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 11; rank++) {
                works.add(ranks.rank(rank).barrier());
            }
            assertThat(ranks.run.run(() -> works.stream().anyMatch(Work::isOver), 300_000_000))
                    .isFalse();
            works.add(ranks.rank(11).barrier());
            assertThat(ranks.await(works)).isTrue();
            assertThat(works).allMatch(it -> it.endedNs() >= 300_000);
            assertThat(works.getFirst().algorithm()).contains(Algorithm.IN_NETWORK);
        }
    }

    @Test
    void operationsOfBothKindsFollowEachOther() {
        try (NetworkRanks ranks = ranks("roce")) {
            List<RankMemory> sums = new ArrayList<>();
            List<RankMemory> alls = new ArrayList<>();
            List<Work> works = new ArrayList<>();
            for (Communicator rank : ranks.run.ranks()) {
                RankMemory memory = filled(rank, ElementType.INT32, 3000);
                RankMemory all = rank.allocate(12 * 40);
                for (int i = 0; i < 2; i++) {
                    // The second sum is of results.
                    works.add(
                            rank.allReduce(
                                    memory.span(),
                                    memory.span(),
                                    ElementType.INT32,
                                    i == 0 ? Reduction.SUM : Reduction.MAX));
                    works.add(rank.allGather(memory.span(0, 40), all.span()));
                }
                sums.add(memory);
                alls.add(all);
            }
            assertThat(ranks.await(works)).isTrue();
            sums.forEach(it -> requireRight(it, ElementType.INT32, Reduction.SUM, 12));
            for (RankMemory all : alls) {
                for (int i = 0; i < 120; i++) {
                    assertThat(Numbers.get(all, ElementType.INT32, i))
                            .isEqualTo(right(Reduction.SUM, 12, i % 10));
                }
            }
        }
    }

    @Test
    void aProgramThatWaitsHasItsResultAtOnce() throws RankFailedException {
        long ns;
        try (NetworkRanks ranks = ranks("roce")) {
            algorithm(ranks, ElementType.INT32, 400);
            List<RankMemory> memories = ranks.floats(1, 1000);
            ns = ranks.run.measure(rank -> ranks.sum(rank.rank(), memories.get(rank.rank())));
        }
        try (NetworkRanks ranks = ranks("roce")) {
            algorithm(ranks, ElementType.INT32, 400);
            long startNs = ranks.fabric.nowPs() / 1000;
            List<Work> works = ranks.sums(ranks.floats(1, 1000));
            ranks.run.ranks().forEach(it -> it.progress(startNs));
            works.getFirst().await();
            assertThat(works.getFirst().endedNs() - startNs).isBetween(ns - 1000, ns);
        }
    }

    // ---- faults

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void lossAndDelayChangeNoBit(String kind) {
        List<byte[]> expected;
        try (NetworkRanks ranks = ranks(kind)) {
            expected = ranks.summed(9, 20_000);
        }
        for (int seed = 1; seed <= 4; seed++) {
            ReductionSettings offer = OFFER.withWindow(4 * seed);
            try (NetworkRanks ranks = new NetworkRanks(kind, twoTiers(3, 4), offer)) {
                for (int cable = 0; cable < ranks.fabric.topology().cables(); cable++) {
                    ranks.fabric.fault(CableFault.loss(cable, 0.02 * seed));
                }
                ranks.fabric.fault(CableFault.slow(seed, 0.2));
                assertThat(ranks.summed(9, 20_000)).containsExactlyElementsOf(expected);
            }
        }
    }

    // ---- choice

    @ParameterizedTest
    @CsvSource({"8,IN_NETWORK", "1048576,IN_NETWORK"})
    void theCostModelChoosesItWhereItIsFaster(int bytes, Algorithm expected) {
        Choice choice = Choice.of(Costs.infiniband(400));
        try (NetworkRanks ranks =
                new NetworkRanks("ib", twoTiers(3, 4), OFFER, it -> it.withChoice(choice))) {
            assertThat(algorithm(ranks, ElementType.FLOAT32, bytes)).isEqualTo(expected);
        }
    }

    @Test
    void theCostModelLeavesItWhereTheSwitchesAreSlow() {
        Choice choice = Choice.of(Costs.infiniband(400));
        ReductionSettings slow = OFFER.withBytesPerSecond(50_000_000_000L);
        try (NetworkRanks ranks =
                new NetworkRanks("ib", twoTiers(3, 4), slow, it -> it.withChoice(choice))) {
            assertThat(algorithm(ranks, ElementType.FLOAT32, 8)).isEqualTo(Algorithm.IN_NETWORK);
            assertThat(algorithm(ranks, ElementType.FLOAT32, 1 << 22))
                    .isNotEqualTo(Algorithm.IN_NETWORK);
        }
    }

    /// Carries out a sum, looks at the result, and says by which algorithm it was.
    private static Algorithm algorithm(NetworkRanks ranks, ElementType type, int bytes) {
        List<Work> works = new ArrayList<>();
        List<RankMemory> memories = new ArrayList<>();
        ranks.run.measure(
                rank -> {
                    memories.add(filled(rank, type, bytes / type.bytes()));
                    Span all = memories.getLast().span();
                    works.add(rank.allReduce(all, all, type, Reduction.SUM));
                    return works.getLast();
                });
        requireRight(memories.getFirst(), type, Reduction.SUM, ranks.size());
        requireRight(memories.getLast(), type, Reduction.SUM, ranks.size());
        memories.forEach(RankMemory::close);
        Algorithm first = works.getFirst().algorithm().orElseThrow();
        assertThat(works).allMatch(it -> it.algorithm().orElseThrow() == first);
        return first;
    }

    // ---- what the network does not have

    @Test
    void withoutAGroupAnotherAlgorithmDoesItAndThatIsSaidOnce() {
        try (NetworkRanks ranks = new NetworkRanks("roce", twoTiers(3, 4), OFFER.withGroups(1))) {
            assertThat(algorithm(ranks, ElementType.INT32, 4000)).isEqualTo(Algorithm.IN_NETWORK);
            List<Communicator> others =
                    ranks.run.ranks().stream().map(it -> it.with(s -> s)).toList();
            for (int i = 0; i < 2; i++) {
                List<Work> works = new ArrayList<>();
                List<RankMemory> memories = new ArrayList<>();
                for (Communicator rank : others) {
                    RankMemory memory = filled(rank, ElementType.INT32, 1000 + i);
                    memories.add(memory);
                    works.add(
                            rank.allReduce(
                                    memory.span(),
                                    memory.span(),
                                    ElementType.INT32,
                                    Reduction.SUM));
                }
                while (!works.stream().allMatch(Work::isOver)) {
                    others.forEach(it -> it.progress(ranks.fabric.nowPs() / 1000));
                    ranks.fabric.run(ranks.fabric.nowPs() + 1_000_000);
                }
                memories.forEach(it -> requireRight(it, ElementType.INT32, Reduction.SUM, 12));
                assertThat(works)
                        .allMatch(it -> it.algorithm().orElseThrow() != Algorithm.IN_NETWORK);
            }
            assertThat(others.getFirst().network().text())
                    .contains("reduces for 1 group already, its limit");
            for (Communicator rank : others) {
                assertThat(rank.notes()).hasSize(1);
                assertThat(rank.notes().getFirst())
                        .contains("not carried out in the network", "its limit");
            }
            assertThat(ranks.rank(0).notes()).isEmpty();
            others.forEach(Communicator::close);
        }
    }

    @Test
    void aGroupIsFreeAgainWhenItsRanksHaveClosed() {
        try (NetworkRanks ranks = new NetworkRanks("ib", twoTiers(2, 3), OFFER.withGroups(1))) {
            assertThat(algorithm(ranks, ElementType.INT32, 64)).isEqualTo(Algorithm.IN_NETWORK);
            List<Communicator> others =
                    ranks.run.ranks().stream().map(it -> it.with(s -> s)).toList();
            ranks.run.ranks().forEach(Communicator::close);
            assertThat(others).allMatch(it -> it.network().costs() != null);
            others.forEach(Communicator::close);
        }
    }

    @Test
    void typesThatSwitchesDoNotCombineGoAnotherWay() {
        ReductionSettings offer = OFFER.withTypes(Set.of("int32", "int64"));
        try (NetworkRanks ranks = new NetworkRanks("roce", twoTiers(2, 3), offer)) {
            assertThat(algorithm(ranks, ElementType.INT32, 4000)).isEqualTo(Algorithm.IN_NETWORK);
            assertThat(algorithm(ranks, ElementType.FLOAT32, 4000))
                    .isNotEqualTo(Algorithm.IN_NETWORK);
            assertThat(algorithm(ranks, ElementType.FLOAT32, 400))
                    .isNotEqualTo(Algorithm.IN_NETWORK);
            assertThat(ranks.rank(1).notes()).hasSize(1);
            assertThat(ranks.rank(1).notes().getFirst()).contains("elements of type float32");
        }
    }

    @Test
    void aBufferThatIsTooSmallIsARefusal() {
        try (NetworkRanks ranks =
                new NetworkRanks("roce", twoTiers(2, 3), OFFER.withBufferBytes(20_000))) {
            assertThat(algorithm(ranks, ElementType.INT32, 400)).isNotEqualTo(Algorithm.IN_NETWORK);
            assertThat(ranks.rank(3).network().text()).contains("bytes of buffer left");
        }
    }

    @Test
    void aNetworkThatOffersNothingIsNamedWhenItIsAskedFor() {
        try (NetworkRanks ranks =
                new NetworkRanks("roce", twoTiers(2, 3), ReductionSettings.NONE)) {
            assertThat(algorithm(ranks, ElementType.INT32, 400)).isNotEqualTo(Algorithm.IN_NETWORK);
            assertThat(ranks.rank(0).notes()).hasSize(1);
            assertThat(ranks.rank(0).notes().getFirst()).contains("offers no reductions");
        }
        Choice byCost = Choice.of(Costs.roce(400));
        try (NetworkRanks ranks =
                new NetworkRanks(
                        "roce",
                        twoTiers(2, 3),
                        ReductionSettings.NONE,
                        it -> it.withChoice(byCost))) {
            assertThat(algorithm(ranks, ElementType.INT32, 400)).isNotEqualTo(Algorithm.IN_NETWORK);
            assertThat(ranks.rank(0).notes()).isEmpty();
        }
    }

    // ---- ranks that fail

    @Test
    void aRankThatDiesIsNamedByAllOthersWhichGoOnWithoutIt() {
        try (NetworkRanks ranks = ranks("roce")) {
            algorithm(ranks, ElementType.INT32, 4000);
            List<Work> works = ranks.sums(ranks.floats(1, 100_000));
            assertThat(ranks.run.run(() -> false, ranks.fabric.nowPs() + 3_000_000)).isFalse();
            works.remove(7);
            ranks.run.forget(7);
            ranks.run.device(7).close();
            assertThat(ranks.await(works)).isTrue();
            List<Communicator> rest = new ArrayList<>();
            for (Communicator rank : ranks.run.ranks()) {
                if (rank.rank() != 7) {
                    assertThat(failure(rank))
                            .isEqualTo(new Failure(7, "host 7 has closed its device"));
                    rest.add(rank.without(List.of(7)));
                }
            }
            assertThat(works).noneMatch(Work::isDone);
            assertThat(summedBy(rest, ranks)).isEqualTo(Algorithm.IN_NETWORK);
            rest.forEach(Communicator::close);
        }
    }

    private static Failure failure(Communicator rank) {
        return Objects.requireNonNull(rank.failure(), "it has failed");
    }

    private static int culprit(NetworkRanks ranks, int rank) {
        return failure(ranks.rank(rank)).rank();
    }

    private static Algorithm summedBy(List<Communicator> some, NetworkRanks ranks) {
        List<Work> works = new ArrayList<>();
        List<RankMemory> memories = new ArrayList<>();
        for (Communicator rank : some) {
            memories.add(filled(rank, ElementType.INT32, 5000));
            Span all = memories.getLast().span();
            works.add(rank.allReduce(all, all, ElementType.INT32, Reduction.SUM));
        }
        while (!works.stream().allMatch(Work::isOver)) {
            some.forEach(it -> it.progress(ranks.fabric.nowPs() / 1000));
            ranks.fabric.run(ranks.fabric.nowPs() + 1_000_000);
        }
        memories.forEach(it -> requireRight(it, ElementType.INT32, Reduction.SUM, some.size()));
        return works.getFirst().algorithm().orElseThrow();
    }

    @Test
    void anAbortReachesRanksToWhichThereIsNoLink() {
        try (NetworkRanks ranks = ranks("ib")) {
            List<Work> works = ranks.sums(ranks.floats(1, 1000), 4);
            ranks.fabric.run(10_000_000);
            ranks.rank(4).abort("its input is missing");
            assertThat(ranks.await(works)).isTrue();
            assertThat(ranks.run.ranks())
                    .allMatch(it -> failure(it).equals(new Failure(4, "its input is missing")));
        }
    }

    @Test
    void aRankThatHasClosedIsNamed() {
        try (NetworkRanks ranks = ranks("roce")) {
            algorithm(ranks, ElementType.INT32, 4000);
            List<RankMemory> memories = ranks.floats(1, 1000);
            ranks.run.forget(2);
            ranks.rank(2).close();
            List<Work> works = ranks.sums(memories, 2);
            assertThat(ranks.await(works)).isTrue();
            assertThat(culprit(ranks, 0)).isEqualTo(2);
            assertThat(failure(ranks.rank(0)).reason()).contains("host 2 has left");
        }
    }

    @Test
    void aRankThatNeverComesIsNamedInTheEnd() {
        try (NetworkRanks ranks = ranks("roce")) {
            List<Work> works = ranks.sums(ranks.floats(1, 1000), 9);
            assertThat(ranks.await(works)).isTrue();
            assertThat(works).noneMatch(Work::isDone);
            assertThat(culprit(ranks, 0)).isEqualTo(9);
        }
    }

    @Test
    void aCableThatIsCutNamesTheRankBehindIt() {
        try (NetworkRanks ranks = ranks("ib")) {
            algorithm(ranks, ElementType.INT32, 4000);
            long nowPs = ranks.fabric.nowPs();
            ranks.fabric.fault(CableFault.down(6, nowPs + 1_000_000, Long.MAX_VALUE / 2));
            List<Work> works = ranks.sums(ranks.floats(1, 100_000));
            assertThat(ranks.await(works)).isTrue();
            assertThat(culprit(ranks, 1)).isEqualTo(6);
        }
    }

    @Test
    void anotherReductionAtOneRankIsAFailureThatNamesIt() {
        try (NetworkRanks ranks = ranks("roce")) {
            List<RankMemory> memories = ranks.floats(1, 1000);
            List<Work> works = ranks.sums(memories, 10);
            Span all = memories.get(10).span();
            works.add(ranks.rank(10).allReduce(all, all, ElementType.FLOAT32, Reduction.MAX));
            assertThat(ranks.await(works)).isTrue();
            assertThat(culprit(ranks, 3)).isEqualTo(10);
            assertThat(failure(ranks.rank(3)).reason()).contains("another operation");
        }
    }

    // ---- GPU hosts

    @Test
    void ranksOfGpuHostsReduceThroughTheirNics() {
        JobLayout layout = JobLayout.of(4, 4);
        Topology rails = Rails.ofRadix(4, 4, 16, false).topology();
        var settings = NetworkRanks.settings("ib").withReduction(OFFER);
        Fabric fabric = new Fabric(layout.topology(rails, settings), settings);
        try (RankRun run = new RankRun(fabric, layout, _ -> {}, InNetworkTest::inNetwork)) {
            List<RankMemory> results = new ArrayList<>();
            run.measure(
                    rank -> {
                        results.add(filled(rank, ElementType.INT32, 5000));
                        Span all = results.getLast().span();
                        Work work = rank.allReduce(all, all, ElementType.INT32, Reduction.SUM);
                        assertThat(work.algorithm()).contains(Algorithm.IN_NETWORK);
                        return work;
                    });
            results.forEach(it -> requireRight(it, ElementType.INT32, Reduction.SUM, 16));
        }
    }

    private static CommunicatorSettings inNetwork(CommunicatorSettings it) {
        return it.withChoice(it.choice().prefer(Algorithm.IN_NETWORK));
    }

    @Test
    void ranksThatShareANicGoAnotherWay() {
        JobLayout layout = JobLayout.of(2, 2).withNics(1);
        var settings = NetworkRanks.settings("roce").withReduction(OFFER);
        Topology all = layout.topology(FatTree.single(2).topology(), settings);
        try (RankRun run =
                new RankRun(new Fabric(all, settings), layout, _ -> {}, InNetworkTest::inNetwork)) {
            Communicator first = run.ranks().getFirst();
            assertThat(first.network().costs()).isNull();
            assertThat(first.network().text()).contains("a group takes one for each NIC");
        }
    }

    @Test
    void withoutGpuDirectCopiesOverlapWithPackets() {
        HostCopy copy = new HostCopy(10e9, 1000, 1);
        JobLayout layout = JobLayout.flat(4).withCopy(copy);
        double direct = ns(JobLayout.flat(4), 1 << 22);
        double copied = ns(layout, 1 << 22);
        // Of the copies, which take longest, one direction hides the other and the packets: what
        // is left are the first and the last piece, of 32.
        double busy = copy.busyNs(1 << 22);
        double pieces = 32;
        double form = busy + pieces * 1000 + busy / pieces + 1000 + direct / pieces;
        assertThat(copied).isBetween(0.97 * form, 1.03 * form);
        assertThat(copied).isLessThan(direct + 2 * busy);
    }

    private static double ns(JobLayout layout, int bytes) {
        var settings = NetworkRanks.settings("ib").withReduction(OFFER);
        Fabric fabric = new Fabric(FatTree.single(layout.nics()).topology(), settings);
        try (RankRun run = new RankRun(fabric, layout, _ -> {}, InNetworkTest::inNetwork)) {
            List<RankMemory> results = new ArrayList<>();
            long ns =
                    run.measure(
                            rank -> {
                                results.add(filled(rank, ElementType.INT32, bytes / 4));
                                Span all = results.getLast().span();
                                return rank.allReduce(all, all, ElementType.INT32, Reduction.SUM);
                            });
            results.forEach(it -> requireRight(it, ElementType.INT32, Reduction.SUM, 4));
            return ns;
        }
    }
}
