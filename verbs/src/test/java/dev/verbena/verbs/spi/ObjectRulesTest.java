package dev.verbena.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePairType;
import org.junit.jupiter.api.Test;

/// Devices, queues and groups: the first value that is refused, and the message.
class ObjectRulesTest {
    private static final Gid GROUP = Gid.parse("224.0.0.1");

    @Test
    void objectsSayWhyTheyCannotBeUsed() {
        assertThat(ObjectRules.closed("cq 1"))
                .hasMessage("cq 1: it was closed; use it before closing it");
        assertThat(ObjectRules.closedDevice("dev"))
                .hasMessage("dev: the device was closed; open it again");
        assertThat(ObjectRules.foreign("dev", "cq 1"))
                .hasMessage("dev: cq 1 belongs to another device; use an object of this device");
    }

    @Test
    void aDeviceHasOnePort() {
        ObjectRules.requirePort("dev", 1);
        assertThatThrownBy(() -> ObjectRules.requirePort("dev", 2))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("dev: no port 2; a device has one port, number 1");
    }

    @Test
    void queuesHaveADepthThatTheDeviceHas() {
        Depths.requireCompletionQueue("dev", 1, 9);
        Depths.requireCompletionQueue("dev", 9, 9);
        assertThatThrownBy(() -> Depths.requireCompletionQueue("dev", 10, 9))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("dev: no completion queue of 10 completions; use 1 to 9");
        Depths.requireSharedQueue("dev", 9, 9);
        assertThatThrownBy(() -> Depths.requireSharedQueue("dev", 0, 9))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("dev: no shared receive queue of 0 requests; use 1 to 9");
        Depths.requireQueue("dev", "send", 0, 0, 9);
        assertThatThrownBy(() -> Depths.requireQueue("dev", "send", 10, 0, 9))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("dev: no send queue of 10 requests; use 0 to 9");
    }

    @Test
    void onlyDatagramsGoToGroups() {
        DatagramRules.requireGroups("qp", QueuePairType.UD);
        assertThatThrownBy(() -> DatagramRules.requireGroups("qp", QueuePairType.RC))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "qp: only datagrams go to groups, and it is of type RC; attach a queue"
                                + " pair of type UD");
    }

    @Test
    void aQueuePairIsInAGroupOrNot() {
        assertThat(DatagramRules.attached("qp", GROUP))
                .hasMessage("qp: it is attached to 224.0.0.1 already; attach it once");
        assertThat(DatagramRules.notAttached("qp", GROUP, 0))
                .hasMessage(
                        "qp: it is not attached to 224.0.0.1; detach it from groups that it is in");
        assertThat(DatagramRules.notAttached("qp", GROUP, 0xC000))
                .hasMessageContaining("224.0.0.1 with lid 0xc000;");
    }

    @Test
    void aPortHasOneListener() {
        assertThat(ConnectionRules.portTaken("dev", 7))
                .hasMessage(
                        "dev: a listener already exists on port 7; use another port, or close that"
                                + " listener");
        assertThat(ConnectionRules.datagramPortTaken("dev", 7))
                .hasMessageStartingWith("dev: a datagram listener already exists on port 7;");
    }
}
