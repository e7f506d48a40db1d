package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer that breaks the rules: the left one is a program of its own, the right one is ours.
class RoguePeerTest {
    private static final long LIMIT_NS = 5_000_000_000L;
    private static final int RING = 4096;
    private static final int CREDITS = 16;
    private static final StreamSettings SETTINGS =
            StreamSettings.DEFAULT.withReceiveBytes(RING).withCredits(CREDITS);

    private final TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, SETTINGS);
    private final ProtectionDomain domain = ends.left.protectionDomain();
    private final CompletionQueue completions = ends.left.completionQueue(256);
    private final MemoryRegion memory = domain.allocate(8192, Access.REMOTE_WRITE);
    private final QueuePair pair =
            domain.queuePair(QueuePairType.RC, options -> options.completions(completions));

    @AfterEach
    void close() {
        ends.close();
    }

    private Hello honest() {
        return new Hello(
                false,
                32,
                memory.remote().slice(4096, Targets.BYTES),
                memory.remote().slice(0, 64));
    }

    private ByteStream connect() throws ProtocolException {
        for (int i = 0; i < 64; i++) {
            pair.receives().receive().post();
        }
        Connection connection = ends.left.connect(pair, ends.address(), honest().toBytes());
        ByteStream stream = ends.rightGroup.accept(ends.request());
        assertThat(
                        ends.run(
                                () ->
                                        stream.isConnected()
                                                && connection.state()
                                                        == Connection.State.ESTABLISHED,
                                LIMIT_NS))
                .isTrue();
        return stream;
    }

    private void say(int type, int value) {
        assertThat(pair.sends().writeImmediate(0, 0, Message.of(type, value)).post()).isTrue();
    }

    private void isRefused(ByteStream stream, String reason) {
        assertThat(ends.run(() -> stream.failure() != null, LIMIT_NS)).isTrue();
        assertThat(stream.failure())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, RING + 1, Message.VALUE_MAX})
    void mayNotClaimBytesThatItHadNoRoomFor(int bytes) throws ProtocolException {
        ByteStream stream = connect();
        say(Message.DATA, bytes);
        isRefused(stream, "no room for");
        assertThat(stream.available()).isZero();
    }

    @Test
    void mayNotSendMoreMessagesThanItHasCredits() throws ProtocolException {
        ByteStream stream = connect();
        for (int i = 0; i < CREDITS + RsocketFraming.SPARE_RECEIVES; i++) {
            say(Message.DATA, 1);
        }
        // All of them arrive before the stream looks.
        ends.network.advance(Duration.ofMillis(1));
        isRefused(stream, "no room for");
    }

    @Test
    void mayNotSendAfterItsEnd() throws ProtocolException {
        ByteStream stream = connect();
        say(Message.CONTROL, Message.SHUTDOWN);
        say(Message.DATA, 1);
        isRefused(stream, "no room for");
    }

    @Test
    void mayNotGiveMoreCreditsThanItHas() throws ProtocolException {
        ByteStream stream = connect();
        say(Message.CREDIT, 33);
        isRefused(stream, "gives 33 credits and has 32");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6})
    void mayNotSendMessagesThatDoNotExist(int type) throws ProtocolException {
        ByteStream stream = connect();
        say(type, 0);
        isRefused(stream, "unknown message");
    }

    @Test
    void mayNotSendMessagesInsteadOfWrites() throws ProtocolException {
        ByteStream stream = connect();
        assertThat(pair.sends().send().post()).isTrue();
        isRefused(stream, "without an immediate");
    }

    @Test
    void isRejectedWithAHelloThatIsNone() {
        byte[] version = honest().toBytes();
        version[0] = 2;
        isRejected(version);
    }

    @Test
    void isRejectedWithoutTargets() {
        RemoteSlice none = memory.remote().slice(0, 0);
        isRejected(new Hello(false, 32, none, memory.remote()).toBytes());
    }

    @Test
    void isRejectedWithoutCredits() {
        isRejected(new Hello(false, 0, honest().targets(), memory.remote()).toBytes());
    }

    @Test
    void isRejectedWithAHelloOfZeros() {
        isRejected(new byte[Hello.LENGTH]);
    }

    @Test
    void mayGiveUpBeforeItIsAccepted() throws IOException {
        Connection connection = ends.left.connect(pair, ends.address(), honest().toBytes());
        ConnectionRequest request = ends.request();
        connection.disconnect();
        // A request is kept for about a minute.
        ends.network.advance(Duration.ofMinutes(2));
        assertThat(StreamServer.accept(ends.right, request, SETTINGS)).isNull();
    }

    private void isRejected(byte[] hello) {
        Connection connection = ends.left.connect(pair, ends.address(), hello);
        ConnectionRequest request = ends.request();
        assertThatThrownBy(() -> ends.rightGroup.accept(request))
                .isInstanceOf(ProtocolException.class);
        assertThat(ends.run(() -> connection.state() == Connection.State.FAILED, LIMIT_NS))
                .isTrue();
        assertThatThrownBy(() -> connection.await(Duration.ZERO))
                .isInstanceOfSatisfying(
                        ConnectionFailedException.class,
                        failure ->
                                assertThat(failure.reason())
                                        .isEqualTo(ConnectionFailedException.Reason.REJECTED));
        assertThat(ends.rightGroup.size()).isZero();
    }

    @Test
    void aHelloIsReadAsItWasWritten() throws ProtocolException {
        Hello hello = honest();
        byte[] padded = Arrays.copyOf(hello.toBytes(), 56);
        assertThat(Hello.parse(padded)).isEqualTo(hello);
        assertThatThrownBy(() -> Hello.parse(Arrays.copyOf(padded, 39)))
                .isInstanceOf(ProtocolException.class);
    }
}
