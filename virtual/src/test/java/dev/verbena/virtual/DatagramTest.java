package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.wire.Envelope;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.CaptureStatus;
import dev.verbena.wire.capture.LinkType;
import dev.verbena.wire.capture.PcapngWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams, to one and to many: only the headers of the frames decide their path.
class DatagramTest {
    private static final int KEY = 7;
    private static final int PAYLOAD = 64;

    /// A device with a datagram queue pair and one receive request.
    private static final class Host {
        final Device device;
        final ProtectionDomain domain;
        final CompletionQueue done;
        final MemoryRegion memory;
        final QueuePair pair;

        Host(Device device) {
            this.device = device;
            domain = device.protectionDomain();
            done = device.completionQueue(16);
            memory = domain.allocate(4096, Access.LOCAL_WRITE);
            pair = domain.queuePair(QueuePairType.UD, it -> it.completions(done).queueKey(KEY));
            pair.activate();
            pair.postReceive(it -> it.receive(memory.slice(0, DatagramHeader.LENGTH + PAYLOAD)));
        }

        void send(String text, Address address, int queuePair) {
            memory.segment().setString(1024, text);
            try (AddressHandle way = domain.addressHandle(address)) {
                pair.post(
                        batch ->
                                batch.send(memory.slice(1024, PAYLOAD))
                                        .to(way, queuePair, KEY)
                                        .signaled());
            }
            Traffic.awaitSuccess(done, 1);
        }

        String text() {
            return memory.segment().getString(DatagramHeader.LENGTH);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"239.1.2.3", "ff0e::1"})
    void everyMemberOfAGroupGetsACopy(String address) {
        Gid group = Gid.parse(address);
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Host> hosts = hosts(network, 4);
            hosts.get(1).pair.attachMulticast(group, 0);
            hosts.get(2).pair.attachMulticast(group, 0);
            Host sender = hosts.getFirst();
            sender.send("to all", Address.multicast(group, 0), QueuePair.MULTICAST_NUMBER);
            network.advance(Duration.ofMillis(1));

            assertThat(hosts).extracting(Host::text).containsExactly("", "to all", "to all", "");
            Host member = hosts.get(2);
            Gid from = DatagramHeader.source(member.memory.segment(), 0);
            assertThat(from).isEqualTo(sender.device.gids(1).getFirst());
            assertThat(DatagramHeader.destination(member.memory.segment(), 0)).isEqualTo(group);
            assertThat(network.counts().sent()).isEqualTo(1);
            assertThat(network.counts().arrived()).isEqualTo(2);

            hosts.get(1).device.close();
            member.pair.detachMulticast(group, 0);
            sender.send("to no member", Address.multicast(group, 0), QueuePair.MULTICAST_NUMBER);
            assertThat(network.counts().unreachable()).isEqualTo(1);
        }
    }

    @Test
    void theWayBackIsToldByThePacket() {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            List<Host> hosts = hosts(network, 2);
            Host one = hosts.getFirst();
            Host other = hosts.getLast();
            Address way =
                    Address.to(other.pair.endpoint()).withServiceLevel(5).withTrafficClass(0x68);
            one.send("ping", way, other.pair.number());
            List<Address> replies = new ArrayList<>();
            other.done.await(
                    Duration.ofSeconds(1),
                    it ->
                            replies.add(
                                    Address.replyTo(
                                            it, other.memory.segment(), 0, other.device.gids(1))));

            assertThat(replies).hasSize(1);
            assertThat(replies.getFirst().gid()).isEqualTo(one.device.gids(1).getFirst());
            assertThat(replies.getFirst().serviceLevel()).isEqualTo(5);
            assertThat(replies.getFirst().trafficClass()).isEqualTo(0x68);
            other.send("pong", replies.getFirst(), one.pair.number());
            network.advance(Duration.ofMillis(1));
            assertThat(one.text()).isEqualTo("pong");
        }
    }

    @Test
    void aMemberMayMissWhatAnotherGets() {
        Gid group = Gid.parse("ff0e::1");
        VirtualSettings lossy = VirtualSettings.DEFAULT.withLoss(0.5);
        int differing = 0;
        for (int seed = 0; seed < 20; seed++) {
            try (VirtualNetwork network = new VirtualNetwork(lossy.withSeed(seed))) {
                List<Host> hosts = hosts(network, 3);
                hosts.get(1).pair.attachMulticast(group, 0);
                hosts.get(2).pair.attachMulticast(group, 0);
                hosts.getFirst()
                        .send("news", Address.multicast(group, 0), QueuePair.MULTICAST_NUMBER);
                network.advance(Duration.ofMillis(1));
                differing += hosts.get(1).text().equals(hosts.get(2).text()) ? 0 : 1;
            }
        }
        assertThat(differing).isBetween(3, 17);
    }

    @Test
    void framesOfEveryKindAreWholeInTheCapture() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT);
        network.capture(PcapngWriter.on(Channels.newChannel(bytes), LinkType.ETHERNET));
        Host sender = hosts(network, 1).getFirst();
        for (String to : List.of("239.1.2.3", "ff0e::1", "10.0.0.77")) {
            Address way = Address.to(sender.pair.endpoint()).withGid(Gid.parse(to));
            sender.send("text", way, 5);
            sender.send("text", way.withServiceLevel(3).withFlowLabel(0x12345), 5);
        }
        network.close();

        PacketView view = new PacketView();
        Icrc icrc = new Icrc();
        List<String> destinations = new ArrayList<>();
        try (CaptureReader reader =
                CaptureReader.open(
                        Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())))) {
            while (reader.next() == CaptureStatus.PACKET) {
                assertThat(view.wrapEthernet(reader.segment(), reader.at(), reader.length()))
                        .isEqualTo(Verdict.OK);
                assertThat(view.integrity(icrc)).isEqualTo(Verdict.OK);
                Envelope.RoceV2 envelope = (Envelope.RoceV2) Envelope.parse(view);
                destinations.add(envelope.ip().destinationGid().toString());
            }
        }
        assertThat(destinations)
                .containsExactly(
                        "::ffff:239.1.2.3",
                        "::ffff:239.1.2.3",
                        "ff0e::1",
                        "ff0e::1",
                        "::ffff:10.0.0.77",
                        "::ffff:10.0.0.77");
    }

    private static List<Host> hosts(VirtualNetwork network, int count) {
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(new Host(network.open("host" + i)));
        }
        return hosts;
    }
}
