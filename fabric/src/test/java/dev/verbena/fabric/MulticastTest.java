package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Copies in switches: each member has one, and each cable carries one.
class MulticastTest {
    private static final int KEY = 0x1234;
    private static final int BYTES = 1000;
    private static final List<Byte> OF_0 = List.of((byte) 1);
    private static final List<Byte> OF_5 = List.of((byte) 6);
    private static final List<Byte> EITHER = List.of((byte) 1, (byte) 6);

    private static Stream<FabricSettings> kinds() {
        return Stream.of(
                FabricSettings.ROCE,
                FabricSettings.INFINIBAND,
                FabricSettings.INFINIBAND.withNic(NicProfile.ADAPTER_400G));
    }

    private static Gid group(Fabric fabric) {
        return fabric.settings().layer() == LinkLayer.ETHERNET
                ? Gid.parse("239.1.2.3")
                : Gid.parse("ff12::77");
    }

    /// A host with a datagram queue pair.
    private static final class Member {
        private final ProtectionDomain domain;
        private final CompletionQueue done;
        private final MemoryRegion memory;
        private final QueuePair pair;

        Member(Fabric fabric, int host) {
            Device device = fabric.open(host);
            domain = device.protectionDomain();
            done = device.completionQueue(256);
            memory = domain.allocate(1 << 16, Access.LOCAL_WRITE);
            pair = domain.queuePair(QueuePairType.UD, it -> it.completions(done).queueKey(KEY));
            pair.activate();
            for (int i = 0; i < 40; i++) {
                pair.receives().receive().local(memory, 0, BYTES + 40).post();
            }
        }

        void send(Fabric fabric, int count) {
            Gid group = group(fabric);
            Address address = Address.multicast(group, fabric.multicastLid(group));
            AddressHandle way = domain.addressHandle(address);
            pair.post(
                    batch -> {
                        for (int i = 0; i < count; i++) {
                            batch.send(memory.slice(8000, BYTES))
                                    .to(way, QueuePair.MULTICAST_NUMBER, KEY);
                        }
                    });
        }

