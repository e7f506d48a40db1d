package dev.verbena.collectives.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.spi.VirtualTime;
import dev.verbena.virtual.VirtualNetwork;
import dev.verbena.virtual.VirtualSettings;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A peer that breaks the rules of links: rank 0 is a program of its own, rank 1 is ours.
class RogueRankTest {
    private static final long COMMUNICATOR = 77;
    private static final int PORT = 7100;
    private static final long LIMIT_NS = 1_000_000_000;
    private static final long STEP_NS = 10_000;

    private final VirtualNetwork network = new VirtualNetwork(VirtualSettings.DEFAULT);
    private final Device rogue = network.open("rogue");
    private final Device honest = network.open("honest");
    private final VirtualTime time = VirtualTime.of(honest).orElseThrow();
    private final Reception reception = new Reception(honest, PORT);
    private final Links links =
            new Links(
                    COMMUNICATOR,
                    1,
                    List.of(
                            new Member(List.of(Member.addressOf(rogue)), PORT, 0),
                            new Member(List.of(Member.addressOf(honest)), PORT, 1)),
                    List.of(reception),
                    ProtectionDomain::allocate,
                    LinkSettings.DEFAULT);
    private final ProtectionDomain domain = rogue.protectionDomain();
    private final CompletionQueue completions = rogue.completionQueue(64);
    private final MemoryRegion memory = domain.allocate(1 << 16, Access.LOCAL_WRITE);
    private @Nullable Connection connection;

    @AfterEach
    void close() {
        links.close();
        reception.close();
        network.close();
    }

    private boolean run(BooleanSupplier isOver) {
        long endNs = time.nowNs() + LIMIT_NS;
        while (!isOver.getAsBoolean()) {
            if (time.nowNs() >= endNs) {
                return false;
            }
            completions.poll(64, done -> {});
            if (!links.poll(time.nowNs()) && !time.step(time.nowNs() + STEP_NS)) {
                time.advanceTo(time.nowNs() + STEP_NS);
            }
        }
        return true;
    }

    private QueuePair ask(UnaryOperator<byte[]> change) {
        Greeting greeting =
                new Greeting(
                        COMMUNICATOR,
                        0,
                        0,
                        LinkSettings.DEFAULT.shortBytes(),
                        LinkSettings.DEFAULT.slots(),
                        LinkSettings.DEFAULT.grants(),
                        memory.address(),
                        1,
                        memory.address(),
                        1);
        QueuePair pair =
                domain.queuePair(QueuePairType.RC, it -> it.completions(completions).sendDepth(16));
        links.link(0, 0);
        connection =
                rogue.connect(
                        pair, Member.addressOf(honest), PORT, change.apply(greeting.toBytes()));
        return pair;
    }

    private Connection.State state() {
        return Objects.requireNonNull(connection, "it has asked").state();
    }

    /// Connects, writes so many bytes into the first slot with this signal, and gives why our rank
    /// has ended the communicator.
    private Failure sent(int signal, int bytes) {
        QueuePair pair = ask(it -> it);
        assertThat(run(() -> state() == Connection.State.ESTABLISHED && links.link(0, 0).isReady()))
                .isTrue();
        Greeting theirs = Objects.requireNonNull(Greeting.of(connection().privateData()));
        boolean isPosted =
                pair.sends()
                        .writeImmediate(theirs.slotAddress(), theirs.slotKey(), signal)
                        .local(memory, 0, bytes)
                        .signaled()
                        .post();
        assertThat(isPosted).isTrue();
        assertThat(run(() -> links.failure() != null)).isTrue();
        return Objects.requireNonNull(links.failure());
    }

    private Connection connection() {
        return Objects.requireNonNull(connection, "it has asked");
    }

    private void breaksTheRules(int signal, int bytes) {
        Failure failure = sent(signal, bytes);
        assertThat(failure.rank()).isZero();
        assertThat(failure.reason()).contains("rules", "0x%08x".formatted(signal));
    }

    @Test
    void aSignalOfNoKindEndsTheCommunicator() {
        breaksTheRules(0xF << 28, 8);
    }

    @Test
    void aMessageOutOfOrderEndsTheCommunicator() {
        breaksTheRules(Signal.of(Signal.SHORT, 0, 1), 8);
    }

    @Test
    void aShortMessageBeyondItsSlotEndsTheCommunicator() {
        breaksTheRules(Signal.of(Signal.SHORT, 0, 0), LinkSettings.DEFAULT.shortBytes() + 1);
    }

    @Test
    void aLongMessageWithoutAGrantEndsTheCommunicator() {
        breaksTheRules(Signal.of(Signal.LONG, 0, 0), 0);
    }

    @Test
    void aGrantOfAnotherLengthEndsTheCommunicator() {
        breaksTheRules(Signal.of(Signal.GRANT, 0, 0), RankDevice.GRANT_BYTES - 8);
    }

    @Test
    void creditForMessagesThatWereNeverSentEndsTheCommunicator() {
        breaksTheRules(Signal.of(Signal.CREDIT, 1, 0), 0);
    }

    @Test
    void aFailureOfARankThatIsNotThereIsThatOfTheReporter() {
        Failure failure = sent(Signal.failed(2), 0);
        assertThat(failure.rank()).isZero();
        assertThat(failure.reason()).contains("reported");
    }

    @Test
    void aGreetingOfAnotherVersionIsRefused() {
        ask(
                bytes -> {
                    bytes[3]++;
                    return bytes;
                });
        assertThat(run(() -> state() != Connection.State.CONNECTING)).isTrue();
        assertThat(state()).isNotEqualTo(Connection.State.ESTABLISHED);
        assertThat(links.failure()).isNull();
    }

    @Test
    void aGreetingOfALargerRankIsRefused() {
        ask(
                bytes -> {
                    bytes[15] = 1;
                    return bytes;
                });
        assertThat(run(() -> state() != Connection.State.CONNECTING)).isTrue();
        assertThat(state()).isNotEqualTo(Connection.State.ESTABLISHED);
        assertThat(links.failure()).isNull();
    }
}
