package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.NetworkReduction.Answer;
import dev.verbena.verbs.spi.NetworkReduction.Failure;
import dev.verbena.verbs.spi.NetworkReduction.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Vectors are combined in switches, whatever happens to packets.
class ReductionTest {
    private static final ReductionSettings OFFER = ReductionSettings.DEFAULT;

    static FabricSettings settings(String kind) {
        FabricSettings usual = kind.equals("ib") ? FabricSettings.INFINIBAND : FabricSettings.ROCE;
        return usual.withReduction(OFFER);
    }

    static Topology twoTiers(int hosts, int perLeaf) {
        return FatTree.twoTiers(perLeaf, hosts / perLeaf, 2).topology();
    }

    private static List<Integer> hosts(int... of) {
        return IntStream.of(of).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource({"roce,1", "roce,8", "roce,4096", "roce,4100", "roce,100000", "ib,8", "ib,100000"})
    void everyHostGetsTheSumInTheOrderOfPorts(String kind, int bytes) {
        for (Topology topology : List.of(FatTree.single(5).topology(), twoTiers(12, 4))) {
            ReducingHosts hosts = new ReducingHosts(topology, settings(kind));
            List<Member> members = hosts.members(1);
            int count = Math.ceilDiv(bytes, 4);
            List<float[]> results = hosts.allReduce(members, 7, count, null);
            assertThat(results).containsOnly(hosts.sum(7, count));
        }
    }

    @Test
    void threeTiersHaveOneRootForAll() {
        ReducingHosts hosts =
                new ReducingHosts(FatTree.threeTiers(4, 4).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        List<float[]> results = hosts.allReduce(members, 3, 5000, null);
        for (int i = 1; i < results.size(); i++) {
            assertThat(results.get(i)).isEqualTo(results.getFirst());
        }
        float[] sum = new float[5000];
        for (int host = 0; host < hosts.size(); host++) {
            float[] own = ReducingHosts.numbers(3, host, 5000);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += own[i];
            }
        }
        for (int i = 0; i < sum.length; i++) {
            // 16 numbers of at most 500,000 with 24 bits each.
            assertThat(results.getFirst()[i]).isCloseTo(sum[i], within(16));
        }
        assertThat(members.getFirst().description()).contains("3 tiers");
    }

    private static org.assertj.core.data.Offset<Float> within(float bound) {
        return org.assertj.core.data.Offset.offset(bound);
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ib"})
    void lossChangesNoBit(String kind) {
        long repeats = 0;
        for (long seed = 1; seed <= 6; seed++) {
            Topology topology = twoTiers(12, 4);
            FabricSettings settings = settings(kind).withSeed(seed);
            ReducingHosts hosts =
                    new ReducingHosts(
                            topology, settings.withReduction(OFFER.withWindow((int) seed)));
            for (int cable = 0; cable < topology.cables(); cable++) {
                hosts.fabric.fault(CableFault.loss(cable, 0.03 * seed));
            }
            List<Member> members = hosts.members(1);
            for (int i = 0; i < 4; i++) {
                List<float[]> results = hosts.allReduce(members, seed + i, 9000 * i + 1, null);
                assertThat(results).containsOnly(hosts.sum(seed + i, 9000 * i + 1));
            }
            repeats += hosts.repeats(members);
            members.forEach(Member::close);
        }
        assertThat(repeats).isPositive();
    }

    @Test
    void delayChangesNoBit() {
        for (long seed = 1; seed <= 5; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ReducingHosts hosts = new ReducingHosts(twoTiers(12, 4), settings("roce"));
            hosts.fabric.fault(CableFault.slow(random.nextInt(12), 0.1));
            List<Member> members = hosts.members(1);
            List<float[]> results =
                    hosts.allReduce(members, seed, 40_000, _ -> random.nextLong(3_000_000));
            assertThat(results).containsOnly(hosts.sum(seed, 40_000));
        }
    }

    @Test
    void nothingIsSentAgainWithoutLoss() {
        ReducingHosts hosts = new ReducingHosts(twoTiers(12, 4), settings("ib"));
        List<Member> members = hosts.members(1);
        hosts.allReduce(members, 1, 100_000, null);
        assertThat(hosts.repeats(members)).isZero();
    }

    @Test
    void oneLossIsRepairedByFewPackets() {
        ReducingHosts hosts = new ReducingHosts(twoTiers(12, 4), settings("roce"));
        // An uplink of a leaf is down while results come down.
        int uplink =
                IntStream.range(0, 24).filter(hosts.fabric.topology()::isUplink).min().orElse(0);
        List<Member> members = hosts.members(1);
        hosts.fabric.fault(CableFault.down(uplink, 6_000_000, 6_100_000));
        hosts.allReduce(members, 1, 100_000, null);
        // Of 1,176 packets: some seven were on the cable in each direction. All twelve hosts repeat
        // those that went up, four those that came down; the leaf asks once for all.
        assertThat(hosts.repeats(members)).isBetween(1L, 200L);
        assertThat(hosts.switchRepeats()).isPositive();
    }

    @Test
    void operationsFollowEachOther() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(4).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        List<LocalSlice> memories = new ArrayList<>();
        for (int host = 0; host < 4; host++) {
            LocalSlice memory = hosts.memory(host, 4 * 30);
            memories.add(memory);
            ReducingHosts.fill(memory, ReducingHosts.numbers(1, host, 30));
            for (int i = 0; i < 10; i++) {
                LocalSlice part = memory.slice(12L * i, 12);
                members.get(host).post(12, part, part, ReducingHosts.SUM);
            }
        }
        assertThat(hosts.await(members, 10)).isPositive();
        for (LocalSlice memory : memories) {
            assertThat(ReducingHosts.read(memory)).isEqualTo(hosts.sum(1, 30));
        }
    }

    @Test
    void aMemberMayDoWithoutTheResult() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(3).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        List<LocalSlice> inputs = new ArrayList<>();
        LocalSlice result = hosts.memory(1, 400);
        for (int host = 0; host < 3; host++) {
            LocalSlice input = hosts.memory(host, 400);
            inputs.add(input);
            ReducingHosts.fill(input, ReducingHosts.numbers(5, host, 100));
            members.get(host).post(400, input, host == 1 ? result : null, ReducingHosts.SUM);
        }
        hosts.await(members, 1);
        assertThat(ReducingHosts.read(result)).isEqualTo(hosts.sum(5, 100));
        assertThat(ReducingHosts.read(inputs.get(2))).isEqualTo(ReducingHosts.numbers(5, 2, 100));
    }

