package dev.verbena.wire;

import static dev.verbena.wire.ExpectedFrame.frame;
import static dev.verbena.wire.HandMade.NONE;
import static dev.verbena.wire.HandMade.bth;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.Mad;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Management datagrams on native links, frame by frame; literals were read with tshark 4.0.17.
///
/// The common header is a record; what follows it belongs to each class and is compared as bytes.
class ManagementVectorsTest {
    private static final int GET = 0x01;
    private static final int SET = 0x02;
    private static final int GET_RESPONSE = 0x81;

    /// Where an SMP and a performance datagram have their attribute, and where the SA has it.
    private static final int DATA = 64;

    private static final int SA_DATA = 56;

    /// Both ends of a route that has no LID-routed part.
    private static final String PERMISSIVE = "ffffffff";

    /// The direction bit of a directed route, in the place of the status.
    private static final int RETURNING = 0x8000;

    /// Bytes at an offset in a datagram.
    private record Piece(int at, String hex) {}

    /// A datagram that was written down by hand; what no piece names behind the header is zero.
    private record Datagram(String title, String checksums, Lrh lrh, Mad mad, List<Piece> pieces) {

        Datagram with(int at, String hex) {
            List<Piece> more = new ArrayList<>(pieces);
            more.add(new Piece(at, hex));
            return new Datagram(title, checksums, lrh, mad, more);
        }

        Payload payload() {
            MemorySegment bytes = MemorySegment.ofArray(new byte[256]);
            mad.emit(bytes, 0);
            for (Piece piece : pieces) {
                Payload.of(Hex.bytes(piece.hex)).emit(bytes, piece.at);
            }
            return Payload.parse(bytes, 0, 256);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"erf", "dlt247", "userdlt147"})
    void subnetManagementIsUnderstoodInEveryLinkType(String kind) {
        List<Datagram> datagrams =
                List.of(
                        // One hop, by port 1.
                        directed("Get(NodeInfo)", "c8237ee57bc6", GET, 0, 0x0101, 0x100, 0x11, 0)
                                .with(129, "01"),
                        // A channel adapter with one port, and the way back, by port 1 too.
                        directed(
                                        "GetResp(NodeInfo)",
                                        "c083e57831cf",
                                        GET_RESPONSE,
                                        RETURNING,
                                        0x0101,
                                        0x100,
                                        0x11,
                                        0)
                                .with(
                                        DATA,
                                        "01010101 0002c90300000001 0002c90300000001"
                                                + "0002c90300000002 0080 1013 000000a0 01 0002c9")
                                .with(129, "01")
                                .with(193, "01"),
                        answer("NodeDescription", "7c21a14cd7e5", 0x101, 0x10, 0)
                                .with(DATA, "6a6176612d6962204843412d31"),
                        // LID 2, SM at LID 1, active, link up, MTU 4096.
                        answer("PortInfo", "cc71258a7096", 0x102, 0x15, 1)
                                .with(
                                        DATA,
                                        "0000000000000000 fe80000000000000 0002 0001 02510868"
                                                + "0000 0000 01 03 03 02 74 52 00 47 50 40 00 08"
                                                + "08 05 00 40 0000 0000 0000 20 12 12 88"),
                        answer("SwitchInfo", "a867fadf618a", 0x103, 0x12, 0)
                                .with(DATA, "c000 0000 1000 000a 00 ff ff 90 0000 0020 f0 00 c000"),
                        // Activity 7, priority 14, master.
                        answer("SMInfo", "0b375cb00188", 0x104, 0x20, 0)
                                .with(DATA, "0002c90300000002 0000000000000000 00000007 e3"),
                        set("LinearForwardingTable", "b69a3b7bb303", 0x105, 0x19)
                                .with(DATA, "ff" + "01".repeat(63)),
                        answer("P_KeyTable", "d7e9ea4bbf41", 0x106, 0x16, 0).with(DATA, "ffff"),
                        answer("SLtoVLMappingTable", "84dcba528be6", 0x107, 0x17, 0)
                                .with(DATA, "01234567 01234567"),
                        answer("VLArbitrationTable", "a94948452069", 0x108, 0x18, 0x10000)
                                .with(DATA, "0040 0140"),
                        set("MulticastForwardingTable", "106cdb3f4d1e", 0x109, 0x1B)
                                .with(DATA, "0006 0002"),
                        answer("GUIDInfo", "89a3d7e8dba6", 0x10A, 0x14, 0)
                                .with(DATA, "0002c90300000002"),
                        // Urgent, of a switch, number 128: the state of a port at LID 2 changed.
                        new Datagram(
                                        "SubnTrap(Notice)",
                                        "2a0bb71eaa10",
                                        new Lrh(15, 0, 0, 2, 1, 72, 2),
                                        new Mad(0x01, 1, 0x05, 0, 0, 0x200, 0x02, 0),
                                        List.of())
                                .with(DATA, "81 000002 0080 0002 0000 0002"));

        assertAll("ib-native-smp-" + kind + ".pcap", datagrams, 0, 0);
    }

    private static Datagram directed(
            String title,
            String checksums,
            int method,
            int status,
            int hops,
            long transaction,
            int attribute,
            int modifier) {
        return new Datagram(
                        "Subn" + title,
                        checksums,
                        new Lrh(15, 0, 0, 2, 0xFFFF, 72, 0xFFFF),
                        new Mad(0x81, 1, method, status, hops, transaction, attribute, modifier),
                        List.of())
                .with(32, PERMISSIVE);
    }