        int received() {
            int[] count = {0};
            done.poll(256, _ -> count[0]++);
            return count[0];
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyMemberHasOneCopyAndEveryCableCarriesOne(FabricSettings settings) {
        Fabric fabric = new Fabric(FatTree.threeTiers(2, 4).topology(), settings);
        Gid group = group(fabric);
        List<Member> members = new ArrayList<>();
        for (int host = 0; host < 16; host++) {
            members.add(new Member(fabric, host));
        }
        // Not host 0, which sends; nor host 1, at the same leaf; nor the whole last pod.
        for (int host = 2; host < 12; host++) {
            members.get(host).pair.attachMulticast(group, fabric.multicastLid(group));
        }

        members.getFirst().send(fabric, 10);
        fabric.run(1_000_000_000);

        for (int host = 0; host < 16; host++) {
            assertThat(members.get(host).received())
                    .as("copies at host %d", host)
                    .isEqualTo(host >= 2 && host < 12 ? 10 : 0);
        }
        // No port sent a packet twice: 10 by those of the tree, of which there are one up from the
        // sender, 10 down to members, and between switches 2 up, 2 down to pods, 5 to leaves.
        List<Long> sent = sent(fabric);
        assertThat(sent).containsOnly(10L).hasSize(1 + 10 + 2 + 2 + 5);
        assertThat(fabric.unreachablePackets()).isZero();
        assertThat(fabric.pool().out()).as("packets in use").isZero();
    }

    /// The sender's next packets take the memory of those that a near member already has.
    @ParameterizedTest
    @MethodSource("kinds")
    void copiesForFarMembersKeepTheirBytesWhenNearOnesHaveTheirs(FabricSettings settings) {
        Fabric fabric = new Fabric(FatTree.threeTiers(2, 4).topology(), settings);
        Gid group = group(fabric);
        Member sender = new Member(fabric, 0);
        int count = 30;
        List<MemoryRegion> inboxes = new ArrayList<>();
        for (int host : new int[] {1, 2, 15}) {
            Device device = fabric.open(host);
            ProtectionDomain domain = device.protectionDomain();
            CompletionQueue done = device.completionQueue(64);
            QueuePair pair =
                    domain.queuePair(QueuePairType.UD, it -> it.completions(done).queueKey(KEY));
            pair.activate();
            MemoryRegion inbox = domain.allocate(count * 2048L, Access.LOCAL_WRITE);
            for (int i = 0; i < count; i++) {
                pair.receives().receive().local(inbox, i * 2048L, BYTES + 40).post();
            }
            pair.attachMulticast(group, fabric.multicastLid(group));
            inboxes.add(inbox);
        }
        AddressHandle way =
                sender.domain.addressHandle(Address.multicast(group, fabric.multicastLid(group)));
        MemoryRegion outbox = sender.domain.allocate((long) count * BYTES);
        for (int i = 0; i < count; i++) {
            outbox.segment().asSlice((long) i * BYTES, BYTES).fill((byte) (i + 1));
            MemoryRegion from = outbox;
            long at = (long) i * BYTES;
            sender.pair.post(
                    batch ->
                            batch.send(from.slice(at, BYTES))
                                    .to(way, QueuePair.MULTICAST_NUMBER, KEY));
        }
        fabric.run(1_000_000_000);

        for (MemoryRegion inbox : inboxes) {
            for (int i = 0; i < count; i++) {
                byte[] bytes =
                        inbox.segment()
                                .asSlice(i * 2048L + 40, BYTES)
                                .toArray(ValueLayout.JAVA_BYTE);
                assertThat(bytes).containsOnly((byte) (i + 1));
            }
        }
    }

    /// Packets that each port has sent which has sent any.
    private static List<Long> sent(Fabric fabric) {
        Topology topology = fabric.topology();
        List<Long> sent = new ArrayList<>();
        for (int i = 0; i < topology.cables(); i++) {
            for (int end = 0; end < 4; end += 2) {
                Node node = fabric.node(topology.cable(i, end));
                sent.add(node.port(topology.cable(i, end + 1)).sentPackets());
            }
        }
        sent.removeIf(it -> it == 0);
        return sent;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void creditsAndBuffersComeBack(FabricSettings settings) {
        Fabric fabric = new Fabric(FatTree.twoTiers(4, 2, 2).topology(), settings);
        Gid group = group(fabric);
        List<Member> members = new ArrayList<>();
        for (int host = 0; host < 8; host++) {
            Member member = new Member(fabric, host);
            member.pair.attachMulticast(group, fabric.multicastLid(group));
            members.add(member);
        }
        members.get(0).memory.segment().asSlice(8000, BYTES).fill((byte) 1);
        members.get(5).memory.segment().asSlice(8000, BYTES).fill((byte) 6);
        int rounds = 200;
        int[] received = new int[8];
        for (int round = 0; round < rounds; round++) {
            // Two senders at once, so that copies wait for each other.
            members.get(0).send(fabric, 4);
            members.get(5).send(fabric, 4);
            fabric.run(fabric.nowPs() + 50_000_000);
            for (int host = 0; host < 8; host++) {
                Member member = members.get(host);
                received[host] += member.received();
                byte first = member.memory.segment().get(ValueLayout.JAVA_BYTE, 40);
                byte last = member.memory.segment().get(ValueLayout.JAVA_BYTE, 40 + BYTES - 1);
                // With one sender for each of these two, what is there is that of the other.
                assertThat(first)
                        .isEqualTo(last)
                        .isIn(host == 0 ? OF_5 : host == 5 ? OF_0 : EITHER);
                for (int i = 0; i < 8; i++) {
                    member.pair.receives().receive().local(member.memory, 0, BYTES + 40).post();
                }
            }
        }
        for (int host = 0; host < 8; host++) {
            int own = host == 0 || host == 5 ? 4 : 0;
            assertThat(received[host]).as("host %d", host).isEqualTo(rounds * (8 - own));
        }
        assertThat(fabric.pool().out()).isZero();
    }

    @Test
    void groupsBeginAtDifferentSwitchesOfTheTop() {
        Topology topology = FatTree.twoTiers(2, 4, 4).topology();
        List<Integer> busySpines = new ArrayList<>();
        for (int group = 0; group < 4; group++) {
            MulticastTree tree = new MulticastTree(topology, group);
            tree.join(0);
            tree.join(7);
            for (int spine = 0; spine < 4; spine++) {
                if (tree.ports(topology.hosts() + 4 + spine).length == 2) {
                    busySpines.add(spine);
                }
            }
        }
        assertThat(busySpines).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aTreeIsPrunedWhenItsLastMemberLeaves() {
        Topology topology = new Chain(3, 6).topology();
        MulticastTree tree = new MulticastTree(topology, 0);
        tree.join(5);
        tree.join(5);
        assertThat(tree.ports(topology.hosts())).hasSize(1);
        tree.leave(5);
        assertThat(tree.ports(topology.hosts())).hasSize(1);
        tree.leave(5);
        assertThat(tree.ports(topology.hosts())).isEmpty();
        assertThat(tree.ports(topology.hosts() + 2)).isEmpty();
    }

    @Test
    void groupsOfAnotherVersionAreRefused() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
        Member member = new Member(fabric, 0);
        assertThatThrownBy(() -> member.pair.attachMulticast(Gid.parse("ff12::1"), 0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("use a group of 224.0.0.0/4");
    }

    @Test
    void lidsOfGroupsAreMulticastLids() {
        for (long low : new long[] {0, 1, 0x3FFE, 0x3FFF, -1}) {
            assertThat(Multicast.lid(new Gid(0xFF12L << 48, low))).isBetween(0xC000, 0xFFFE);
        }
    }
}