    @Test
    void aBarrierEndsAfterTheLastHasBegun() {
        ReducingHosts hosts = new ReducingHosts(twoTiers(8, 4), settings("ib"));
        List<Member> members = hosts.members(1);
        for (int host = 0; host < 7; host++) {
            members.get(host).post(0, null, null, ReducingHosts.SUM);
        }
        hosts.fabric.run(300_000_000);
        assertThat(members).allMatch(it -> it.done() == 0);
        members.get(7).post(0, null, null, ReducingHosts.SUM);
        assertThat(hosts.await(members, 1)).isGreaterThan(300_000_000);
    }

    @Test
    void allMembersAreRefusedWhenASwitchHasNoGroupLeft() {
        FabricSettings settings = settings("roce").withReduction(OFFER.withGroups(1));
        ReducingHosts hosts = new ReducingHosts(twoTiers(8, 4), settings);
        List<Member> first = hosts.members(1, hosts(0, 1));
        assertThat(hosts.answers(2, hosts(2, 6)))
                .extracting(Answer::refusal)
                .containsOnly("leaf 0 reduces for 1 group already, its limit");
        // The other leaf is free, and so is this one when its group has ended.
        hosts.members(3, hosts(6, 7)).forEach(Member::close);
        first.getFirst().close();
        assertThat(hosts.join(4, 0, hosts(2, 6)).member()).isNull();
        assertThat(hosts.join(4, 1, hosts(2, 6)).member()).isNull();
        first.getLast().close();
        assertThat(hosts.members(2, hosts(2, 6))).hasSize(2);
    }

    @Test
    void aGroupHasAsManyPlacesAsTheBufferOfASwitch() {
        long place = 4 * 4096;
        ReductionSettings offer = OFFER.withBufferBytes(6 * place + 1);
        FabricSettings settings = settings("ib").withReduction(offer);
        ReducingHosts hosts = new ReducingHosts(twoTiers(16, 4), settings);
        List<Member> members = hosts.members(1);
        assertThat(members.getFirst().description())
                .isEqualTo(
                        "a tree of 5 switches in 2 tiers, with up to 4 children, 3 packets under"
                                + " way");
        hosts.allReduce(members, 1, 50_000, null);
        assertThat(hosts.join(2, 0, hosts(0, 1)).refusal())
                .isEqualTo(
                        "leaf 0 has 1 bytes of buffer left, and packets of 2 children need at "
                                + "least 16,384");
    }

