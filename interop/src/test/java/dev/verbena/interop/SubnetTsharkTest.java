package dev.verbena.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Gid;
import dev.verbena.wire.Packet;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.LinkRecord;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadField;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortCounters;
import dev.verbena.wire.mad.PortCountersExtended;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.ServiceRecord;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What we write, tshark reads: the attributes of subnet and performance management, with random
/// values in all their fields.
class SubnetTsharkTest {
    private static final int DATAGRAMS = 24;
    private static final int SMP = ManagementClass.SUBNET_LID_ROUTED;
    private static final int SA = ManagementClass.SUBNET_ADMINISTRATION;
    private static final int PERF = ManagementClass.PERFORMANCE;

    /// Where tshark's name differs from ours beyond letters.
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("portinfo.gidprefix", "portinfo.guid"),
                    Map.entry("portinfo.mkey", "portinfo.m_key"),
                    Map.entry("portinfo.mkeyleaseperiod", "portinfo.m_keyleaseperiod"),
                    Map.entry("portinfo.mkeyprotectbits", "portinfo.m_keyprotectbits"),
                    Map.entry("portinfo.mkeyviolations", "portinfo.m_keyviolations"),
                    Map.entry("portinfo.pkeyviolations", "portinfo.p_keyviolations"),
                    Map.entry("portinfo.qkeyviolations", "portinfo.q_keyviolations"),
                    Map.entry(
                            "switchinfo.optimizedsltovl",
                            "switchinfo.optimizedsltovlmappingprogramming"),
                    Map.entry("sminfo.smkey", "sminfo.sm_key"),
                    Map.entry("notice.producertype", "notice.producertypevendorid"),
                    Map.entry("notice.trapnumber", "notice.trapnumberdeviceid"),
                    Map.entry("informinfo.trapnumber", "informinfo.trapnumberdeviceid"),
                    Map.entry("informinfo.producertype", "informinfo.producertypevendorid"),
                    Map.entry("pathrecord.trafficclass", "pathrecord.tclass"),
                    Map.entry("pathrecord.pkey", "pathrecord.p_key"),
                    Map.entry("mcmemberrecord.trafficclass", "mcmemberrecord.tclass"),
                    Map.entry("mcmemberrecord.pkey", "mcmemberrecord.p_key"),
                    Map.entry("mcmemberrecord.qkey", "mcmemberrecord.q_key"),
                    Map.entry("linkrecord.servicepkey", "linkrecord.servicep_key"),
                    Map.entry("portcounters.symbolerror", "portcounters.symbolerrorcounter"),
                    Map.entry(
                            "portcounters.linkerrorrecovery",
                            "portcounters.linkerrorrecoverycounter"),
                    Map.entry("portcounters.linkdowned", "portcounters.linkdownedcounter"));

    /// Fields that tshark 4.0 does not show, or not with all their bits.
    private static final Set<String> UNSEEN =
            Set.of(
                    "portinfo.capabilitymask2",
                    "portinfo.linkspeedextactive",
                    "portinfo.linkspeedextsupported",
                    "portinfo.linkspeedextenabled",
                    "portinfo.multicastpkeytrapsuppression",
                    "switchinfo.multicastfdbtop",
                    "portcounters.counterselect2",
                    "portcounters.qp1dropped",
                    "portcounters.xmitwait",
                    "portcounters_ext.counterselect2",
                    "pathrecord.serviceid",
                    "pathrecord.qosclass",
                    "classportinfo.traphoplimit");

    /// An attribute, and tshark's name for it.
    enum Kind {
        NODE_INFO(SMP, NodeInfo.ATTRIBUTE_ID, "nodeinfo"),
        SWITCH_INFO(SMP, SwitchInfo.ATTRIBUTE_ID, "switchinfo"),
        PORT_INFO(SMP, PortInfo.ATTRIBUTE_ID, "portinfo"),
        SM_INFO(SMP, SmInfo.ATTRIBUTE_ID, "sminfo"),
        NOTICE(SMP, Notice.ATTRIBUTE_ID, "notice"),
        PORT_COUNTERS(PERF, PortCounters.ATTRIBUTE_ID, "portcounters"),
        PORT_COUNTERS_EXTENDED(PERF, PortCountersExtended.ATTRIBUTE_ID, "portcounters_ext"),
        CLASS_PORT_INFO(PERF, ClassPortInfo.ATTRIBUTE_ID, "classportinfo"),
        PATH_RECORD(SA, PathRecord.ATTRIBUTE_ID, "pathrecord"),
        MC_MEMBER_RECORD(SA, McMemberRecord.ATTRIBUTE_ID, "mcmemberrecord"),
        INFORM_INFO(SA, InformInfo.ATTRIBUTE_ID, "informinfo"),
        LINK_RECORD(SA, LinkRecord.ATTRIBUTE_ID, "linkrecord"),
        SERVICE_RECORD(SA, ServiceRecord.ATTRIBUTE_ID, "linkrecord");

        private final int group;
        private final int attribute;
        private final String tshark;

        Kind(int group, int attribute, String tshark) {
            this.group = group;
            this.attribute = attribute;
            this.tshark = tshark;
        }

        MadField[] fields() {
            return switch (this) {
                case NODE_INFO -> NodeInfo.values();
                case SWITCH_INFO -> SwitchInfo.values();
                case PORT_INFO -> PortInfo.values();
                case SM_INFO -> SmInfo.values();
                case NOTICE -> Notice.values();
                case PORT_COUNTERS -> PortCounters.values();
                case PORT_COUNTERS_EXTENDED -> PortCountersExtended.values();
                case CLASS_PORT_INFO -> ClassPortInfo.values();
                case PATH_RECORD -> PathRecord.values();
                case MC_MEMBER_RECORD -> McMemberRecord.values();
                case INFORM_INFO -> InformInfo.values();
                case LINK_RECORD -> LinkRecord.values();
                case SERVICE_RECORD -> ServiceRecord.values();
            };
        }

        int at() {
            return group == SA ? SaHeader.DATA : Smp.DATA;
        }
    }

    @AfterAll
    static void writePage() throws IOException {
        Reports.write();
    }

    @ParameterizedTest
    @EnumSource
    void readsEveryFieldOfAnAttribute(Kind kind) {
        String title = "SM " + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        SplittableRandom random = Seed.forTest("SubnetTsharkTest " + title, 0x15).random();
        Packets packets = new Packets(random);
        List<Packet> drawn = new ArrayList<>();
        for (long i = 0; i < Seed.campaign(DATAGRAMS); i++) {
            byte[] datagram = datagram(random, kind);
            drawn.add(packets.drawGsi(Encapsulation.IB_LOCAL, datagram));
        }
        Path file = packets.write(title.replace(' ', '-') + ".pcap", drawn);
        List<Frame> frames =
                packets.read(
                        file, drawn, (view, _) -> expect(kind, view.segment(), view.payloadAt()));

        Report report = Reports.check(title, file, frames);

        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }

    private static byte[] datagram(SplittableRandom random, Kind kind) {
        byte[] datagram = new byte[Mad.LENGTH_TOTAL];
        MemorySegment mad = MemorySegment.ofArray(datagram);
        int version = kind.group == SA ? SaHeader.CLASS_VERSION : Smp.CLASS_VERSION;
        new Mad(
                        kind.group,
                        version,
                        MadMethod.GET_RESPONSE,
                        0,
                        0,
                        random.nextLong(),
                        kind.attribute,
                        0)
                .emit(mad, 0);
        for (MadField field : kind.fields()) {
            field.write(mad, kind.at(), random.nextLong() >>> (64 - field.width()));
        }
        if (kind == Kind.NOTICE) {
            // The details of any other number are shown by fields of their own.
            Notice.TRAP_NUMBER.write(mad, kind.at(), 1);
        }
        return datagram;
    }

    private static Expect expect(Kind kind, MemorySegment mad, long payloadAt) {
        Expect expect = new Expect();
        long at = payloadAt + kind.at();
        Set<String> done = new HashSet<>();
        for (MadField field : kind.fields()) {
            String name =
                    kind.tshark + "." + field.name().toLowerCase(Locale.ROOT).replace("_", "");
            if (name.endsWith("high") && name.contains("gid")) {
                String gid = name.substring(0, name.length() - "high".length());
                long low = field(kind, field.name().replace("_HIGH", "_LOW")).read(mad, at);
                expect.address("infiniband." + gid, new Gid(field.read(mad, at), low));
            } else if (!name.endsWith("low") && !name.endsWith("high") && done.add(name)) {
                String known = NAMES.getOrDefault(name, regular(name));
                if (!UNSEEN.contains(name)) {
                    expect.number("infiniband." + known, field.read(mad, at));
                }
            }
        }
        return expect;
    }

    /// Counters of a port, and what ClassPortInfo abbreviates.
    private static String regular(String name) {
        String changed =
                name.startsWith("portcounters")
                        ? name.replaceFirst("\\.(rcv|xmit|unicast|multicast)", ".port$1")
                        : name;
        return name.startsWith("classportinfo")
                ? changed.replace("trafficclass", "tc").replace("flowlabel", "fl")
                : changed;
    }

    private static MadField field(Kind kind, String name) {
        return Stream.of(kind.fields())
                .filter(it -> it.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Headers of both routings, and blocks of tables.
    @ParameterizedTest
    @EnumSource
    void readsHeadersAndTables(Table table) {
        SplittableRandom random = Seed.forTest("SubnetTsharkTest " + table, 0x16).random();
        Packets packets = new Packets(random);
        List<Packet> drawn = new ArrayList<>();
        for (long i = 0; i < Seed.campaign(DATAGRAMS); i++) {
            drawn.add(packets.drawGsi(Encapsulation.IB_LOCAL, table.draw(random)));
        }
        Path file = packets.write("sm-table-" + table + ".pcap", drawn);
        List<Frame> frames =
                packets.read(
                        file, drawn, (view, _) -> table.expect(view.segment(), view.payloadAt()));

        Report report = Reports.check("SM " + table.name().toLowerCase(Locale.ROOT), file, frames);

        assertThat(report.differences()).isEmpty();
        assertThat(report.malformed()).isZero();
    }

    /// What is no list of fields.
    enum Table {
        DIRECTED(0x11),
        PKEYS(SmpBlocks.PKEY_TABLE),
        LEVELS(SmpBlocks.SL_TO_VL),
        ARBITRATION(SmpBlocks.VL_ARBITRATION),
        LINEAR(SmpBlocks.LINEAR_FORWARDING),
        GROUPS(SmpBlocks.MULTICAST_FORWARDING);

        private final int attribute;

        Table(int attribute) {
            this.attribute = attribute;
        }

        byte[] draw(SplittableRandom random) {
            byte[] datagram = new byte[Mad.LENGTH_TOTAL];
            MemorySegment mad = MemorySegment.ofArray(datagram);
            int group = this == DIRECTED ? ManagementClass.SUBNET_DIRECTED_ROUTE : SMP;
            Mad header = new Mad(group, 1, MadMethod.GET_RESPONSE, 0, 0, 7, attribute, 0);
            Smp.request(mad, 0, header, random.nextLong());
            if (this == DIRECTED) {
                Smp.route(mad, 0, random.ints(random.nextInt(64), 1, 256).toArray());
                DirectedRoute.HOP_POINTER.write(mad, 0, random.nextInt(64));
                DirectedRoute.DR_SLID.write(mad, 0, random.nextInt(1 << 16));
                DirectedRoute.DR_DLID.write(mad, 0, random.nextInt(1 << 16));
                return datagram;
            }
            for (int i = 0; i < entries(); i++) {
                switch (this) {
                    case PKEYS -> SmpBlocks.pkey(mad, Smp.DATA, i, random.nextInt(1 << 16));
                    case LEVELS -> SmpBlocks.lane(mad, Smp.DATA, i, random.nextInt(16));
                    case ARBITRATION ->
                            SmpBlocks.arbitration(
                                    mad, Smp.DATA, i, random.nextInt(16), random.nextInt(256));
                    case LINEAR -> SmpBlocks.port(mad, Smp.DATA, i, random.nextInt(256));
                    default -> SmpBlocks.ports(mad, Smp.DATA, i, random.nextInt(1 << 16));
                }
            }
            return datagram;
        }

        private int entries() {
            return switch (this) {
                case LEVELS -> SmpBlocks.SERVICE_LEVELS;
                case LINEAR -> SmpBlocks.LIDS;
                default -> SmpBlocks.PKEYS;
            };
        }

        Expect expect(MemorySegment mad, long payloadAt) {
            Expect expect = new Expect();
            long at = payloadAt + Smp.DATA;
            if (this == DIRECTED) {
                String prefix = "infiniband.smpdirected.";
                expect.number(
                        prefix + "hoppointer", DirectedRoute.HOP_POINTER.read(mad, payloadAt));
                expect.number(prefix + "hopcount", DirectedRoute.HOP_COUNT.read(mad, payloadAt));
                expect.number(prefix + "drslid", DirectedRoute.DR_SLID.read(mad, payloadAt));
                expect.number(prefix + "drdlid", DirectedRoute.DR_DLID.read(mad, payloadAt));
                return expect;
            }
            expect.number("infiniband.smplid.mkey", Smp.mkey(mad, payloadAt));
            for (int i = 0; i < entries(); i++) {
                entry(expect, mad, at, i);
            }
            return expect;
        }

        private void entry(Expect expect, MemorySegment mad, long at, int i) {
            switch (this) {
                case PKEYS -> {
                    int pkey = SmpBlocks.pkey(mad, at, i);
                    expect.number("infiniband.p_keytable.membershiptype", pkey >>> 15);
                    expect.number("infiniband.p_keytable.p_keybase", pkey & 0x7FFF);
                }
                case LEVELS -> {
                    String half = i % 2 == 0 ? "high" : "low";
                    expect.number(
                            "infiniband.sltovlmappingtable.sltovl" + half + "bits",
                            SmpBlocks.lane(mad, at, i));
                }
                case ARBITRATION -> {
                    expect.number(
                            "infiniband.vlarbitrationtable.vl",
                            SmpBlocks.arbitrationLane(mad, at, i));
                    expect.number(
                            "infiniband.vlarbitrationtable.weight",
                            SmpBlocks.arbitrationWeight(mad, at, i));
                }
                case LINEAR ->
                        expect.number(
                                "infiniband.linearforwardingtable.port",
                                SmpBlocks.port(mad, at, i));
                default ->
                        expect.number(
                                "infiniband.multicastforwardingtable.portmask",
                                SmpBlocks.ports(mad, at, i));
            }
        }
    }
}
