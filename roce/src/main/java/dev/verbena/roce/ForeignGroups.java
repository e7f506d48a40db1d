package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.NoDeviceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The multicast groups that a device has joined: a socket for each, at the group's own address.
///
/// A socket at the device's address receives no datagrams to a group, and a socket at no address
/// would receive those for others. Several sockets may be bound to a group's address, of any user's
/// programs, and each gets its copy; the steering program is not used. Membership ends with its
/// socket, so it ends with the process, and the kernel notifies the network (IGMP, MLD).
final class ForeignGroups {
    private final RoceSettings settings;
    private final Link link;
    private final ForeignSocket sockets;
    private final MemorySegment state;
    private final SideSockets side;
    private final List<Member> members = new ArrayList<>();

    /// Packets that the kernel dropped at sockets that are closed.
    private long dropsBefore;

    private record Member(Gid group, int socket) {}

    ForeignGroups(RoceSettings settings, Link link, MemorySegment state, SideSockets side) {
        this.settings = settings;
        this.link = link;
        this.state = state;
        this.side = side;
        sockets = new ForeignSocket(settings.name(), state);
    }

    void join(Gid group) {
        int socket = open(group);
        try {
            side.add(socket);
        } catch (LimitExceededException refused) {
            Libc.close(state, socket);
            throw refused;
        }
        members.add(new Member(group, socket));
    }

    private int open(Gid group) {
        try {
            return sockets.openMember(group, settings, link.index());
        } catch (NoDeviceException refused) {
            throw new LimitExceededException(
                    settings.name(),
                    "it cannot join the multicast group " + group + ": " + refused.getMessage(),
                    "look at the limit of open files, and whether another program than Verbena"
                            + " has the group's port for itself",
                    refused);
        }
    }

    void leave(Gid group) {
        members.removeIf(
                member -> {
                    boolean isLeft = member.group.equals(group);
                    if (isLeft) {
                        dropsBefore += Math.max(0, ForeignSocket.drops(state, member.socket));
                        Libc.close(state, member.socket);
                    }
                    return isLeft;
                });
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    /// The group whose socket this is.
    Gid of(int socket) {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).socket == socket) {
                return members.get(i).group;
            }
        }
        throw new AssertionError("socket " + socket + " is no group's");
    }

    long drops() {
        long drops = dropsBefore;
        for (Member member : members) {
            drops += Math.max(0, ForeignSocket.drops(state, member.socket));
        }
        return drops;
    }

    void close() {
        for (Member member : members) {
            Libc.close(state, member.socket);
        }
        members.clear();
    }
}
