package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Datagrams of subnet management, and their way over named ports.
class SmpTest {
    private static final int AT = 9;

    private final MemorySegment segment = MemorySegment.ofArray(new byte[AT + Mad.LENGTH_TOTAL]);

    private void request(int managementClass, int... ports) {
        Mad header = new Mad(managementClass, 1, MadMethod.GET, 0, 0, 77, 0x11, 0);
        Smp.request(segment, AT, header, 0x1234);
        if (managementClass == ManagementClass.SUBNET_DIRECTED_ROUTE) {
            Smp.route(segment, AT, ports);
        }
    }

    private MadVerdict check() {
        return Smp.check(segment, AT, Mad.LENGTH_TOTAL);
    }

    @Test
    void acceptsWhatItWrites() {
        request(ManagementClass.SUBNET_LID_ROUTED);
        assertThat(check()).isEqualTo(MadVerdict.OK);
        assertThat(Smp.mkey(segment, AT)).isEqualTo(0x1234);
        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1, 2, 3);
        assertThat(check()).isEqualTo(MadVerdict.OK);
        assertThat(DirectedRoute.HOP_COUNT.read(segment, AT)).isEqualTo(3);
        assertThat(BigEndian.u8(segment, AT + 128)).isZero();
        assertThat(BigEndian.u8(segment, AT + 131)).isEqualTo(3);
    }

    @Test
    void namesTheReasonToRefuse() {
        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1);
        assertThat(Smp.check(MemorySegment.NULL, 0, 255)).isEqualTo(MadVerdict.NOT_A_MAD);
        DirectedRoute.HOP_POINTER.write(segment, AT, 3);
        assertThat(check()).isEqualTo(MadVerdict.HOPS);
        DirectedRoute.HOP_POINTER.write(segment, AT, 2);
        assertThat(check()).isEqualTo(MadVerdict.OK);
        DirectedRoute.HOP_COUNT.write(segment, AT, 64);
        assertThat(check()).isEqualTo(MadVerdict.HOPS);
        DirectedRoute.HOP_COUNT.write(segment, AT, 63);
        assertThat(check()).isEqualTo(MadVerdict.OK);
        BigEndian.put8(segment, AT + 2, 2);
        assertThat(check()).isEqualTo(MadVerdict.CLASS_VERSION);
        BigEndian.put8(segment, AT + 1, ManagementClass.PERFORMANCE);
        assertThat(check()).isEqualTo(MadVerdict.CLASS_FOREIGN);
        BigEndian.put8(segment, AT, 2);
        assertThat(check()).isEqualTo(MadVerdict.NOT_A_MAD);
    }

    @Test
    void goesOutAndComesBackByTheSamePorts() {
        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1, 5, 9);

        assertThat(RouteStep.start(segment, AT)).isEqualTo(1);
        assertThat(RouteStep.arrive(segment, AT, 4, true)).isEqualTo(5);
        assertThat(RouteStep.arrive(segment, AT, 8, true)).isEqualTo(9);
        assertThat(RouteStep.arrive(segment, AT, 2, true)).isEqualTo(RouteStep.HERE);
        Smp.answer(segment, AT, MadStatus.OK);

        assertThat(DirectedRoute.DIRECTION.read(segment, AT)).isEqualTo(1);
        assertThat(RouteStep.start(segment, AT)).isEqualTo(2);
        assertThat(RouteStep.arrive(segment, AT, 9, true)).isEqualTo(8);
        assertThat(RouteStep.arrive(segment, AT, 5, true)).isEqualTo(4);
        assertThat(RouteStep.arrive(segment, AT, 1, false)).isEqualTo(RouteStep.HERE);
        assertThat(DirectedRoute.HOP_POINTER.read(segment, AT)).isZero();
    }

    @Test
    void isAnsweredAtOnceWithoutHops() {
        request(ManagementClass.SUBNET_DIRECTED_ROUTE);

        assertThat(RouteStep.start(segment, AT)).isEqualTo(RouteStep.HERE);
        Smp.answer(segment, AT, MadStatus.ATTRIBUTE_UNSUPPORTED);
        assertThat(DirectedRoute.STATUS.read(segment, AT)).isEqualTo(0x0C);
        assertThat(RouteStep.start(segment, AT)).isEqualTo(RouteStep.HERE);
    }

    @Test
    void endsAtAnAdapterThatDoesNotForward() {
        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1, 5);
        RouteStep.start(segment, AT);

        assertThat(RouteStep.arrive(segment, AT, 1, false)).isEqualTo(RouteStep.NOWHERE);
    }

    @Test
    void leavesTheNamedPortsWhereALidFollows() {
        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1);
        DirectedRoute.DR_DLID.write(segment, AT, 9);
        RouteStep.start(segment, AT);
        assertThat(RouteStep.arrive(segment, AT, 3, true)).isEqualTo(RouteStep.BY_LID);

        request(ManagementClass.SUBNET_DIRECTED_ROUTE, 1);
        DirectedRoute.DR_SLID.write(segment, AT, 9);
        RouteStep.start(segment, AT);
        RouteStep.arrive(segment, AT, 3, true);
        Smp.answer(segment, AT, MadStatus.OK);
        assertThat(RouteStep.start(segment, AT)).isEqualTo(3);
        assertThat(RouteStep.arrive(segment, AT, 1, true)).isEqualTo(RouteStep.BY_LID);
    }

    @Test
    void anyBytesThatWereAcceptedAreMovedWithoutAnException() {
        SplittableRandom random = Seed.forTest("smp any bytes", 0x53).random();
        byte[] bytes = new byte[Mad.LENGTH_TOTAL];
        int moved = 0;
        int refused = 0;
        for (long round = 0; round < Seed.campaign(20_000); round++) {
            random.nextBytes(bytes);
            bytes[0] = 1;
            bytes[1] = (byte) (random.nextBoolean() ? 0x81 : 0x01);
            bytes[2] = 1;
            bytes[7] = (byte) random.nextInt(70);
            bytes[6] = (byte) random.nextInt(70);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, AT, bytes.length);
            if (check().isOk() && Smp.isDirected(segment, AT)) {
                int port = RouteStep.arrive(segment, AT, random.nextInt(256), random.nextBoolean());
                assertThat(port).isBetween(RouteStep.NOWHERE, 255);
                int pointer = DirectedRoute.HOP_POINTER.readInt(segment, AT);
                assertThat(pointer).isBetween(0, 64);
                moved++;
            } else if (!check().isOk()) {
                refused++;
            }
        }
        assertThat(moved).isPositive();
        assertThat(refused).isPositive();
    }
}