    @Test
    void refusesWhatTheTreeCannotReach() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(3).topology(), settings("roce"));
        assertThat(hosts.answers(1, hosts(0, 1, 0)))
                .extracting(Answer::refusal)
                .containsOnly("two members are at host 0, and a group takes one for each NIC");
        NetworkReduction offer = NetworkReduction.of(hosts.devices.getFirst()).orElseThrow();
        Address elsewhere = Address.to(dev.verbena.verbs.Gid.parse("192.0.2.1"));
        assertThat(offer.join(2, 0, List.of(hosts.addresses.getFirst(), elsewhere)).refusal())
                .isEqualTo("member 1 is at no host of this fabric");
        Fabric plain = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
        assertThat(NetworkReduction.of(plain.open(0))).isEmpty();
    }

    @Test
    void membersThatDisagreeFailTogether() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(3).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        int[] told = {0};
        for (int host = 0; host < 3; host++) {
            members.get(host).onDone(() -> told[0]++);
            LocalSlice memory = hosts.memory(host, 64);
            boolean isOther = host == 2;
            members.get(host)
                    .post(
                            64,
                            memory,
                            memory,
                            isOther ? ReducingHosts.another() : ReducingHosts.SUM);
        }
        hosts.fabric.run(1_000_000_000);
        assertThat(members)
                .allMatch(it -> it.done() == 0)
                .extracting(Member::failure)
                .containsOnly(
                        new Failure(
                                2,
                                "leaf 0: the child at port 2 has begun another operation than the"
                                        + " one at port 0"));
        assertThat(told[0]).isEqualTo(3);
    }

    @Test
    void memoryThatIsClosedTooEarlyEndsTheGroup() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(2).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        LocalSlice memory = hosts.memory(0, 64);
        members.get(0).post(64, memory, memory, ReducingHosts.SUM);
        memory.region().close();
        LocalSlice other = hosts.memory(1, 64);
        members.get(1).post(64, other, other, ReducingHosts.SUM);
        hosts.fabric.run(1_000_000_000);
        assertThat(members.get(1).failure())
                .isEqualTo(
                        new Failure(
                                0, "host 0 has closed memory of an operation that was not over"));
    }

    @Test
    void refusesMemoryThatDoesNotFit() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(2).topology(), settings("roce"));
        Member member = hosts.members(1).getFirst();
        LocalSlice own = hosts.memory(0, 64);
        LocalSlice short60 = own.slice(0, 60);
        assertThatThrownBy(() -> member.post(64, own, short60, ReducingHosts.SUM))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("64 bytes in a slice of 60");
        assertThatThrownBy(() -> member.post(62, own, own, ReducingHosts.SUM))
                .hasMessageContaining("62 bytes with elements of 4");
        LocalSlice phantom = hosts.phantom(0, 64);
        assertThatThrownBy(() -> member.post(64, own, phantom, ReducingHosts.SUM))
                .hasMessageContaining("phantom and real memory");
        LocalSlice other = hosts.memory(1, 64);
        assertThatThrownBy(() -> member.post(64, other, other, ReducingHosts.SUM))
                .hasMessageContaining("another device's");
    }

    @Test
    void givesEveryPacketBack() {
        ReducingHosts hosts = new ReducingHosts(twoTiers(12, 4), settings("roce"));
        for (int cable = 0; cable < 18; cable++) {
            hosts.fabric.fault(CableFault.loss(cable, 0.02));
        }
        List<Member> members = hosts.members(1);
        hosts.allReduce(members, 1, 60_000, null);
        members.forEach(Member::close);
        hosts.fabric.run(Long.MAX_VALUE);
        assertThat(hosts.fabric.pool().out()).isZero();
    }

    @Test
    void aGroupEndsWithADeviceThatIsClosed() {
        ReducingHosts hosts = new ReducingHosts(FatTree.single(3).topology(), settings("roce"));
        List<Member> members = hosts.members(1);
        hosts.devices.get(2).close();
        assertThat(members.getFirst().failure())
                .isEqualTo(new Failure(2, "host 2 has closed its device"));
    }
}
