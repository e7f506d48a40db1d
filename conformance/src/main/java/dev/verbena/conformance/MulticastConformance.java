package dev.verbena.conformance;

import static dev.verbena.conformance.DatagramConformance.HEADER;
import static dev.verbena.conformance.DatagramConformance.arrival;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Datagrams to a group: each member with the group's queue key has a copy.
public interface MulticastConformance extends Conformance {
    /// The queue key of the members of the groups here.
    int KEY = 0x0BAD_CAFE;

    @Test
    default void memberOfAGroupTakesItsDatagrams(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        Group group = world.group(0);
        AddressHandle way = left.domain().addressHandle(group.address());
        left.fill(0, 100, 1);
        group.attach(right.pair());
        right.receive(1, 0, 200);

        Seen seen = arrive(right, left, way, 100);

        seen.of(CompletedOperation.RECEIVE, HEADER + 100);
        assertThat(seen.sourceQueuePair()).isEqualTo(left.pair().number());
        assertThat(seen.globalHeader()).isTrue();
        right.holds(HEADER, left.bytes(0, 100));
        assertThat(DatagramHeader.destination(right.memory().segment(), 0)).isEqualTo(group.gid());
    }

    @Test
    default void everyMemberOnBothDevicesHasACopy(World world) {
        Connection connection = members(world);
        Side sender = connection.left();
        Group group = world.group(1);
        AddressHandle way = sender.domain().addressHandle(group.address());
        List<Side> members = new ArrayList<>(List.of(connection.right()));
        for (int i = 0; i < 2; i++) {
            Connection more = members(world);
            members.add(more.left());
            members.add(more.right());
        }
        sender.fill(0, 64, 9);
        for (Side member : members) {
            group.attach(member.pair());
            member.receive(1, 0, 200);
        }

        if (world.lacks(Feature.LOSSLESS).isEmpty()) {
            sender.post(batch -> toGroup(batch.send(sender.slice(0, 64)), way));
            members.forEach(member -> member.received().next().succeeded());
        } else {
            members.forEach(member -> arrive(member, sender, way, 64));
        }

        for (Side member : members) {
            member.holds(HEADER, sender.bytes(0, 64));
        }
    }

    @Test
    default void senderHasNoCopyOfItsOwn(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        Group group = world.group(0);
        AddressHandle way = left.domain().addressHandle(group.address());
        group.attach(left.pair());
        group.attach(right.pair());
        left.receive(1, 0, 100);
        right.receive(2, 0, 100);

        arrive(right, left, way, 10);

        left.received().staysEmpty();
        // The other member's datagrams it takes.
        AddressHandle back = right.domain().addressHandle(group.address());
        assertThat(arrive(left, right, back, 10).id()).isEqualTo(1);
    }

    @Test
    default void sendingNeedsNoMembership(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        AddressHandle way = left.domain().addressHandle(world.group(7).address());

        // It also works for a group without members.
        left.post(batch -> toGroup(batch.send(left.slice(0, 10)), way).signaled());

        left.sent().next().succeeded();
    }

    @Test
    default void otherGroupsAreNotHeard(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        AddressHandle ours = left.domain().addressHandle(world.group(0).address());
        AddressHandle other = left.domain().addressHandle(world.group(1).address());
        Side second = connection.another().right();
        world.group(0).attach(right.pair());
        world.group(1).attach(second.pair());
        right.receive(1, 0, 100);

        left.post(batch -> toGroup(batch.send(left.slice(0, 10)), other).signaled());
        left.sent().next().succeeded();

        right.received().staysEmpty();
        assertThat(arrive(right, left, ours, 20).byteLength()).isEqualTo(HEADER + 20);
    }

    @Test
    default void pairMayBeInSeveralGroups(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        for (int i = 0; i < 5; i++) {
            world.group(i).attach(right.pair());
        }
        for (int i = 0; i < 5; i++) {
            AddressHandle way = left.domain().addressHandle(world.group(i).address());
            right.receive(i, 0, 100);
            assertThat(arrive(right, left, way, 10).id()).isEqualTo(i);
            assertThat(DatagramHeader.destination(right.memory().segment(), 0))
                    .isEqualTo(world.group(i).gid());
        }
    }

    @Test
    default void detachedMemberHearsNothingMore(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        Side stays = members(world).right();
        Group group = world.group(0);
        AddressHandle way = left.domain().addressHandle(group.address());
        group.attach(right.pair());
        group.attach(stays.pair());
        right.receive(1, 0, 100);
        arrive(right, left, way, 10);
        world.advance(Inbox.QUIET);

        group.detach(right.pair());
        right.receive(2, 0, 100);
        stays.receive(3, 0, 100);
        arrive(stays, left, way, 10);

        right.received().staysEmpty();
        group.attach(right.pair());
        assertThat(arrive(right, left, way, 10).id()).isEqualTo(2);
    }

