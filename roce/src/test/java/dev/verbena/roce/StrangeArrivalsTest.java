package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a socket may hold besides packets, and what may happen to it while it is read.
@Tag("sockets")
class StrangeArrivalsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int PORT = 4791;

    private final String place = TestAddresses.ipv4();
    private final Device right = Devices.open("roce://" + TestAddresses.ipv4());
    private final ProtectionDomain there = right.protectionDomain();
    private final CompletionQueue arrived = right.completionQueue(64);
    private final MemoryRegion to = there.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    private final QueuePair far = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));

    @AfterEach
    void close() {
        right.close();
    }

    /// An empty one in front of the answer does not make the socket look empty: the request would
    /// time out although its answer is there.
    @ParameterizedTest
    @CsvSource({"0, foreign", "1, foreign", "0, portable", "1, portable"})
    void uselessDatagramsAreCountedAndTheAnswerBehindThemIsFound(int size, String path)
            throws Exception {
        try (Device left = Devices.open("roce://" + place + "?progress=caller&path=" + path);
                DatagramSocket stranger =
                        new DatagramSocket(0, InetAddress.getByName(TestAddresses.ipv4()))) {
            CompletionQueue done = left.completionQueue(64);
            ProtectionDomain here = left.protectionDomain();
            MemoryRegion from = here.allocate(64, Access.LOCAL_WRITE);
            QueuePair near = here.queuePair(QueuePairType.RC, it -> it.completions(done));
            near.connect(far.endpoint(), it -> it.timeout(14).retryCount(0));
            far.connect(near.endpoint());
            left.progress();
            for (int i = 0; i < 5; i++) {
                stranger.send(
                        new DatagramPacket(
                                new byte[size], size, InetAddress.getByName(place), PORT));
            }
            near.post(it -> it.write(from.slice(), to.remote()).signaled());
            left.progress();
            // Longer than the timeout, and the answer has been there for long.
            long pauseNs = System.nanoTime() + 300_000_000;
            Wait.until("the program is busy", LIMIT, () -> System.nanoTime() - pauseNs > 0);

            List<CompletionStatus> seen = new ArrayList<>();
            done.await(LIMIT, it -> seen.add(it.status()));
            assertThat(seen).containsExactly(CompletionStatus.SUCCESS);
            assertThat(left.counters()).containsEntry("rx_malformed", 5L);
        }
    }

    /// The number of a closed socket may be that of another file by then.
    @Test
    void aDeviceThatItsListenerClosesReadsNothingMore() throws Exception {
        Device closing = Devices.open("roce://" + place + "?share=off&gso=off");
        CompletionQueue heard = closing.completionQueue(64);
        ProtectionDomain here = closing.protectionDomain();
        MemoryRegion inbox = here.allocate(64, Access.LOCAL_WRITE);
        QueuePair near = here.queuePair(QueuePairType.RC, it -> it.completions(heard));
        near.connect(far.endpoint());
        far.connect(near.endpoint());
        near.postReceive(it -> it.receive(inbox.slice()));
        List<DatagramChannel> others = new ArrayList<>();
        CountDownLatch closed = new CountDownLatch(1);
        heard.onNotification(
                () -> {
                    closing.close();
                    openOthers(others);
                    closed.countDown();
                });
        heard.arm(Notification.ANY);

        far.post(it -> it.send(to.slice()));

        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        // The device's thread ends with the turn in which the listener was called.
        Wait.until("its thread has ended", LIMIT, () -> !hasThread(place));
        for (DatagramChannel other : others) {
            assertThat(datagrams(other)).isEqualTo(3);
            other.close();
        }
    }

    private static boolean hasThread(String address) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(it -> it.getName().contains(address + ":"));
    }

    private static void openOthers(List<DatagramChannel> others) {
        try (DatagramSocket sender = new DatagramSocket()) {
            for (int i = 0; i < 8; i++) {
                DatagramChannel other = DatagramChannel.open(StandardProtocolFamily.INET);
                others.add(other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
                other.configureBlocking(false);
                for (int k = 0; k < 3; k++) {
                    sender.send(new DatagramPacket(new byte[3], 3, other.getLocalAddress()));
                }
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static int datagrams(DatagramChannel channel) throws IOException {
        int count = 0;
        while (channel.receive(ByteBuffer.allocate(16)) != null) {
            count++;
        }
        return count;
    }
}
