package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two ordinary threads on one network: which of their calls meet is chance, and each that does is
/// refused by name.
@Timeout(60)
class PlainThreadsTest {
    private static final int CALLS = 20_000;
    private static final int CALLS_MAX = 5_000_000;

    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    @Test
    void callsThatMeetAreRefusedByNameAndNothingElseGoesWrong() throws InterruptedException {
        try (VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT)) {
            Traffic traffic = new Traffic(network.open("left"), network.open("right"));
            Thread client =
                    Thread.ofPlatform().name("client").start(() -> repeat(() -> write(traffic)));
            Thread server =
                    Thread.ofPlatform().name("server").start(() -> repeat(traffic.came::poll));
            client.join();
            server.join();
        }
        assertThat(List.copyOf(thrown))
                .isNotEmpty()
                .allSatisfy(
                        it ->
                                assertThat(it)
                                        .isInstanceOf(WrongStateException.class)
                                        .hasMessageMatching(
                                                "virtual network: thread (client|server) is in it,"
                                                        + " and thread (server|client) calls; .*"));
    }

    private static void write(Traffic traffic) {
        traffic.left.post(
                batch ->
                        batch.write(traffic.here.slice(0, 8), traffic.there.remote().slice(0, 8))
                                .signaled());
        traffic.done.await(Duration.ofMillis(1), _ -> {});
    }

    private void repeat(Runnable call) {
        for (int i = 0; i < CALLS || (thrown.isEmpty() && i < CALLS_MAX); i++) {
            try {
                call.run();
            } catch (RuntimeException refused) {
                thrown.add(refused);
            }
        }
    }
}
