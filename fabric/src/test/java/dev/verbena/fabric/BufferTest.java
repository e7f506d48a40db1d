package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The memory of an Ethernet switch. Nothing leaves towards the receiver, so that all that comes
/// stays.
class BufferTest {
    private static final int PACKET = 4160;
    private static final int TOTAL = 900 * PACKET;

    private static Fabric blocked(BufferSettings buffer) {
        FabricKind.Ethernet kind = (FabricKind.Ethernet) Anchor.ethernet().kind();
        Fabric fabric =
                new Fabric(
                        FatTree.single(3).topology(),
                        Anchor.ethernet().withKind(kind.withBuffer(buffer)));
        ((EthernetPort) leaf(fabric).port(2)).pause(0, 0xFFFF, 0);
        return fabric;
    }

    private static EthernetSwitch leaf(Fabric fabric) {
        return (EthernetSwitch) fabric.node(3);
    }

    @Test
    void oneQueueThatMayLosePacketsHasAlphaOverOnePlusAlphaOfTheMemory() {
        for (double alpha : new double[] {0.125, 0.5, 1, 2}) {
            Fabric fabric = blocked(new BufferSettings(TOTAL, 0, 0, 0, 0, alpha));
            new Stream(fabric).send(0, 2, 0, 900, 0);
            fabric.run(80_000_000);

            double expected = TOTAL * alpha / (1 + alpha);
            assertThat((double) leaf(fabric).port(2).waitingBytes(0))
                    .as("alpha %s", alpha)
                    .isBetween(expected - PACKET, expected + PACKET);
            assertThat(leaf(fabric).buffer().drops()).isPositive();
            assertThat(leaf(fabric).pausesSent()).isZero();
        }
    }

    @Test
    void aPriorityThatMayNotLosePacketsPausesItsNeighbourAtThatPoint() {
        double alpha = 0.5;
        int headroom = 30 * PACKET;
        Fabric fabric = blocked(new BufferSettings(TOTAL, 1, 0, PACKET, headroom, alpha));
        new Stream(fabric).send(0, 2, 0, 900, 0);
        fabric.run(35_000_000);

        // After the pause come a round trip of the cable and the packet that was begun. The
        // headroom of three ports is not shared.
        double threshold = (TOTAL - 3 * headroom) * alpha / (1 + alpha);
        assertThat((double) leaf(fabric).buffer().highest())
                .isBetween(threshold, threshold + 14 * PACKET);
        assertThat(leaf(fabric).buffer().drops()).isZero();
        assertThat(leaf(fabric).pausesSent()).isEqualTo(1);
    }

    @Test
    void aPauseIsRenewedBeforeItEndsAndEndsWhenItIsNot() {
        BufferSettings buffer = BufferSettings.fixed(20 * PACKET, 10 * PACKET, 20 * PACKET);
        Fabric fabric = blocked(buffer);
        new Stream(fabric).send(0, 2, 0, 900, 0);
        // A frame pauses for 65,535 times 512 bits, 83.9 us; so is the port to the receiver.
        for (int i = 1; i <= 10; i++) {
            fabric.run(80_000_000L * i);
            ((EthernetPort) leaf(fabric).port(2)).pause(0, 0xFFFF, fabric.nowPs());
        }
        assertThat(leaf(fabric).buffer().drops()).isZero();
        assertThat(leaf(fabric).pausesSent()).isBetween(18L, 22L);
        assertThat(leaf(fabric).port(2).sentPackets()).isZero();

        // Nobody renews that one: it is over by itself, and all arrives.
        fabric.run(80_000_000L * 10 + 200_000_000L);
        assertThat(leaf(fabric).port(2).sentPackets()).isEqualTo(900);
        assertThat(leaf(fabric).buffer().usedInAll()).isZero();
    }

    @Test
    void aNeighbourIsPausedAboveTheOneThresholdAndGoesOnBelowTheOther() {
        List<String> told = new ArrayList<>();
        SharedBuffer buffer = buffer(BufferSettings.fixed(5 * PACKET, 3 * PACKET, PACKET), told);
        for (int i = 0; i < 5; i++) {
            assertThat(buffer.admit(1, 3, PACKET, 0)).isTrue();
        }
        assertThat(told).isEmpty();
        assertThat(buffer.admit(1, 3, PACKET, 0)).isTrue();
        assertThat(told).containsExactly("1/3 true");
        assertThat(buffer.admit(1, 3, PACKET, 0)).isFalse();

        for (int i = 0; i < 3; i++) {
            buffer.release(1, 3, PACKET, 0);
        }
        assertThat(told).hasSize(1);
        buffer.release(1, 3, PACKET, 0);
        assertThat(told).containsExactly("1/3 true", "1/3 false");
    }

    private static SharedBuffer buffer(BufferSettings settings, List<String> told) {
        SharedBuffer buffer =
                new SharedBuffer(
                        settings,
                        2,
                        (port, priority, isXoff, nowPs) ->
                                told.add("%d/%d %s".formatted(port, priority, isXoff)));
        buffer.reserve(0, settings.headroomBytes());
        buffer.reserve(1, settings.headroomBytes());
        return buffer;
    }

    @Test
    void headroomIsThereThoughOthersUseAllThatIsShared() {
        List<String> told = new ArrayList<>();
        BufferSettings settings = new BufferSettings(10 * PACKET, 1, 0, 0, 2 * PACKET, 100);
        SharedBuffer buffer = buffer(settings, told);
        for (int i = 0; i < 6; i++) {
            assertThat(buffer.admit(0, 0, PACKET, 0)).isTrue();
        }
        assertThat(told).isEmpty();
        for (int port = 0; port < 2; port++) {
            assertThat(buffer.admit(port, 0, PACKET, 0)).isTrue();
            assertThat(buffer.admit(port, 0, PACKET, 0)).isTrue();
            assertThat(buffer.admit(port, 0, PACKET, 0)).isFalse();
        }
        assertThat(told).containsExactly("0/0 true", "1/0 true");
        assertThat(buffer.usedInAll()).isEqualTo(10 * PACKET);

        // What leaves makes headroom free first: room for what comes after the next pause.
        buffer.release(0, 0, PACKET, 0);
        assertThat(buffer.admit(1, 0, PACKET, 0)).isFalse();
        assertThat(buffer.admit(0, 0, PACKET, 0)).isTrue();
        for (int i = 0; i < 8; i++) {
            buffer.release(0, 0, PACKET, 0);
        }
        for (int i = 0; i < 2; i++) {
            buffer.release(1, 0, PACKET, 0);
        }
        assertThat(told).hasSize(4);
        assertThat(buffer.usedInAll()).isZero();
    }

    @Test
    void moreHeadroomThanThereIsBufferIsRefused() {
        BufferSettings tooMuch = new BufferSettings(TOTAL, 3, 0, 0, 151 * PACKET, 1);
        assertThatThrownBy(() -> blocked(tooMuch))
                .hasMessageContaining("leaf 0 has 3,744,000 bytes of buffer")
                .hasMessageContaining("need 3,768,960 for headroom");
    }

    @Test
    void managementIsNeverKeptWaiting() {
        VlArbiter arbiter = new VlArbiter(VlArbitration.EQUAL);
        Arbiter.Waiting port =
                new Arbiter.Waiting() {
                    @Override
                    public int waiting() {
                        return 0x8003;
                    }

                    @Override
                    public int firstBytes(int lane) {
                        return PACKET;
                    }
                };

        assertThat(arbiter.choose(0x8003, port)).isEqualTo(15);
        assertThat(arbiter.choose(0x0003, port)).isLessThan(2);
    }
}
