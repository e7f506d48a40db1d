package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.Setup;
import dev.verbena.conformance.Side;
import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Connection.State;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.QueuePairState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A managed connection whose queue pair fails by itself.
@Tag("inprocess")
@Timeout(60)
class InProcessConnectionTest {
    private static final int PORT = 7471;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final InProcessWorld world = new InProcessWorld(false);
    private Side left;
    private Side right;
    private Connection active;
    private Connection passive;

    InProcessConnectionTest() {
        var sides = Setup.of(world).build();
        left = sides.left();
        right = sides.right();
        try (Listener listener = right.device().listen(PORT, 1)) {
            active = left.device().connect(left.pair(), Address.to(right.pair().endpoint()), PORT);
            ConnectionRequest request = listener.await(LONG);
            assertThat(request).isNotNull();
            passive = request.accept(right.pair());
            Wait.until("it is established", LONG, () -> active.state() == State.ESTABLISHED);
            Wait.until("so is the other", LONG, () -> passive.state() == State.ESTABLISHED);
        }
    }

    @BeforeEach
    void forbidWrites() {
        assertThat(left.pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @AfterEach
    void close() {
        world.close();
    }

    /// A WRITE to a key that does not exist fails both queue pairs; no program fetches completions.
    private void fail() {
        left.pair()
                .post(
                        batch ->
                                batch.write(right.memory().address(), ~right.memory().remoteKey())
                                        .local(left.memory(), 0, 8)
                                        .signaled());
    }

    @Test
    void itsStateFollowsTheQueuePair() {
        fail();

        Wait.until("it has ended", LONG, () -> active.state() == State.DISCONNECTED);
        Wait.until("the peer knows", LONG, () -> passive.state() == State.DISCONNECTED);
        assertThat(left.pair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aThreadThatWaitsForItsEndIsWoken() throws Exception {
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> active.awaitDisconnected(LONG));

        fail();

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(active.state()).isEqualTo(State.DISCONNECTED);
    }
}
