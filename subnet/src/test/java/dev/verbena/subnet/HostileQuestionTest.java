package dev.verbena.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.InformInfo;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Hosts that ask subnet administration for anything, and answer anything: each datagram ends in a
/// verdict, tables keep their limits, and a host that asks properly gets its answer.
class HostileQuestionTest {
    private static final int STATUS_AT = 4;
    private static final int SERVICES_OF_A_PORT = 256;
    private static final int SUBSCRIPTIONS_OF_A_PORT = 16;
    private static final int HONEST = 11;
    private static final Gid GROUP = Gid.ofText("ff12:401b:ffff::77");
    private static final int[] METHODS = {
        MadMethod.GET, MadMethod.SET, MadMethod.GET_TABLE, MadMethod.DELETE, MadMethod.GET_MULTI
    };

    private final SaLab sa = new SaLab(Shapes.twoTiers(4, 3, 2, 1));
    private final Map<SmVerdict, Long> verdicts = new EnumMap<>(SmVerdict.class);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final SplittableRandom random = Seed.forTest("hostile questions", 0x5A5A).random();

    private MemorySegment question() {
        byte[] bytes = new byte[Mad.LENGTH_TOTAL];
        if (random.nextInt(8) == 0) {
            random.nextBytes(bytes);
        }
        MemorySegment mad = MemorySegment.ofArray(bytes);
        boolean isKnown = random.nextInt(20) > 0;
        SaRecord[] records = SaRecord.values();
        int attribute =
                isKnown
                        ? records[random.nextInt(records.length)].attributeId()
                        : random.nextInt(1 << 16);
        int method =
                random.nextInt(10) > 0
                        ? METHODS[random.nextInt(METHODS.length)]
                        : random.nextInt(256);
        int version = random.nextInt(100) > 0 ? SaHeader.CLASS_VERSION : random.nextInt(256);
        new Mad(
                        ManagementClass.SUBNET_ADMINISTRATION,
                        version,
                        method,
                        0,
                        0,
                        random.nextInt(64),
                        attribute,
                        0)
                .emit(mad, 0);
        if (random.nextInt(4) > 0) {
            rmpp(mad, random.nextInt(5) == 0);
        }
        SaHeader.COMPONENT_MASK.write(mad, 0, mask());
        SaHeader.SM_KEY.write(mad, 0, random.nextInt(4) == 0 ? 1 : 0);
        fill(mad, attribute);
        if (random.nextInt(200) == 0) {
            BigEndian.put8(mad, 0, random.nextInt(256));
        }
        return mad;
    }

    private void rmpp(MemorySegment mad, boolean isActive) {
        SaHeader.RMPP_VERSION.write(mad, 0, random.nextInt(20) > 0 ? Rmpp.VERSION : 9);
        SaHeader.RMPP_TYPE.write(mad, 0, isActive ? random.nextInt(6) : 0);
        SaHeader.RMPP_FLAGS.write(mad, 0, isActive ? 1 | random.nextInt(8) : 0);
        SaHeader.SEGMENT_NUMBER.write(mad, 0, isActive ? edge() : 0);
        SaHeader.PAYLOAD_LENGTH.write(mad, 0, isActive ? edge() : 0);
    }

    private long edge() {
        long[] edges = {0, 1, 2, 3, 32, 0x7FFF_FFFFL, 0xFFFF_FFFFL, random.nextLong(1L << 32)};
        return edges[random.nextInt(edges.length)];
    }

