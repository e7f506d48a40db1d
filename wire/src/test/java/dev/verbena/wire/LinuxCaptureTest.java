package dev.verbena.wire;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.CmReq;
import dev.verbena.wire.mad.Mad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Two Linux kernels with Soft-RoCE talk to each other, and every packet is taken as they meant it.
///
/// Counts were read with tshark 4.0.17.
class LinuxCaptureTest {
    private static final String IPV4 = "rxe-kernel-ipv4.pcap";
    private static final String IPV6 = "rxe-kernel-ipv6.pcap";

    /// How often each opcode is in the IPv4 capture; the RC SENDs and ACKs differ in the other one.
    private static final Map<Integer, Integer> OPCODES =
            Map.ofEntries(
                    entry(0x00, 13),
                    entry(0x01, 13),
                    entry(0x02, 13),
                    entry(0x04, 16),
                    entry(0x06, 5),
                    entry(0x07, 5),
                    entry(0x08, 5),
                    entry(0x0A, 2),
                    entry(0x0C, 7),
                    entry(0x0D, 5),
                    entry(0x0E, 5),
                    entry(0x0F, 5),
                    entry(0x10, 2),
                    entry(0x11, 36),
                    entry(0x12, 10),
                    entry(0x13, 5),
                    entry(0x14, 5),
                    entry(0x20, 8),
                    entry(0x21, 8),
                    entry(0x22, 8),
                    entry(0x26, 5),
                    entry(0x27, 5),
                    entry(0x28, 5),
                    entry(0x64, 13));

    private final Icrc icrc = new Icrc();
    private final PacketView view = new PacketView();

    @ParameterizedTest
    @CsvSource({IPV4 + ", 204", IPV6 + ", 220"})
    void everyIcrcIsRightAndEveryFrameIsWrittenAgain(String file, int frames) {
        int right = 0;
        for (VectorFrame frame : VectorFrame.read(file)) {
            assertThat(frame.wrap(view)).as("%s", frame).isEqualTo(Verdict.OK);
            right += view.integrity(icrc) == Verdict.OK ? 1 : 0;
            assertThat(ExpectedFrame.emitted(Packet.parse(view), icrc))
                    .as("%s", frame)
                    .isEqualTo(frame.bytes());
        }
        System.out.printf("LinuxCaptureTest %s: %d of %d ICRCs right%n", file, right, frames);
        assertThat(right).isEqualTo(frames);
    }

    @Test
    void everyOpcodeIsThereAsOftenAsItWasSent() {
        Map<Integer, Integer> ipv6 = new HashMap<>(OPCODES);
        ipv6.putAll(Map.of(0x00, 15, 0x01, 15, 0x02, 15, 0x04, 18, 0x11, 44));

        assertThat(opcodes(IPV4)).isEqualTo(OPCODES);
        assertThat(opcodes(IPV6)).isEqualTo(ipv6);
    }

    private static Map<Integer, Integer> opcodes(String file) {
        Map<Integer, Integer> counts = new TreeMap<>();
        packets(file).forEach(packet -> counts.merge(packet.bth().opcode(), 1, Integer::sum));
        return counts;
    }

    /// A socket shows addresses, ports and the UDP payload; the rest of the ICRC is the solver's.
    @ParameterizedTest
    @CsvSource({IPV4 + ", 204, 0", IPV6 + ", 29, 191"})
    void theIcrcHoldsWithWhatASocketShows(String file, int overIpv4, int overIpv6) {
        int solved = 0;
        int exact = 0;
        PacketView bare = new PacketView();
        IcrcPseudoHeader header = new IcrcPseudoHeader();
        for (VectorFrame frame : VectorFrame.read(file)) {
            assertThat(frame.wrap(view)).isEqualTo(Verdict.OK);
            assertThat(bare.wrapTransport(frame.packet(), view.bthAt(), view.transportLength()))
                    .as("%s", frame)
                    .isEqualTo(Verdict.OK);
            Envelope.RoceV2 envelope = (Envelope.RoceV2) Envelope.parse(view);
            Udp udp = envelope.udp();
            switch (envelope.ip()) {
                case Ipv4 ip -> {
                    header.setIpv4(ip.source(), ip.destination(), udp.sourcePort(), 4791);
                    assertThat(solve(header, bare)).as("%s", frame).isEqualTo(ip.id());
                    assertThat(icrc.isRight(header, ip.id(), bare)).as("%s", frame).isTrue();
                    solved++;
                }
                case Ipv6 ip -> {
                    header.setIpv6(ip.source(), ip.destination(), udp.sourcePort(), 4791);
                    assertThat(icrc.isRight(header, 0, bare)).as("%s", frame).isTrue();
                    exact++;
                }
            }
        }
        System.out.printf(
                "LinuxCaptureTest %s: %d IPv4 identifications found, %d IPv6 ICRCs exact%n",
                file, solved, exact);
        assertThat(solved).isEqualTo(overIpv4);
        assertThat(exact).isEqualTo(overIpv6);
    }

