package dev.verbena.roce;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LimitExceededException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/// The multicast groups that a device has joined by the JDK's channels, as [ForeignGroups] does by
/// system calls: a channel for each, at the group's own address.
final class PortableGroups {
    private final RoceSettings settings;
    private final Link link;
    private final Selector selector;
    private final List<Member> members = new ArrayList<>();
    private ByteBuffer incoming = ByteBuffer.allocate(0);
    private int turn;

    private record Member(Gid group, DatagramChannel channel, MembershipKey key) {}

    PortableGroups(RoceSettings settings, Link link, Selector selector) {
        this.settings = settings;
        this.link = link;
        this.selector = selector;
    }

    /// Datagrams of a channel to groups leave through the device's interface.
    void sendBy(DatagramChannel channel) throws IOException {
        NetworkInterface by = NetworkInterface.getByIndex(link.index());
        if (by != null) {
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, by);
        }
        channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, ForeignSocket.HOPS);
    }

    void join(Gid group) {
        try {
            members.add(open(group));
        } catch (IOException | UnsupportedOperationException refused) {
            throw new LimitExceededException(
                    settings.name(),
                    "it cannot join the multicast group " + group + ": " + refused,
                    "look at the limit of open files, and whether another program than Verbena"
                            + " has the group's port for itself",
                    refused);
        }
    }

    private Member open(Gid group) throws IOException {
        boolean isIpv4 = group.isIpv4();
        DatagramChannel channel =
                DatagramChannel.open(
                        isIpv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBuffer());
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(group.toInetAddress(), settings.port()));
            NetworkInterface by = NetworkInterface.getByIndex(link.index());
            MembershipKey key = channel.join(group.toInetAddress(), by);
            channel.register(selector, SelectionKey.OP_READ);
            // A thread that sleeps looks at the new one only when it sleeps again.
            selector.wakeup();
            return new Member(group, channel, key);
        } catch (IOException | UnsupportedOperationException refused) {
            channel.close();
            throw refused;
        }
    }

    void leave(Gid group) {
        members.removeIf(
                member -> {
                    boolean isLeft = member.group.equals(group);
                    if (isLeft) {
                        close(member);
                    }
                    return isLeft;
                });
    }

    /// Receives datagrams for one of the groups, in turn.
    boolean receive(Arrival arrival) {
        for (int i = 0; i < members.size(); i++) {
            turn = turn + 1 < members.size() ? turn + 1 : 0;
            if (receive(members.get(turn), arrival)) {
                return true;
            }
        }
        return false;
    }

    private boolean receive(Member member, Arrival arrival) {
        if (incoming.capacity() == 0) {
            incoming = arrival.bytes.asByteBuffer();
        }
        if (!PortableDatagrams.receive(member.channel, incoming, arrival)) {
            return false;
        }
        arrival.group = member.group;
        return true;
    }

    private static void close(Member member) {
        try {
            // The selector may keep the channel for a while.
            member.key.drop();
            member.channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void close() {
        members.forEach(PortableGroups::close);
        members.clear();
    }
}
