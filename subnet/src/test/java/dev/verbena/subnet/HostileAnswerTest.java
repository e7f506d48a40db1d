package dev.verbena.subnet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import dev.verbena.wire.mad.SwitchInfo;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nodes that answer what no node would: each datagram ends in a verdict, limits hold, and the
/// manager does its work when answers are right again.
class HostileAnswerTest {
    private static final int NODES_MAX = 64;
    private static final int STATUS = 4;
    private static final int MODIFIER = 20;
    private static final ManagerSettings SETTINGS =
            ManagerSettings.DEFAULT
                    .withNodesMax(NODES_MAX)
                    .withRetries(1, 1_000_000)
                    .withSweepNs(2_000_000_000L);

    private final Lab lab = new Lab(Shapes.twoTiers(2, 3, 2, 1), SETTINGS);
    private final Map<SmVerdict, Long> verdicts = new EnumMap<>(SmVerdict.class);

    private static MemorySegment mutated(MemorySegment mad, SplittableRandom random) {
        switch (random.nextInt(10)) {
            case 0 -> mad.set(JAVA_BYTE, random.nextInt(256), (byte) random.nextInt());
            case 1 -> {
                for (int i = 0; i < 20; i++) {
                    mad.set(JAVA_BYTE, 64 + random.nextInt(64), (byte) random.nextInt());
                }
            }
            case 2 -> NodeInfo.NODE_GUID.write(mad, Smp.DATA, random.nextLong());
            case 3 -> NodeInfo.PORT_GUID.write(mad, Smp.DATA, random.nextInt(6) * 256L);
            case 4 -> NodeInfo.NODE_TYPE.write(mad, Smp.DATA, random.nextInt(5));
            case 5 -> NodeInfo.NUM_PORTS.write(mad, Smp.DATA, random.nextInt(256));
            case 6 -> NodeInfo.LOCAL_PORT_NUM.write(mad, Smp.DATA, random.nextInt(9));
            case 7 -> PortInfo.PORT_STATE.write(mad, Smp.DATA, random.nextInt(16));
            case 8 -> PortInfo.LID.write(mad, Smp.DATA, random.nextInt(1 << 16));
            default -> SwitchInfo.LINEAR_FDB_CAP.write(mad, Smp.DATA, random.nextInt(1 << 16));
        }
        return mad;
    }

    private void count() {
        lab.manager
                .verdicts()
                .forEach((verdict, times) -> verdicts.merge(verdict, times, Long::sum));
    }