    @Test
    default void closedMemberLeavesItsGroups(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        Group group = world.group(0);
        AddressHandle way = left.domain().addressHandle(group.address());
        QueuePair gone = members(world).right().pair();
        group.attach(gone);
        group.attach(right.pair());
        right.receive(1, 0, 100);

        gone.close();

        arrive(right, left, way, 10);
        Mistakes.refused(ClosedException.class, () -> group.detach(gone));
    }

    @Test
    default void memberWithAnotherQueueKeyHasNoCopy(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        Side other =
                Setup.of(world)
                        .type(QueuePairType.UD)
                        .options(options -> options.queueKey(KEY + 1))
                        .connect()
                        .right();
        Group group = world.group(0);
        AddressHandle way = left.domain().addressHandle(group.address());
        group.attach(right.pair());
        group.attach(other.pair());
        right.receive(1, 0, 100);
        other.receive(2, 0, 100);

        arrive(right, left, way, 10);

        other.received().staysEmpty();
    }

    @Test
    default void memberIsReachedByItsOwnNumberToo(World world) {
        Connection connection = members(world);
        Side left = connection.left();
        Side right = connection.right();
        world.group(0).attach(right.pair());
        right.receive(1, 0, 100);

        assertThat(arrival(right, left, left.wayTo(right), 30).id()).isEqualTo(1);
        assertThat(DatagramHeader.destination(right.memory().segment(), 0))
                .isEqualTo(right.pair().endpoint().gid());
    }

    @Test
    default void misuseOfGroupsIsRefused(World world) {
        Connection connection = members(world);
        QueuePair pair = connection.left().pair();
        QueuePair reliable = Connection.on(world).left().pair();
        Group group = world.group(0);

        Mistakes.refused(InvalidRequestException.class, () -> group.attach(reliable));
        Mistakes.refused(
                InvalidRequestException.class,
                () -> pair.attachMulticast(connection.right().pair().endpoint().gid(), 0));
        Mistakes.refused(InvalidRequestException.class, () -> group.detach(pair));
        group.attach(pair);
        Mistakes.refused(InvalidRequestException.class, () -> group.attach(pair));
        group.detach(pair);
        Mistakes.refused(InvalidRequestException.class, () -> group.detach(pair));
    }

    @Test
    default void groupsBeyondTheLimitAreRefused(World world) {
        QueuePair pair = members(world).left().pair();
        int most = world.device(0).limits().multicastGroups();
        feasible("groups", most);
        for (int i = 0; i < most; i++) {
            world.group(i).attach(pair);
        }

        Mistakes.refused(LimitExceededException.class, () -> world.group(most).attach(pair));

        world.group(0).detach(pair);
        world.group(most).attach(pair);
        // Nor does a group outlive its last member.
        pair.close();
        QueuePair next = members(world).left().pair();
        for (int i = 0; i < most; i++) {
            world.group(i).attach(next);
        }
    }

    @Test
    default void attachmentsBeyondTheLimitAreRefused(World world) {
        Side left = members(world).left();
        DeviceLimits limits = left.device().limits();
        int most = limits.multicastAttachments();
        feasible("attachments", most);
        Group group = world.group(0);
        QueuePair last = left.pair();
        for (int i = 0; i < most; i++) {
            last = left.another().pair();
            group.attach(last);
        }

        Mistakes.refused(LimitExceededException.class, () -> group.attach(left.pair()));

        world.group(1).attach(left.pair());
        last.close();
        group.attach(left.pair());
    }

    private static void feasible(String what, int limit) {
        Assumptions.assumeTrue(limit <= 64, limit + " " + what + ", too many to try");
    }

    /// Two datagram queue pairs with the groups' queue key, ready to send and in no group.
    private static Connection members(World world) {
        world.needs(Feature.MULTICAST);
        return Setup.of(world)
                .type(QueuePairType.UD)
                .options(options -> options.queueKey(KEY))
                .connect();
    }

    private static SendBatch toGroup(SendBatch batch, AddressHandle way) {
        return batch.to(way, QueuePair.MULTICAST_NUMBER, KEY);
    }

    /// Sends the first bytes of a side's memory to a group until this member has its copy.
    private static Seen arrive(Side member, Side sender, AddressHandle way, long length) {
        return member.received()
                .arrival(
                        () ->
                                sender.post(
                                        batch -> toGroup(batch.send(sender.slice(0, length)), way)))
                .succeeded();
    }
}
