package dev.verbena.subnet;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Two tenants on one fabric, whose manager reads who belongs to which from a file: programs of one
/// do not reach memory of the other, and cannot do so by lying about their partition.
class TenantTest {
    private static final long SECOND_PS = 1_000_000_000_000L;
    private static final int RED = 0x8001;
    private static final int BLUE = 0x8002;

    private final Fabric fabric =
            new Fabric(FatTree.threeTiers(2, 4).topology(), FabricSettings.INFINIBAND);
    private final SubnetManager manager =
            new SubnetManager(ManagerSettings.DEFAULT.withKey(0x5EC2E7));
    private final FabricLab lab = new FabricLab(fabric, manager);

    /// A program on a host: memory that others may write, and a queue pair in a partition.
    private final class Program {
        private final TransportDevice device;
        private final CompletionQueue completions;
        private final MemoryRegion memory;
        private final QueuePair pair;

        Program(int host, int key) {
            device = fabric.open(host);
            ProtectionDomain domain = device.protectionDomain();
            completions = device.completionQueue(8);
            memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            int index = device.partitionKeys(1).indexOf(key);
            assertThat(index).as("key 0x%04x in %s", key, device.partitionKeys(1)).isNotNegative();
            pair =
                    domain.queuePair(
                            QueuePairType.RC,
                            it -> it.completions(completions).partitionIndex(index));
        }

        void connect(Endpoint peer) {
            pair.connect(peer, it -> it.timeout(4).retryCount(2));
        }

        /// Writes a number into the memory of another program.
        CompletionStatus write(Program to, long value) {
            memory.segment().set(JAVA_LONG_UNALIGNED, 0, value);
            pair.sends()
                    .write(memory.slice(0, 8), to.memory.remote().slice(0, 8))
                    .signaled()
                    .post();
            fabric.run(fabric.nowPs() + SECOND_PS);
            List<CompletionStatus> seen = new ArrayList<>();
            completions.poll(8, it -> seen.add(it.status()));
            assertThat(seen).hasSize(1);
            return seen.getFirst();
        }

        long seen() {
            return memory.segment().get(JAVA_LONG_UNALIGNED, 0);
        }

        /// What this program would say if it were in another partition.
        Endpoint claiming(int key) {
            Endpoint own = pair.endpoint();
            return new Endpoint(
                    own.type(),
                    own.lid(),
                    own.gid(),
                    own.queuePair(),
                    own.psn(),
                    own.mtu(),
                    own.reads(),
                    own.udpPort(),
                    key,
                    0);
        }
    }

    private String guid(int host) {
        MemorySegment info = MemorySegment.ofArray(new byte[64]);
        fabric.subnet().port(host).nodeInfo(info);
        return "0x%016x".formatted(NodeInfo.PORT_GUID.read(info, 0));
    }

    /// The first keys of a port.
    private List<Integer> keys(int host) {
        MemorySegment block = MemorySegment.ofArray(new byte[64]);
        fabric.subnet().port(host).partitionKeys(block);
        return List.of(SmpBlocks.pkey(block, 0, 0), SmpBlocks.pkey(block, 0, 1));
    }

    private void partitions(String text) {
        manager.partitions(lab.nowNs(), text);
        lab.exchange();
        assertThat(manager.isIdle()).isTrue();
    }

    private void twoTenants() {
        lab.bringUp();
        partitions(
                """
                Default=0x7fff : ALL, SELF=full;
                red=1 : %s=full, %s=full;
                blue=2 : %s=full, %s=full;
                """
                        .formatted(guid(1), guid(9), guid(2), guid(10)));
    }

    @Test
    void programsOfOneTenantReachEachOther() {
        twoTenants();
        reachEachOther();
    }

    private void reachEachOther() {
        for (int[] hosts : new int[][] {{1, 9, RED}, {2, 10, BLUE}}) {
            Program left = new Program(hosts[0], hosts[2]);
            Program right = new Program(hosts[1], hosts[2]);
            left.connect(right.pair.endpoint());
            right.connect(left.pair.endpoint());
            assertThat(left.write(right, 4711)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(right.seen()).isEqualTo(4711);
        }
    }

    @Test
    void aConnectionToTheOtherTenantIsRefusedWhereItIsAskedFor() {
        twoTenants();
        Program red = new Program(1, RED);
        Program blue = new Program(10, BLUE);
        assertThatThrownBy(() -> red.connect(blue.pair.endpoint()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("0x8001 does not match the peer's 0x8002");
    }

    @Test
    void whoLiesAboutItsPartitionReachesNoMemory() {
        twoTenants();
        Program red = new Program(1, RED);
        Program blue = new Program(10, BLUE);
        red.connect(blue.claiming(RED));
        blue.connect(red.claiming(BLUE));
        assertThat(red.write(blue, 4711)).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(blue.seen()).isZero();
    }

    @Test
    void aHostThatLeavesItsTenantReachesItNoMore() {
        twoTenants();
        Program left = new Program(1, RED);
        Program right = new Program(9, RED);
        left.connect(right.pair.endpoint());
        right.connect(left.pair.endpoint());
        assertThat(left.write(right, 1)).isEqualTo(CompletionStatus.SUCCESS);

        partitions(
                "Default=0x7fff : ALL, SELF=full; red=1 : %s=full; blue=2 : %s=full, %s=full;"
                        .formatted(guid(9), guid(1), guid(10)));

        assertThat(left.write(right, 2)).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(right.seen()).isEqualTo(1);
    }

    @Test
    void aManagerWithoutTheKeyChangesNoTable() {
        twoTenants();
        List<Integer> before = keys(9);
        SubnetManager other =
                new SubnetManager(ManagerSettings.DEFAULT.withRetries(0, 1_000_000).withKey(0xBAD));
        other.partitions(lab.nowNs(), "Default=0x7fff : ALL=full; red=1 : ALL=full;");
        FabricLab intruder = new FabricLab(fabric, other, 2);
        intruder.bringUp();
        for (int i = 0; i < 100; i++) {
            fabric.run(fabric.nowPs() + 1_000_000_000);
            intruder.work();
        }
        assertThat(keys(9)).isEqualTo(before);
        // What needs no key it has seen: it did ask.
        assertThat(other.verdicts().get(SmVerdict.OK)).isPositive();
        reachEachOther();
    }
}
