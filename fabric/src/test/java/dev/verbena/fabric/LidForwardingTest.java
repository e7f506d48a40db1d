package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// On InfiniBand a packet goes where the switches' tables send its destination LID.
class LidForwardingTest {
    private static final int HOSTS = 3;
    private static final int QUEUE_KEY = 7;

    private final Fabric fabric = new Fabric(new Chain(1, HOSTS).topology(), Anchor.infiniBand());
    private final ForwardingTable table = ((InfiniBandSwitch) fabric.node(HOSTS)).table();
    private final List<TransportDevice> devices = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();

    private static final class Side {
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion memory;
        private final QueuePair pair;

        Side(Device device) {
            domain = device.protectionDomain();
            completions = device.completionQueue(8);
            memory = domain.allocate(256, Access.LOCAL_WRITE);
            pair =
                    domain.queuePair(
                            QueuePairType.UD,
                            it -> it.completions(completions).queueKey(QUEUE_KEY));
            pair.activate();
            pair.receives().receive().local(memory, 0, 256).post();
        }

        int received() {
            return completions.poll(8, completion -> {});
        }
    }

    LidForwardingTest() {
        for (int i = 0; i < HOSTS; i++) {
            devices.add(fabric.open(i));
            sides.add(new Side(devices.get(i)));
        }
    }

    /// From the first host to the queue pair of another, by any LID.
    private void send(int lid, int host) {
        Side from = sides.getFirst();
        AddressHandle handle =
                from.domain.addressHandle(
                        new Address(lid, Gid.NONE, 0, 0, 0, 0, 0, Address.ROCE_PORT));
        from.pair
                .sends()
                .send()
                .local(from.memory, 0, 8)
                .to(handle, sides.get(host).pair.number(), QUEUE_KEY)
                .post();
        fabric.run(Long.MAX_VALUE);
    }

    @Test
    void aDatagramReachesTheHostWithTheLid() {
        send(3, 2);
        assertThat(sides.get(2).received()).isOne();
    }

    @Test
    void aSwitchDropsPacketsToALidThatItsTableLacks() {
        send(4, 2);
        assertThat(sides.get(2).received()).isZero();
        assertThat(((InfiniBandSwitch) fabric.node(HOSTS)).discards()).isOne();
    }

    @Test
    void packetsFollowTheTableAndAPortTakesThoseToItsOwnLidOnly() {
        table.set(3, table.port(2));
        send(3, 2);
        assertThat(sides.get(2).received()).isZero();
        assertThat(sides.get(1).received()).isZero();
        assertThat(fabric.unreachablePackets()).isOne();
    }

    @Test
    void aHostThatIsGivenAnotherLidIsReachedByItAndAllOfItsMask() {
        devices.get(2).changePort(port -> port.withLid(8, 1));
        for (int lid = 8; lid < 10; lid++) {
            table.set(lid, table.port(3));
        }
        send(9, 2);
        assertThat(sides.get(2).received()).isOne();
        send(3, 2);
        assertThat(sides.get(2).received()).isZero();
        assertThat(fabric.unreachablePackets()).isOne();
    }

    @Test
    void aDatagramShowsTheLidThatItsSenderHasNow() {
        devices.getFirst().changePort(port -> port.withLid(8, 0));
        send(3, 2);
        List<Integer> seen = new ArrayList<>();
        sides.get(2).completions.poll(8, done -> seen.add(done.sourceLid()));
        assertThat(seen).contains(8);
    }

    @Test
    void timeGoesOnWhileAProgramSendsThroughAPortThatIsDown() {
        devices.getFirst().changePort(port -> port.withState(PortState.DOWN));
        Side from = sides.getFirst();
        AddressHandle handle =
                from.domain.addressHandle(
                        new Address(2, Gid.NONE, 0, 0, 0, 0, 0, Address.ROCE_PORT));
        Runnable send =
                () -> {
                    from.received();
                    from.pair
                            .sends()
                            .send()
                            .local(from.memory, 0, 8)
                            .to(handle, sides.get(1).pair.number(), QUEUE_KEY)
                            .signaled()
                            .post();
                    from.completions.arm(Notification.ANY);
                };
        from.completions.onNotification(send);
        send.run();
        fabric.run(100_000_000);
        assertThat(devices.getFirst().counters().get("tx_port_inactive")).isBetween(90L, 110L);
        assertThat(sides.get(1).received()).isZero();
    }

    @Test
    void aSubnetHasNoMoreHostsThanLids() {
        Topology tooLarge = FatTree.threeTiers(40, 31).topology();
        assertThat(tooLarge.hosts()).isGreaterThan(Fabric.LIDS_MAX);
        assertThatThrownBy(() -> new Fabric(tooLarge, Anchor.infiniBand()))
                .hasMessageContaining("49,151");
    }
}