    @Test
    void answersThatWereChangedAtRandomDoNoHarmThatLasts() {
        SplittableRandom random = Seed.forTest("hostile answers", 0xA115).random();
        long rounds = Seed.campaign(400);
        for (long i = 0; i < rounds; i++) {
            int oneIn = 1 + random.nextInt(30);
            lab.replace(SETTINGS);
            lab.tamper(mad -> random.nextInt(oneIn) == 0 ? mutated(mad, random) : mad);
            lab.manager.start(lab.plane.nowNs());
            lab.pass(lab.plane.nowNs() + 3_000_000_000L);
            assertThat(lab.plane.nowNs()).isPositive();
            count();

            lab.tamper(mad -> mad);
            if (i % 10 == 0) {
                SweepReport report = lab.bringUp();
                assertThat(report.failures()).as("%s %s", report, lab.manager.verdicts()).isZero();
                Walk walk = new Walk(lab);
                for (int from = 0; from < 6; from++) {
                    for (int to = 0; to < lab.plane.nodes(); to++) {
                        assertThat(walk.hops(from, to)).isNotNegative();
                    }
                }
            }
        }
        System.out.println("hostile answers: " + verdicts);
        assertThat(verdicts)
                .containsKeys(
                        SmVerdict.OK,
                        SmVerdict.MALFORMED,
                        SmVerdict.NOT_ASKED,
                        SmVerdict.OTHER_ATTRIBUTE,
                        SmVerdict.STATUS,
                        SmVerdict.NOT_SET,
                        SmVerdict.NODE_INVALID,
                        SmVerdict.PORT_INVALID,
                        SmVerdict.GUID_CONFLICT);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 254})
    void aSubnetWithoutEndIsLeftAtTheLimit(int ports) {
        // Behind every port is another switch.
        long[] guid = {1};
        lab.tamper(
                mad -> {
                    boolean isOwn = NodeInfo.PORT_GUID.read(mad, Smp.DATA) == lab.plane.portGuid(0);
                    if (Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID && !isOwn) {
                        NodeInfo.NODE_TYPE.write(mad, Smp.DATA, NodeInfo.SWITCH);
                        NodeInfo.NUM_PORTS.write(mad, Smp.DATA, ports);
                        NodeInfo.LOCAL_PORT_NUM.write(mad, Smp.DATA, 1);
                        NodeInfo.NODE_GUID.write(mad, Smp.DATA, ++guid[0]);
                    }
                    return mad;
                });

        lab.manager.start(0);
        lab.pass(60_000_000_000L);

        assertThat(lab.manager.verdicts().get(SmVerdict.LIMIT)).isPositive();
        assertThat(lab.last().hosts() + lab.last().switches()).isLessThanOrEqualTo(NODES_MAX);
        lab.tamper(mad -> mad);
        assertThat(lab.bringUp().failures()).isZero();
    }

    @Test
    void twoSwitchesWithOneGuidAreAConflictAndTheWorkEnds() {
        long one = lab.plane.nodeGuid(9);
        long other = lab.plane.nodeGuid(10);
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                            && NodeInfo.NODE_GUID.read(mad, Smp.DATA) == other) {
                        NodeInfo.NODE_GUID.write(mad, Smp.DATA, one);
                    }
                    return mad;
                });

        SweepReport report = lab.bringUp();

        assertThat(report.switches()).isEqualTo(4);
        assertThat(lab.manager.verdicts().get(SmVerdict.GUID_CONFLICT)).isPositive();
    }

    @Test
    void aNodeOfAnUnknownTypeIsLeftOut() {
        long odd = lab.plane.portGuid(5);
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == NodeInfo.ATTRIBUTE_ID
                            && NodeInfo.PORT_GUID.read(mad, Smp.DATA) == odd) {
                        NodeInfo.NODE_TYPE.write(mad, Smp.DATA, 9);
                    }
                    return mad;
                });

        SweepReport report = lab.bringUp();

        assertThat(report.hosts()).isEqualTo(5);
        assertThat(lab.manager.verdicts().get(SmVerdict.NODE_INVALID)).isPositive();
    }

    @Test
    void anAnswerAboutAnotherPortIsNotTaken() {
        int[] count = {0};
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == PortInfo.ATTRIBUTE_ID && ++count[0] % 5 == 0) {
                        BigEndian.put32(mad, MODIFIER, Mad.attributeModifier(mad, 0) + 1);
                    }
                    return mad;
                });

        SweepReport report = lab.bringUp();

        assertThat(lab.manager.verdicts().get(SmVerdict.OTHER_ATTRIBUTE)).isPositive();
        assertThat(report.retries()).isPositive();
    }

    @Test
    void aNodeMayKeepItsSubnetTimeout() {
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == PortInfo.ATTRIBUTE_ID) {
                        PortInfo.SUBNET_TIMEOUT.write(mad, Smp.DATA, 31);
                    }
                    return mad;
                });

        assertThat(lab.bringUp().failures()).isZero();
    }

    @Test
    void aPortThatDoesNotTakeItsLidIsAFailure() {
        long odd = lab.plane.portGuid(5);
        lab.tamper(
                mad -> {
                    if (Mad.attributeId(mad, 0) == PortInfo.ATTRIBUTE_ID
                            && PortInfo.LID.readInt(mad, Smp.DATA) == 6) {
                        PortInfo.LID.write(mad, Smp.DATA, 7);
                    }
                    return mad;
                });

        assertThat(lab.bringUp().failures()).isOne();
        assertThat(lab.manager.lid(odd)).isEqualTo(6);
        assertThat(lab.manager.verdicts().get(SmVerdict.NOT_SET)).isOne();
    }

    @Test
    void aRefusedRequestIsAFailureInTheReport() {
        int[] refused = {0};
        lab.tamper(
                mad -> {
                    boolean isBlock = Mad.attributeId(mad, 0) == SmpBlocks.LINEAR_FORWARDING;
                    if (isBlock && refused[0]++ == 0) {
                        BigEndian.put16(mad, STATUS, 0x801C);
                    }
                    return mad;
                });

        assertThat(lab.bringUp().failures()).isOne();
        assertThat(lab.manager.verdicts().get(SmVerdict.STATUS)).isOne();
    }

    @Test
    void aBlockThatASwitchHasNotTakenIsAFailureAndIsWrittenAgain() {
        int[] changed = {0};
        lab.tamper(
                mad -> {
                    boolean isBlock = Mad.attributeId(mad, 0) == SmpBlocks.LINEAR_FORWARDING;
                    if (isBlock && changed[0]++ == 0) {
                        BigEndian.put8(mad, Smp.DATA + 3, 77);
                    }
                    return mad;
                });
        assertThat(lab.bringUp().failures()).isOne();
        int blocks = changed[0];

        lab.plug(lab.plane.cables.size() - 1, false);
        lab.settle();

        assertThat(lab.manager.verdicts().get(SmVerdict.NOT_SET)).isOne();
        assertThat(changed[0]).isGreaterThan(blocks);
    }

    @Test
    void anyBytesEndInAVerdict() {
        SplittableRandom random = Seed.forTest("any bytes", 0xB17E5).random();
        lab.bringUp();
        Map<SmVerdict, Integer> seen = new EnumMap<>(SmVerdict.class);
        long count = Seed.campaign(50_000);
        for (long i = 0; i < count; i++) {
            byte[] bytes = new byte[random.nextInt(50) == 0 ? random.nextInt(300) : 256];
            random.nextBytes(bytes);
            MemorySegment mad = MemorySegment.ofArray(bytes);
            if (bytes.length == 256) {
                bytes[0] = 1;
                bytes[1] = (byte) (random.nextBoolean() ? 0x01 : 0x81);
                bytes[2] = 1;
                bytes[3] = (byte) new int[] {1, 2, 5, 7, 0x81}[random.nextInt(5)];
                bytes[6] = (byte) random.nextInt(4);
                bytes[7] = (byte) random.nextInt(64);
                BigEndian.put16(mad, 16, new int[] {2, 0x11, 0x15, 0x20}[random.nextInt(4)]);
                Notice.TRAP_NUMBER.write(mad, Smp.DATA, random.nextBoolean() ? 128 : 144);
                BigEndian.put16(mad, Smp.DATA + 10, random.nextInt(20));
            }
            seen.merge(
                    lab.manager.handle(lab.plane.nowNs(), random.nextInt(20), 0, mad),
                    1,
                    Integer::sum);
            lab.exchange();
        }
        System.out.println("any bytes: " + seen);
        assertThat(seen)
                .containsKeys(
                        SmVerdict.OK,
                        SmVerdict.MALFORMED,
                        SmVerdict.NOT_ASKED,
                        SmVerdict.FOREIGN,
                        SmVerdict.UNKNOWN_ISSUER);
        lab.pass(lab.plane.nowNs() + 5_000_000_000L);
        assertThat(lab.manager.isIdle()).isTrue();
        assertThat(new Walk(lab).hops(0, 5)).isNotNegative();
    }

    @Test
    void aTrapWithoutEndIsAnsweredWithBoundedWork() {
        lab.bringUp();
        MemorySegment trap = request(MadMethod.TRAP, Notice.ATTRIBUTE_ID);
        Notice.IS_GENERIC.write(trap, Smp.DATA, 1);
        Notice.TRAP_NUMBER.write(trap, Smp.DATA, Notice.LINK_STATE_CHANGE);
        BigEndian.put16(trap, Smp.DATA + Notice.DETAILS, lab.subnet.lid(6));
        long before = lab.sent;
        for (int i = 0; i < 10_000; i++) {
            lab.manager.handle(lab.plane.nowNs(), 7, 0, trap);
        }
        lab.exchange();

        // Thanks that are dropped, and two looks at four ports.
        assertThat(lab.sent - before).isLessThan(256 + 50);
        assertThat(lab.manager.isIdle()).isTrue();
    }

    @Test
    void anotherManagerLearnsThatThisOneIsTheMaster() {
        lab.bringUp();
        MemorySegment[] sent = new MemorySegment[1];
        lab.manager.handle(0, 9, 0, request(MadMethod.GET, SmInfo.ATTRIBUTE_ID));

        lab.manager.transmit(
                0,
                (lid, _, mad) -> {
                    assertThat(lid).isEqualTo(9);
                    sent[0] = mad;
                });

        assertThat(Mad.method(sent[0], 0)).isEqualTo(MadMethod.GET_RESPONSE);
        assertThat(SmInfo.SM_STATE.readInt(sent[0], Smp.DATA)).isEqualTo(3);
        assertThat(SmInfo.GUID.read(sent[0], Smp.DATA)).isEqualTo(lab.plane.portGuid(0));
    }

    private static MemorySegment request(int method, int attribute) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        new Mad(ManagementClass.SUBNET_LID_ROUTED, 1, method, 0, 0, 77, attribute, 0).emit(mad, 0);
        return mad;
    }
}
