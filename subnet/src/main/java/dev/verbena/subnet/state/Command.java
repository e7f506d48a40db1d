package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import java.util.List;

/// A change of what a subnet manager remembers. [CommandBytes] reads and writes them.
public sealed interface Command {
    /// A node gets a LID; 0: it has none any more.
    record GiveLid(long guid, int lid) implements Command {}

    /// Nodes get LIDs, one after the other.
    record GiveLids(List<GiveLid> gifts) implements Command {
        /// As many as a large fabric needs at once go in a few commands.
        public static final int COUNT_MAX = 4096;

        public GiveLids {
            gifts = List.copyOf(gifts);
        }
    }

    /// A manager begins to lead the others, with an M_Key that no node has had.
    ///
    /// @param number of its term, higher than those before
    record BeginTerm(long number, long key) implements Command {}

    /// A port joins a group.
    ///
    /// @param joinState bits, which are added to those that the port has
    /// @param mayCreate whether the request says enough for a group that does not exist
    /// @param groupsMax multicast LIDs for which all switches have room
    record Join(
            Gid group,
            Gid port,
            int joinState,
            boolean isProxy,
            GroupTraits traits,
            boolean mayCreate,
            int groupsMax)
            implements Command {}

    /// A port takes join states back.
    record Leave(Gid group, Gid port, int joinState) implements Command {}

    /// A group exists, without members: in a copy of a state.
    record PutGroup(Gid group, int lid, GroupTraits traits, boolean isPermanent)
            implements Command {}

    /// A port offers a service, or renews it.
    record Register(Service service) implements Command {}

    /// A service is offered no more.
    record Unregister(Service.Key key) implements Command {}

    /// A port wants reports.
    record Subscribe(Subscription subscription) implements Command {}

    /// A port wants no more reports.
    record Unsubscribe(Subscription subscription) implements Command {}

    /// A port is gone, and all that it asked for.
    record Forget(long guid) implements Command {}

    /// A file of partitions comes into force.
    ///
    /// @param text all of it
    /// @param groupsMax as [Join] has it
    record SetPartitions(String text, int groupsMax) implements Command {}
}