    private static Datagram answer(
            String attribute, String checksums, long transaction, int id, int modifier) {
        return directed(
                "GetResp(" + attribute + ")",
                checksums,
                GET_RESPONSE,
                RETURNING,
                0,
                transaction,
                id,
                modifier);
    }

    private static Datagram set(String attribute, String checksums, long transaction, int id) {
        return directed("Set(" + attribute + ")", checksums, SET, 0, 0, transaction, id, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"erf", "dlt247", "userdlt147"})
    void generalServicesAreUnderstoodInEveryLinkType(String kind) {
        String path =
                "0000000000000000 fe80000000000000020000fffe000002"
                        + "fe80000000000000020000fffe000001 0002 0001 00000000 00 81 ffff 0000"
                        + "84 83 92";
        List<Datagram> datagrams =
                List.of(
                        // By both GIDs, destination LID, reversible, number of paths and P_Key.
                        administration("Get(PathRecord)", "1d022dc79ffd", 1, GET, 0x300, 0x35)
                                .with(48, "000000000000381c")
                                .with(SA_DATA, path),
                        administration(
                                        "GetResp(PathRecord)",
                                        "ad8d0019e647",
                                        1,
                                        GET_RESPONSE,
                                        0x300,
                                        0x35)
                                .with(44, "0008")
                                .with(SA_DATA, path),
                        // RMPP: the first and last segment, 132 bytes; one record of 14 words.
                        administration(
                                        "GetTableResp(NodeRecord)",
                                        "6d6e29063d7f",
                                        2,
                                        0x92,
                                        0x301,
                                        0x11)
                                .with(24, "01 01 ff 00 00000001 00000084")
                                .with(44, "000e")
                                .with(
                                        SA_DATA,
                                        "0002 0000 01010101 0002c90300000001 0002c90300000001"
                                                + "0002c90300000002 0080 1013 000000a0 01 0002c9"
                                                + "6a6176612d6962204843412d31"),
                        administration("Set(MCMemberRecord)", "18564f8ff976", 1, SET, 0x302, 0x38)
                                .with(48, "0000000000010003")
                                .with(
                                        SA_DATA,
                                        "ff12401bffff000000000000ffffffff"
                                                + "fe80000000000000020000fffe000001 00000b1b c000"
                                                + "84 00 ffff 83 92 00000000 21"),
                        administration("Set(InformInfo)", "c946d748ea35", 1, SET, 0x303, 0x03)
                                .with(72, "ffff 0000 0000 01 01 ffff ffff 000001 12"),
                        administration("Set(ServiceRecord)", "d149e1128dfa", 1, SET, 0x304, 0x31)
                                .with(
                                        SA_DATA,
                                        "1000000000000001 fe80000000000000020000fffe000001"
                                                + "ffff 0000 ffffffff")
                                .with(104, "6a6176612d73657276696365"),
                        performance("PortCounters", "450a50bfea68", 0x400, 0x12)
                                .with(DATA, "00 01 ffff")
                                .with(88, "000003e8 000007d0 0000000a 00000014 00000007"),
                        performance("PortCountersExtended", "9a23ebe3ea81", 0x401, 0x1D)
                                .with(DATA, "00 01 00ff 00000000")
                                .with(72, "0000000000000001 0000000000000002 0000000000000003")
                                .with(96, "0000000000000004 0000000000000005 0000000000000006")
                                .with(120, "0000000000000007 0000000000000008"));

        assertAll("ib-native-gsi-" + kind + ".pcap", datagrams, 1, 0x80010000);
    }

    private static Datagram administration(
            String title, String checksums, int destLid, int method, long transaction, int id) {
        return new Datagram(
                "SubnAdm" + title,
                checksums,
                new Lrh(0, 0, 0, 2, destLid, 72, 1),
                new Mad(0x03, 2, method, 0, 0, transaction, id, 0),
                List.of());
    }

    private static Datagram performance(
            String attribute, String checksums, long transaction, int id) {
        return new Datagram(
                "PerfGetResp(" + attribute + ")",
                checksums,
                new Lrh(0, 0, 0, 2, 1, 72, 2),
                new Mad(0x04, 1, GET_RESPONSE, 0, 0, transaction, id, 0),
                List.of());
    }

    private static void assertAll(String file, List<Datagram> datagrams, int queuePair, int qkey) {
        List<VectorFrame> frames = VectorFrame.read(file);
        assertThat(frames).hasSameSizeAs(datagrams);
        PacketView view = new PacketView();
        for (int i = 0; i < datagrams.size(); i++) {
            Datagram datagram = datagrams.get(i);
            frame(
                            "UD SEND Only",
                            datagram.checksums,
                            new Envelope.IbLocal(datagram.lrh),
                            bth(0x64, NONE, 0, queuePair, i),
                            List.of(new Deth(qkey, queuePair)),
                            datagram.payload())
                    .assertIs(frames.get(i));
            assertThat(frames.get(i).wrap(view)).isEqualTo(Verdict.OK);
            assertThat(Mad.check(view.segment(), view.payloadAt(), view.payloadLength()))
                    .isEqualTo(Verdict.OK);
            Mad mad = Mad.parse(view.segment(), view.payloadAt());
            assertThat(mad).as(datagram.title).isEqualTo(datagram.mad);
            assertThat(mad.title()).isEqualTo(datagram.title);
        }
    }
}
