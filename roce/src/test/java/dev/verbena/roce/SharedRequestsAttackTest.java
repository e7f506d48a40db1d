package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Seed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Forged management datagrams to an address that several devices share. Real requests come through
/// meanwhile.
@Tag("attack")
@Timeout(120)
class SharedRequestsAttackTest {
    private static final int PORT = 4791;
    private static final int SERVICE_PORT = 7000;
    private static final int LENGTH = 280;
    private static final int VOLLEY = 2000;

    private final String place = TestAddresses.ipv4();
    private final LineControlledDevice first = new LineControlledDevice("roce://" + place, "first");
    private final LineControlledDevice second =
            new LineControlledDevice("roce://" + place, "second");
    private final LineControlledDevice outside =
            new LineControlledDevice("roce://" + TestAddresses.ipv4(), "outside");
    private final SplittableRandom random = Seed.forTest("SharedRequestsAttackTest", 3).random();
    private final ByteBuffer packet = ByteBuffer.allocate(Forwarding.HEADER + LENGTH);

    @AfterEach
    void close() {
        first.close();
        second.close();
        outside.close();
    }

    private void fire(DatagramChannel channel, int length) throws IOException {
        packet.clear().limit(length);
        channel.send(packet, new InetSocketAddress(place, PORT));
    }

    private static DatagramChannel from(String where) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(where, 0));
        return channel;
    }

    private long both(String... titles) {
        long sum = 0;
        for (String title : titles) {
            sum += first.counter(title) + second.counter(title);
        }
        return sum;
    }

    private void aRealRequestComesThrough() {
        second.obey("listen " + SERVICE_PORT);
        for (int i = 0; i < 3; i++) {
            assertThat(second.obey("connect " + place + " " + SERVICE_PORT))
                    .isEqualTo("connected to second");
        }
        assertThat(outside.obey("connect " + place + " " + (SERVICE_PORT + 1)))
                .isEqualTo("failed NOBODY_LISTENS");
    }

    @Test
    void requestsOfNoFormAreCountedAndDropped() throws IOException {
        second.obey("listen " + (SERVICE_PORT + 2));
        try (DatagramChannel channel = from(TestAddresses.ipv4())) {
            for (int i = 0; i < VOLLEY; i++) {
                random.nextBytes(packet.array());
                // For queue pair 1; half of them as requests for a service that is there.
                packet.clear().put(0, (byte) 0x64).putInt(4, 1);
                if (i % 2 == 0) {
                    packet.put(21, (byte) 7).putShort(36, (short) 0x10);
                    packet.putLong(52, 0x0106_0000L + SERVICE_PORT + 2);
                }
                fire(channel, random.nextInt(12, LENGTH + 1));
            }
        }
        aRealRequestComesThrough();

        long dropped = both("rx_icrc_encapsulated", "rx_malformed", "socket_rx_for_nobody");
        System.out.printf(
                "SharedRequestsAttackTest: %,d forged, %,d read aside, %,d passed on,"
                        + " %,d counted and dropped%n",
                VOLLEY, both("socket_rx_aside_pkts"), both("socket_tx_forwarded"), dropped);
        // What a small buffer had no room for, the kernel dropped.
        assertThat(dropped).isBetween(VOLLEY / 4L, (long) VOLLEY);
        assertThat(both("socket_tx_forwarded")).isPositive();
    }

    @Test
    void requestsAsIfPassedOnAreDroppedWithoutTheSecret() throws IOException {
        // From the address itself, as only a program of this machine can.
        try (DatagramChannel channel = from(place)) {
            for (int i = 0; i < VOLLEY; i++) {
                random.nextBytes(packet.array());
                packet.clear().put(0, (byte) 0xFF).put(5, (byte) (0xF0 | i % 16));
                packet.putInt(Forwarding.HEADER + 4, 1);
                fire(channel, Forwarding.HEADER + LENGTH);
            }
        }
        aRealRequestComesThrough();

        assertThat(first.counter("socket_rx_for_nobody")).isGreaterThanOrEqualTo(VOLLEY / 16);
        assertThat(both("socket_rx_forwarded")).isLessThanOrEqualTo(3);
    }
}