    private long mask() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> random.nextLong();
            case 2 -> SaLab.CREATE;
            case 3 -> SaLab.JOIN;
            case 4 -> 0x17;
            default -> 1L << random.nextInt(64) | 1L << random.nextInt(8);
        };
    }

    /// Values that mean something, at the places where they mean it; the rest as it was.
    private void fill(MemorySegment mad, int attribute) {
        MemorySegment data = mad.asSlice(SaHeader.DATA);
        int host = random.nextInt(12);
        if (attribute == SaRecord.PATH.attributeId()) {
            gid(random.nextInt(17)).emit(data, 8);
            gid(host).emit(data, 24);
            PathRecord.DLID.write(data, 0, random.nextInt(30));
            PathRecord.SLID.write(data, 0, random.nextInt(30));
        } else if (attribute == SaRecord.MULTICAST_MEMBER.attributeId()) {
            MemorySegment wish = sa.member(host, group(), random.nextInt(16));
            data.copyFrom(wish);
            if (random.nextInt(4) == 0) {
                McMemberRecord.PKEY.write(data, 0, random.nextInt(1 << 16));
            }
        } else if (attribute == SaRecord.SERVICE.attributeId()) {
            ServiceRecord.SERVICE_ID.write(data, 0, random.nextInt(2000));
            gid(host).emit(data, 8);
            ServiceRecord.SERVICE_PKEY.write(data, 0, random.nextInt(8) > 0 ? 0xFFFF : 1);
            ServiceRecord.SERVICE_LEASE.write(data, 0, random.nextInt(3000));
        } else if (attribute == InformInfo.ATTRIBUTE_ID) {
            InformInfo.IS_GENERIC.write(data, 0, 1);
            InformInfo.SUBSCRIBE.write(data, 0, random.nextInt(2));
            InformInfo.TRAP_NUMBER.write(data, 0, 64 + random.nextInt(6));
            InformInfo.LID_RANGE_BEGIN.write(data, 0, random.nextBoolean() ? 0xFFFF : 1);
            InformInfo.TYPE.write(data, 0, 0xFFFF);
        } else if (random.nextBoolean()) {
            BigEndian.put16(data, 0, random.nextInt(30));
        }
    }

    private Gid gid(int node) {
        return node < 12 ? sa.gid(node) : new Gid(random.nextLong(), random.nextLong());
    }

    private Gid group() {
        if (random.nextInt(3) == 0) {
            return new Gid(0xFF12_401B_FFFF_0000L, random.nextInt(3000));
        }
        return random.nextInt(5) == 0 ? gid(random.nextInt(17)) : GROUP;
    }

    /// A datagram of any host but the honest one, by the network or with a forged sender.
    private void attack() {
        int host = 1 + random.nextInt(HONEST - 1);
        MemorySegment mad = question();
        if (random.nextInt(3) > 0) {
            SmVerdict verdict =
                    sa.lab.manager.handle(
                            sa.lab.plane.nowNs(),
                            random.nextInt(40) == 0 ? random.nextInt(1 << 16) : sa.lid(host),
                            random.nextInt(40) == 0 ? random.nextInt(1 << 24) : 1,
                            mad);
            verdicts.merge(verdict, 1L, Long::sum);
        } else {
            sa.send(host, sa.lid(0), 1, mad);
        }
    }

    private void honest() {
        MemorySegment wish = SaLab.blank();
        int to = random.nextInt(HONEST);
        sa.gid(to).emit(wish, 8);
        sa.gid(HONEST).emit(wish, 24);
        SaAnswer answer = sa.ask(HONEST, MadMethod.GET, SaRecord.PATH, wish, 1 << 2 | 1 << 3);
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        assertThat(PathRecord.DLID.readInt(answer.records().getFirst(), 0)).isEqualTo(sa.lid(to));
    }

    private int records(SaRecord record) {
        SaAnswer answer = sa.ask(HONEST, MadMethod.GET_TABLE, record, SaLab.blank(), 0);
        assertThat(answer.isOk()).as("%s", answer).isTrue();
        return answer.records().size();
    }

    @Test
    void anyQuestionsEndInAVerdictAndAnHonestHostGetsItsAnswers() {
        sa.lab.onSent(mad -> statuses.merge(BigEndian.u16(mad, STATUS_AT), 1L, Long::sum));
        long count = Seed.campaign(60_000);
        for (long i = 0; i < count; i++) {
            attack();
            // Answers wait where the manager may not send for long.
            boolean isFlood = i % 10_000 > 7_000;
            if (!isFlood && random.nextInt(20) == 0) {
                sa.exchange();
            }
            if (random.nextInt(200) == 0) {
                long next = sa.lab.plane.nowNs() + random.nextInt(1_000_000_000);
                sa.lab.plane.advance(next);
                sa.lab.manager.handleTimeout(next);
            }
            if (!isFlood && random.nextInt(500) == 0) {
                honest();
            }
        }
        System.out.println("hostile questions: " + verdicts + ", status of answers: " + statuses);
        assertThat(verdicts)
                .containsKeys(
                        SmVerdict.OK,
                        SmVerdict.MALFORMED,
                        SmVerdict.NOT_ASKED,
                        SmVerdict.FOREIGN,
                        SmVerdict.LIMIT);
        honest();
        assertThat(records(SaRecord.SERVICE)).isLessThanOrEqualTo(12 * SERVICES_OF_A_PORT);
        assertThat(records(SaRecord.INFORM_INFO_RECORD))
                .isLessThanOrEqualTo(12 * SUBSCRIPTIONS_OF_A_PORT);
        settles();
    }

    /// What was begun for the attackers ends by itself, and routes are as they were.
    private void settles() {
        for (int i = 0; i < 300 && sa.lab.manager.timeoutNs() != Long.MAX_VALUE; i++) {
            sa.step();
        }
        assertThat(sa.lab.manager.isIdle()).isTrue();
        Walk walk = new Walk(sa.lab);
        for (int from = 0; from < 12; from++) {
            for (int to = 0; to < 12; to++) {
                assertThat(walk.hops(from, to)).isNotNegative();
            }
        }
    }
}
