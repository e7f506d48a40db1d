package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("command")
class DevinfoCommandTest {
    @Test
    void aDeviceLooksAsInIbvDevinfo() {
        Command command = Command.run("devinfo", "loopback://info");

        assertThat(command.status()).as(command.err()).isZero();
        assertThat(command.out())
                .isEqualTo(
                        """
                        hca_id:\tinfo
                        \ttransport:\t\t\tInfiniBand (0)
                        \tphys_port_cnt:\t\t\t1
                        \t\tport:\t1
                        \t\t\tstate:\t\t\tPORT_ACTIVE (4)
                        \t\t\tmax_mtu:\t\t4096 (5)
                        \t\t\tactive_mtu:\t\t4096 (5)
                        \t\t\tsm_lid:\t\t\t0
                        \t\t\tport_lid:\t\t0
                        \t\t\tport_lmc:\t\t0x00
                        \t\t\tlink_layer:\t\tEthernet

                        """);
    }

    @Test
    void verboseAddsLimitsAndGids() {
        Command command = Command.run("devinfo", "-v", "loopback://info");

        assertThat(command.out())
                .contains("\tmax_qp:\t\t\t\t65536\n")
                .contains("\tmax_qp_wr:\t\t\t16384\n")
                .contains("\t\t\tmax_msg_sz:\t\t0x80000000\n")
                .containsPattern("\t\t\tGID\\[  0\\]:\t\tfd00:0000:.*, RoCE v2\n");
    }

    @Test
    void verboseNamesThePathToTheSockets() {
        String portable = "roce://127.41.7.1:4801?path=portable";
        assertThat(Command.run("devinfo", "-v", portable).out())
                .contains("\tdescription:\t\t\tsockets by the JDK, because path=portable asks");
        assertThat(Command.run("devinfo", portable).out()).doesNotContain("description:");
        assertThat(Command.run("devinfo", "--json", portable).out())
                .contains("\"description\":\"sockets by the JDK");
    }

    @Test
    void everythingThatCanBeOpenedIsListed() {
        assertThat(Command.run("devinfo", "-l").out())
                .contains("found:\n")
                .contains("\tloopback://local\n");
        assertThat(Command.run("devinfo").out()).contains("hca_id:\tlocal\n");
    }

    @Test
    void jsonHasTheSameNames() {
        assertThat(Command.run("devinfo", "--json", "loopback://info").out())
                .startsWith("{\"hca_id\":\"info\",\"transport\":\"InfiniBand\"")
                .contains("\"active_mtu\":4096")
                .contains("\"pkeys\":[\"0xffff\"]")
                .endsWith("}\n");
    }

    @Test
    void anUnknownDeviceIsExplained() {
        Command command = Command.run("devinfo", "nosuch://x");

        assertThat(command.status()).isEqualTo(1);
        assertThat(command.err()).contains("no provider for the scheme nosuch");
    }
}
