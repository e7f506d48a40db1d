package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.carrier.OutboundPacket;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WindowType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Turns and time of a network in virtual time.
class TurnsTest {
    private static final int QUEUE_KEY = 7;

    /// A place whose packets go nowhere.
    private static final class Port extends TurnPort<Port> {
        Port(Turns<Port> turns, Gid gid) {
            super(turns, gid);
        }

        @Override
        public OutboundPacket next() {
            throw new AssertionError("nothing is sent here");
        }

        @Override
        public void accept(OutboundPacket packet) {}
    }

    private final Turns<Port> turns = new Turns<>("test");

    private TransportDevice open(String name, Gid gid) {
        Port port = new Port(turns, gid);
        TransportOptions options = turns.options(new SplittableRandom(1), port);
        return turns.open(port, options.name(name).gids(List.of(gid)));
    }

    private static QueuePair datagrams(ProtectionDomain domain, CompletionQueue completions) {
        QueuePair pair =
                domain.queuePair(
                        QueuePairType.UD, it -> it.completions(completions).queueKey(QUEUE_KEY));
        pair.activate();
        return pair;
    }

    /// A bind sends no packet; its completion makes another device send one.
    @Test
    void noTimePassesWhileADeviceThatAListenerWokeHasSomethingToSend() {
        Loopback network = new Loopback(1);
        TransportDevice left = network.open("left");
        TransportDevice right = network.open("right");
        ProtectionDomain ours = left.protectionDomain();
        ProtectionDomain theirs = right.protectionDomain();
        CompletionQueue bound = left.completionQueue(4);
        CompletionQueue received = left.completionQueue(4);
        CompletionQueue sent = right.completionQueue(4);
        QueuePair binder = ours.queuePair(QueuePairType.RC, it -> it.completions(bound));
        QueuePair peer = theirs.queuePair(QueuePairType.RC, it -> it.completions(sent));
        binder.connect(peer.endpoint());
        MemoryRegion memory = ours.allocate(64, Access.LOCAL_WRITE, Access.WINDOW_BIND);
        MemoryRegion their = theirs.allocate(8);
        QueuePair target = datagrams(ours, received);
        target.receives().receive().local(memory, 0, 64).post();
        QueuePair sender = datagrams(theirs, sent);
        AddressHandle handle = theirs.addressHandle(Address.to(left.gids(1).getFirst()));
        bound.onNotification(
                () ->
                        sender.sends()
                                .send()
                                .local(their, 0, 8)
                                .to(handle, target.number(), QUEUE_KEY)
                                .post());
        bound.arm(Notification.ANY);
        while (network.turn()) {
            // what connecting has woken
        }
        MemoryWindow window = ours.window(WindowType.TYPE_2);
        binder.sends().bind(window, memory, 0, 8, Set.of(Access.REMOTE_READ)).signaled().post();
        assertThat(received.await(Duration.ofSeconds(5), _ -> {})).isOne();
        assertThat(network.nowNs()).isZero();
    }

    @Test
    void aNameAndAnAddressAreOneDevicesAlone() {
        Gid first = new Gid(1, 1);
        TransportDevice device = open("a", first);
        assertThatThrownBy(() -> open("a", new Gid(1, 2))).isInstanceOf(NoDeviceException.class);
        assertThatThrownBy(() -> open("b", first))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("address of another device");
        device.close();
        open("a", first);
        assertThat(turns.at(first)).isNotNull();
    }

    @Test
    void theMembersOfAGroupAreOnlyRead() {
        Gid group = Gid.parse("ff0e::1");
        open("a", new Gid(1, 1));
        turns.join(group, turns.ports().getFirst());
        assertThat(turns.members(group)).hasSize(1);
        assertThatThrownBy(() -> turns.members(group).clear())
                .isInstanceOf(UnsupportedOperationException.class);
        turns.leave(group, turns.ports().getFirst());
        assertThat(turns.members(group)).isEmpty();
    }
}