    private int solve(IcrcPseudoHeader header, PacketView bare) {
        int length = bare.transportLength() - Icrc.LENGTH;
        return Ipv4IdSolver.solve(
                icrc.compute(header, 0, bare.segment(), bare.bthAt(), length),
                Icrc.stored(bare.segment(), bare.icrcAt()),
                length);
    }

    @ParameterizedTest
    @ValueSource(strings = {IPV4, IPV6})
    void headersAreFilledInOneWay(String file) {
        for (Packet packet : packets(file)) {
            Bth bth = packet.bth();
            assertThat(bth.pkey()).isEqualTo(0xFFFF);
            assertThat(bth.version()).isZero();
            assertThat(bth.migration() || bth.solicited() || bth.fecn() || bth.becn()).isFalse();
            Envelope.RoceV2 envelope = (Envelope.RoceV2) packet.envelope();
            assertThat(envelope.ip().trafficClass()).isZero();
            assertThat(envelope.udp().checksum()).isZero();
            switch (envelope.ip()) {
                case Ipv4 ip -> {
                    assertThat(ip.fragment()).isEqualTo(Ipv4.DONT_FRAGMENT);
                    assertThat(ip.timeToLive()).isEqualTo(64);
                }
                case Ipv6 ip -> {
                    assertThat(ip.flowLabel()).isZero();
                    assertThat(ip.hopLimit()).isEqualTo(64);
                }
            }
            aeth(packet)
                    .forEach(
                            aeth ->
                                    assertThat(aeth.syndrome())
                                            .isEqualTo(AethSyndrome.ACK_UNLIMITED));
        }
    }

    private static List<Aeth> aeth(Packet packet) {
        return packet.headers().stream()
                .filter(Aeth.class::isInstance)
                .map(Aeth.class::cast)
                .toList();
    }

    /// An acknowledgement is asked for with the last packet of a SEND or WRITE and with READs and
    /// atomics; on unreliable services only the connection manager asks, and there are no answers.
    @ParameterizedTest
    @CsvSource({IPV4 + ", 36, 0", IPV6 + ", 40, 4"})
    void everyRequestForAnAcknowledgementIsAnswered(String file, int asked, int duplicates) {
        int requests = 0;
        int again = 0;
        int acknowledged = 0;
        Set<String> seen = new HashSet<>();
        for (Packet packet : packets(file)) {
            Bth bth = packet.bth();
            Operation operation = packet.opcode().operation();
            if (packet.opcode().service() != Service.RC) {
                assertThat(bth.ackRequest()).isEqualTo(bth.destQp() == 1);
            } else if (operation.isResponse()) {
                assertThat(bth.ackRequest()).isFalse();
                acknowledged += operation == Operation.ACKNOWLEDGE ? 1 : 0;
            } else {
                assertThat(bth.ackRequest()).isEqualTo(operation.endsMessage());
                boolean first = seen.add(source(packet) + " " + bth.destQp() + " " + bth.psn());
                boolean answeredByData =
                        operation == Operation.READ_REQUEST
                                || operation == Operation.COMPARE_SWAP
                                || operation == Operation.FETCH_ADD;
                requests += bth.ackRequest() && !answeredByData ? 1 : 0;
                // A repeated packet is acknowledged again whether or not it asks.
                again += !first && !bth.ackRequest() ? 1 : 0;
            }
        }
        assertThat(requests).isEqualTo(asked);
        assertThat(again).isEqualTo(duplicates);
        assertThat(acknowledged).isEqualTo(asked + duplicates);
    }

