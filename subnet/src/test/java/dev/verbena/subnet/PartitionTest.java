package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.subnet.state.Partitions;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.SaStatus;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Partitions of a file come into the tables of ports, and into what the manager answers.
class PartitionTest {
    private static final int ENDS = 1 << 2 | 1 << 3;

    private final SaLab sa = new SaLab(Shapes.twoTiers(3, 2, 2, 1));
    private final PlainPlane plane = sa.lab.plane;

    private void partitions(String text) {
        sa.lab.manager.partitions(plane.nowNs(), text);
        sa.exchange();
        assertThat(sa.lab.manager.isIdle()).isTrue();
    }

    private String guid(int host) {
        return "0x%016x".formatted(plane.portGuid(host));
    }

    private List<Integer> keys(int host) {
        MemorySegment block = MemorySegment.ofArray(new byte[64]);
        sa.lab.subnet.port(host).partitionKeys(block);
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            keys.add(SmpBlocks.pkey(block, 0, i));
        }
        return keys;
    }

    private SaAnswer path(int from, int to) {
        MemorySegment record = SaLab.blank();
        sa.gid(to).emit(record, 8);
        sa.gid(from).emit(record, 24);
        return sa.ask(1, MadMethod.GET, SaRecord.PATH, record, ENDS);
    }

    @Test
    void everyPortGetsTheKeysOfItsPartitions() {
        partitions(
                "Default=0x7fff : ALL, SELF=full; a=1 : %s=full, %s;".formatted(guid(2), guid(3)));
        assertThat(keys(0)).containsExactly(0xFFFF, 0, 0, 0);
        assertThat(keys(1)).containsExactly(0x7FFF, 0, 0, 0);
        assertThat(keys(2)).containsExactly(0x7FFF, 0x8001, 0, 0);
        assertThat(keys(3)).containsExactly(0x7FFF, 0x0001, 0, 0);
    }

    @Test
    void aKeyStaysAtItsIndexAndBlocksThatAreRightAreNotWritten() {
        String both = "Default=0x7fff : ALL=full; a=1 : ALL; b=2 : ALL=full;";
        partitions(both);
        assertThat(keys(1)).containsExactly(0xFFFF, 0x0001, 0x8002, 0);
        long before = sa.lab.sent;
        partitions(both);
        assertThat(sa.lab.sent).isEqualTo(before);
        partitions("Default=0x7fff : ALL=full; b=2 : ALL=full;");
        assertThat(keys(1)).containsExactly(0xFFFF, 0, 0x8002, 0);
        // A Set for each of six hosts and four ports 0.
        assertThat(sa.lab.sent - before).isEqualTo(10);
        partitions("Default=0x7fff : ALL=full; b=2 : ALL=full; c=3 : %s;".formatted(guid(1)));
        assertThat(keys(1)).containsExactly(0xFFFF, 0x0003, 0x8002, 0);
        assertThat(sa.lab.sent - before).isEqualTo(11);
    }

    @Test
    void pathsNeedACommonPartitionWithAFullMember() {
        partitions(
                "Default=0x7fff : ALL, SELF=full; a=1, ipoib, sl=3 : %s=full, %s; b=2 : %s;"
                        .formatted(guid(2), guid(3), guid(4)));
        SaAnswer answer = path(2, 3);
        assertThat(answer.isOk()).isTrue();
        assertThat(PathRecord.PKEY.readInt(answer.records().getFirst(), 0)).isEqualTo(0x8001);
        assertThat(PathRecord.SL.readInt(answer.records().getFirst(), 0)).isEqualTo(3);
        assertThat(path(3, 4).status()).isEqualTo(SaStatus.NO_RECORDS);
        assertThat(path(3, 0).isOk()).isTrue();
    }

    @Test
    void theBroadcastGroupIsThereAndForMembersOnly() {
        partitions("Default=0x7fff : ALL=full; a=1, ipoib, mtu=5 : %s=full;".formatted(guid(2)));
        SaAnswer groups =
                sa.ask(1, MadMethod.GET_TABLE, SaRecord.MULTICAST_MEMBER, SaLab.blank(), 0);
        assertThat(groups.records()).hasSize(1);
        assertThat(McMemberRecord.MTU.readInt(groups.records().getFirst(), 0)).isEqualTo(5);
        MemorySegment wish = sa.member(2, Partitions.broadcast(1, 2), 1);
        SaRecord record = SaRecord.MULTICAST_MEMBER;
        assertThat(sa.ask(2, MadMethod.SET, record, wish, SaLab.JOIN).isOk()).isTrue();
        MemorySegment other = sa.member(3, Partitions.broadcast(1, 2), 1);
        assertThat(sa.ask(3, MadMethod.SET, record, other, SaLab.JOIN).status())
                .isEqualTo(SaStatus.DENIED);
        partitions("Default=0x7fff : ALL=full;");
        assertThat(path(2, 3).isOk()).isTrue();
    }

    @Test
    void aWrongFileChangesNothing() {
        partitions("Default=0x7fff : ALL, SELF=full;");
        assertThatThrownBy(() -> partitions("Default=0x7fff : ALL=full;\na=1 : ALL=some;"))
                .hasMessageStartingWith("line 2: membership \"some\"");
        sa.exchange();
        assertThat(keys(1)).containsExactly(0x7FFF, 0, 0, 0);
    }

    @Test
    void aHostThatComesLaterGetsItsKeys() {
        partitions("Default=0x7fff : ALL, SELF=full;");
        sa.lab.plug(5, false);
        sa.lab.settle();
        partitions("Default=0x7fff : ALL, SELF=full; a=1 : ALL;");
        assertThat(keys(5)).containsExactly(0x7FFF, 0, 0, 0);
        sa.lab.plug(5, true);
        sa.lab.settle();
        assertThat(keys(5)).containsExactly(0x7FFF, 0x0001, 0, 0);
    }
}
