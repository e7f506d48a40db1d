package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fabric.manage.Delivery;
import dev.verbena.fabric.manage.MadEnvelope;
import dev.verbena.fabric.manage.ManagementPort;
import dev.verbena.fabric.manage.Subnet;
import dev.verbena.testkit.Seed;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Any 256 bytes from any host: each ends in a verdict, and nodes whose key it does not have stay
/// as they are.
@Tag("subnet")
class HostileMadTest {
    private static final int HOSTS = 4;
    private static final int NODES = 8;
    private static final long KEY = 0x0123_4567_89AB_CDEFL;
    private static final int[] CLASSES = {0x01, 0x81, 0x81, 0x04, 0x03, 0x07, 0x21};
    private static final int[] METHODS = {1, 2, 2, 5, 7, 0x81, 0x12};
    private static final int[] ATTRIBUTES = {
        0x01, 0x02, 0x10, 0x11, 0x12, 0x14, 0x15, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x20
    };

    private final Fabric fabric =
            new Fabric(FatTree.twoTiers(2, 2, 2).topology(), FabricSettings.INFINIBAND);
    private final Subnet subnet = fabric.subnet();
    private final SplittableRandom random = Seed.forTest("hostile mads", 0x4AD).random();

    private MemorySegment draw() {
        byte[] bytes = new byte[Mad.LENGTH_TOTAL];
        random.nextBytes(bytes);
        MemorySegment mad = MemorySegment.ofArray(bytes);
        if (random.nextInt(20) == 0) {
            return mad;
        }
        bytes[0] = 1;
        bytes[1] = (byte) CLASSES[random.nextInt(CLASSES.length)];
        bytes[2] = 1;
        bytes[3] = (byte) METHODS[random.nextInt(METHODS.length)];
        BigEndian.put16(mad, 4, random.nextInt(8) == 0 ? 0x8000 : 0);
        BigEndian.put16(mad, 16, ATTRIBUTES[random.nextInt(ATTRIBUTES.length)]);
        int small =
                switch (random.nextInt(4)) {
                    case 0 -> random.nextInt();
                    case 1 -> random.nextInt(8) << 16 | random.nextInt(8);
                    case 2 -> random.nextInt(8) << 8 | random.nextInt(8);
                    default -> random.nextInt(5);
                };
        BigEndian.put32(mad, 20, small);
        if (bytes[1] == (byte) 0x81) {
            bytes[6] = (byte) random.nextInt(3);
            bytes[7] = (byte) random.nextInt(5);
            boolean isPure = random.nextInt(8) > 0;
            BigEndian.put32(mad, 32, isPure ? -1 : random.nextInt());
            for (int i = 0; i < 8; i++) {
                bytes[128 + i] = (byte) random.nextInt(1, 5);
                bytes[192 + i] = (byte) random.nextInt(6);
            }
        }
        plausible(mad);
        return mad;
    }

    /// Settings and entries that an agent accepts reach further than random ones.
    private void plausible(MemorySegment mad) {
        if (random.nextBoolean()) {
            PortInfo.PORT_STATE.write(mad, Smp.DATA, random.nextInt(5));
            PortInfo.PORT_PHYSICAL_STATE.write(mad, Smp.DATA, random.nextInt(4));
            PortInfo.NEIGHBOR_MTU.write(mad, Smp.DATA, 5);
            PortInfo.OPERATIONAL_VLS.write(mad, Smp.DATA, 1);
            PortInfo.LID.write(mad, Smp.DATA, random.nextInt(12));
            PortInfo.LMC.write(mad, Smp.DATA, 0);
            PortInfo.M_KEY.write(mad, Smp.DATA, random.nextInt(3));
            BigEndian.put64(mad, 24, random.nextInt(3));
        } else {
            for (int i = 0; i < Smp.DATA_LENGTH; i++) {
                BigEndian.put8(mad, Smp.DATA + i, random.nextInt(6));
            }
        }
    }

    private Map<Delivery, Integer> attack(long count) {
        Map<Delivery, Integer> outcomes = new EnumMap<>(Delivery.class);
        for (long i = 0; i < count; i++) {
            ManagementPort port = subnet.port(random.nextInt(HOSTS));
            int lid = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : random.nextInt(12);
            MadEnvelope envelope =
                    new MadEnvelope(lid, random.nextInt(12), random.nextInt(2), random.nextInt(2));
            outcomes.merge(port.send(envelope, draw()), 1, Integer::sum);
            fabric.run(fabric.nowPs() + random.nextInt(1_000_000));
        }
        return outcomes;
    }

    /// All that a manager can set and read, as numbers.
    private long state() {
        long state = 7;
        for (int node = 0; node < NODES; node++) {
            state = state * 31 + subnet.lid(node);
            for (int port = 1; port <= (node < HOSTS ? 1 : 2); port++) {
                state = state * 31 + subnet.portState(node, port);
            }
            for (int lid = 0; lid < 64 && node >= HOSTS; lid++) {
                state = state * 31 + subnet.forwardingPort(node, lid);
            }
        }
        return state;
    }

    private void protect() {
        PlainManager manager = new PlainManager(subnet.port(0));
        manager.bringUp();
        for (PlainManager.Found node : manager.sorted()) {
            int number = node.isSwitch ? 0 : 1;
            manager.key = 0;
            byte[] info = PlainManager.data(manager.get(PortInfo.ATTRIBUTE_ID, number, node.path));
            MemorySegment bytes = MemorySegment.ofArray(info);
            PortInfo.M_KEY.write(bytes, 0, KEY);
            PortInfo.M_KEY_PROTECT_BITS.write(bytes, 0, 1);
            PortInfo.PORT_STATE.write(bytes, 0, 0);
            PortInfo.PORT_PHYSICAL_STATE.write(bytes, 0, 0);
            assertThat(manager.set(PortInfo.ATTRIBUTE_ID, number, info, node.path)).isZero();
        }
    }

    @Test
    void everyDatagramEndsInAVerdict() {
        new PlainManager(subnet.port(0)).bringUp();
        for (int host = 0; host < HOSTS; host++) {
            subnet.port(host).receiver((_, _) -> true);
        }

        Map<Delivery, Integer> outcomes = attack(Seed.campaign(20_000));

        System.out.println("hostile mads: " + outcomes);
        assertThat(outcomes)
                .containsKeys(
                        Delivery.ARRIVED,
                        Delivery.MALFORMED,
                        Delivery.NO_LINK,
                        Delivery.NO_ROUTE,
                        Delivery.NO_RECEIVER);
        for (int node = 0; node < NODES; node++) {
            assertThat(subnet.lid(node)).isBetween(0, 0xBFFF);
            assertThat(subnet.portState(node, 1)).isBetween(1, 4);
        }
    }

    @Test
    void nothingChangesInNodesThatHaveAnotherKey() {
        protect();
        long before = state();

        Map<Delivery, Integer> outcomes = attack(Seed.campaign(20_000));

        assertThat(outcomes.get(Delivery.KEY)).isPositive();
        assertThat(state()).isEqualTo(before);
    }

    @Test
    void aKeyThatDiffersInOneBitIsWrong() {
        protect();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            PlainManager other = new PlainManager(subnet.port(1));
            other.key = KEY ^ 1L << bit;
            MemorySegment answer = other.ask(2, PortInfo.ATTRIBUTE_ID, 1, new byte[64]);
            assertThat(answer).isNull();
            assertThat(other.dropped).containsExactly(Delivery.KEY);
        }
    }
}