    /// Both ends of a connection send from one port, made of both queue pair numbers. A connection
    /// that was made by the connection manager takes the flow label that was agreed upon instead.
    @ParameterizedTest
    @CsvSource({IPV4 + ", 54355", IPV6 + ", 35247"})
    void theSourcePortOfAConnectionFollowsFromItsQueuePairs(String file, int cmPort) {
        CmReq req = request(file);
        // rdma_cm makes the label of its own two ports; rping's well-known one is 7174.
        assertThat(req.paths().primary().flowLabel()).isEqualTo((cmPort * 31 + 7174) & 0xFFFFF);
        List<Packet> connected =
                packets(file).stream().filter(p -> p.opcode().service() != Service.UD).toList();
        Map<String, Integer> peers = new HashMap<>();
        connected.forEach(packet -> peers.put(flow(packet), packet.bth().destQp()));
        List<Packet> oneWay = new ArrayList<>();
        for (Packet packet : connected) {
            Integer local = peers.get(reverseFlow(packet));
            if (local == null) {
                oneWay.add(packet);
                continue;
            }
            boolean managed = packet.bth().destQp() == req.queuePair().qpn();
            int label =
                    managed
                            ? req.paths().primary().flowLabel()
                            : label(local, packet.bth().destQp());
            assertThat(sourcePort(packet)).isEqualTo(Udp.sourcePortOf(label));
        }
        // Unreliable WRITEs, which nothing comes back for.
        assertThat(oneWay).hasSize(15).allMatch(packet -> packet.opcode().service() == Service.UC);
    }

    /// The flow label that Linux gives a pair of queue pairs, the same in both directions.
    private static int label(int local, int remote) {
        long mixed = (long) local * remote;
        mixed ^= mixed >>> 20;
        mixed ^= mixed >>> 40;
        return (int) mixed & 0xFFFFF;
    }

    private static CmReq request(String file) {
        return packets(file).stream()
                .filter(packet -> packet.bth().destQp() == 1)
                .map(packet -> packet.payload().segment())
                .filter(mad -> Mad.attributeId(mad, 0) == CmReq.ATTRIBUTE_ID)
                .map(mad -> CmReq.parse(mad, 0))
                .findFirst()
                .orElseThrow();
    }

    /// Datagrams are sent from a port that is a hash of the sender's queue pair number.
    @ParameterizedTest
    @ValueSource(strings = {IPV4, IPV6})
    void theSourcePortOfADatagramFollowsFromItsSender(String file) {
        Map<Integer, Integer> ports = new HashMap<>();
        for (Packet packet : packets(file)) {
            if (packet.opcode().service() == Service.UD) {
                Deth deth = (Deth) packet.headers().getFirst();
                assertThat(deth.qkey()).isEqualTo(deth.sourceQp() == 1 ? 0x80010000 : 0x11111111);
                // Knuth's multiplicative hash, with the golden ratio's complement, to 14 bits.
                int hash = (deth.sourceQp() * 0x61C88647) >>> 18;
                assertThat(sourcePort(packet)).isEqualTo(0xC000 + hash);
                ports.put(deth.sourceQp(), sourcePort(packet));
            }
        }
        assertThat(ports).isEqualTo(Map.of(1, 55410, 0x18, 51891));
    }

    private static String flow(Packet packet) {
        Ip ip = ((Envelope.RoceV2) packet.envelope()).ip();
        return ip.sourceGid() + ">" + ip.destinationGid() + " " + sourcePort(packet);
    }

    private static String reverseFlow(Packet packet) {
        Ip ip = ((Envelope.RoceV2) packet.envelope()).ip();
        return ip.destinationGid() + ">" + ip.sourceGid() + " " + sourcePort(packet);
    }

    private static Gid source(Packet packet) {
        return ((Envelope.RoceV2) packet.envelope()).ip().sourceGid();
    }

    private static int sourcePort(Packet packet) {
        return ((Envelope.RoceV2) packet.envelope()).udp().sourcePort();
    }

    private static List<Packet> packets(String file) {
        PacketView view = new PacketView();
        List<Packet> packets = new ArrayList<>();
        for (VectorFrame frame : VectorFrame.read(file)) {
            assertThat(frame.wrap(view)).as("%s", frame).isEqualTo(Verdict.OK);
            packets.add(Packet.parse(view));
        }
        return packets;
    }
}
