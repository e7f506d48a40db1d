package dev.verbena.subnet.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.subnet.state.Partition.Port;
import dev.verbena.subnet.state.Partition.Who;
import dev.verbena.wire.Gid;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files of partitions as OpenSM reads them.
class PartitionsTest {
    private static final Port MANAGER = new Port(1, Who.ALL_CAS, true);
    private static final Port HOST = new Port(0x0002_C903_0000_0001L, Who.ALL_CAS, false);
    private static final Port SWITCH = new Port(3, Who.ALL_SWITCHES, false);

    @Test
    void membersAreFullLimitedOrBothByGuidOrByKind() {
        Partitions partitions =
                Partitions.parse(
                        """
                        # the default one
                        Default=0x7fff, ipoib, mtu=5, rate=12, sl=1 :
                            ALL, SELF=full;
                        storage=0x8001, defmember=full : 0x2c90300000001, ALL_SWITCHES=both; # and
                        tape=2 : ALL_CAS ; tape=2 : 0x0002c90300000001=full ;
                        """);
        assertThat(partitions.keys(MANAGER)).containsExactly(0xFFFF, 0x0002);
        assertThat(partitions.keys(HOST)).containsExactly(0x7FFF, 0x8001, 0x8002);
        assertThat(partitions.keys(SWITCH)).containsExactly(0x7FFF, 0x8001, 0x0001);
    }

    @Test
    void ipoibAsksForABroadcastGroup() {
        Partitions partitions =
                Partitions.parse("Default, ipoib, mtu=5, rate=12, sl=3, scope=5 : ALL;");
        assertThat(partitions.broadcastGroups())
                .isEqualTo(
                        Map.of(
                                Gid.ofText("ff15:401b:ffff::ffff:ffff"),
                                new GroupTraits(0xB1B, 5, 0, 0xFFFF, 12, 18, 3, 0, 0, 5)));
    }

    @Test
    void aFileWithoutTheDefaultPartitionKeepsManagementAlive() {
        Partitions partitions = Partitions.parse("a=1:0x5;");
        assertThat(partitions.keys(HOST)).containsExactly(0x7FFF);
        assertThat(partitions.keys(MANAGER)).containsExactly(0xFFFF);
    }

    @Test
    void anEmptyFileIsNone() {
        assertThat(Partitions.parse(" \n").isNone()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1 : ALL | line 1: the statement has no end",
                "a=1 ALL; | line 1: no : between",
                "a : ALL; | line 1: partition \"a\" has no key",
                "a=0x10000 : ALL; | line 1: key \"0x10000\": use 1 to 65535",
                "a=0x8000 : ALL; | names no partition",
                "a=x : ALL; | key \"x\"",
                "a=1, mtu=6 : ALL; | mtu \"6\": use 1 to 5",
                "a=1, rate=1 : ALL; | rate \"1\": use 2 to 24",
                "a=1, colour=3 : ALL; | property \"colour=3\": use ipoib",
                "a=1 : ALL=some; | membership \"some\": use full",
                "a=1 : EVERY; | member \"EVERY\": use a port GUID",
                "a=1 : 0xzz; | port GUID 0xzz",
                "a=1 : 0x12345678123456789; | port GUID 0x12345678123456789",
                "a=1 : ALL,; | a member without a name",
            })
    void aMistakeIsNamedWithItsLineAndARemedy(String text, String message) {
        assertThatThrownBy(() -> Partitions.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThatThrownBy(() -> Partitions.parse("b=2:ALL;\n\n" + text))
                .hasMessageStartingWith("line 3: ")
                .hasMessageContaining(message.replaceFirst("line 1: ", ""));
    }

    @Test
    void aFileOfCommentsIsNoFileOfPartitions() {
        assertThatThrownBy(() -> Partitions.parse("# Default=0x7fff : ALL;"))
                .hasMessage(
                        "line 1: no partition: write a statement such as Default=0x7fff :"
                                + " ALL=full;");
    }

    @Test
    void aFileHasLimits() {
        assertThatThrownBy(() -> Partitions.parse("#".repeat(PartitionFile.TEXT_MAX + 1)))
                .hasMessageContaining("characters");
        StringBuilder many = new StringBuilder();
        for (int key = 1; key <= PartitionFile.PARTITIONS_MAX + 1; key++) {
            many.append("p=").append(key).append(":ALL;\n");
        }
        assertThatThrownBy(() -> Partitions.parse(many.toString()))
                .hasMessageStartingWith("line 1025: more than 1024 partitions");
        String members = "SELF,".repeat(PartitionFile.MEMBERS_MAX) + "SELF";
        assertThatThrownBy(() -> Partitions.parse("a=1:" + members + ";"))
                .hasMessageContaining("more than 65536 members");
    }

    @Test
    void aWrongFileLeavesTheOldPartitionsInForce() {
        SubnetState state = new SubnetState();
        state.apply(new Command.SetPartitions("a=1,ipoib:ALL;", 8));
        assertThat(state.apply(new Command.SetPartitions("a=1,ipoib:ALL;b=", 8)).isDone())
                .isFalse();
        assertThat(state.partitions().text()).isEqualTo("a=1,ipoib:ALL;");
        assertThat(state.groups()).hasSize(1);
        state.apply(new Command.SetPartitions("a=1:ALL;", 8));
        assertThat(state.groups()).isEmpty();
    }
}
