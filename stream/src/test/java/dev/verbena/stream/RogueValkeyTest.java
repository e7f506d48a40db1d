package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer that breaks the rules of Valkey's protocol: the left one is a program of its own, the
/// right one is ours.
class RogueValkeyTest {
    private static final long LIMIT_NS = 5_000_000_000L;
    private static final int BUFFER = 4096;

    private final TwoEnds ends =
            new TwoEnds(VirtualSettings.DEFAULT, StreamSettings.VALKEY.withReceiveBytes(BUFFER));
    private final ProtectionDomain domain = ends.left.protectionDomain();
    private final CompletionQueue completions = ends.left.completionQueue(4096);
    private final MemoryRegion memory = domain.allocate(8192, Access.REMOTE_WRITE);
    private final QueuePair pair =
            domain.queuePair(
                    QueuePairType.RC,
                    options -> options.completions(completions).receiveDepth(64).sendDepth(1200));

    @AfterEach
    void close() {
        ends.close();
    }

    private ByteStream accepted() throws ProtocolException {
        postReceives();
        Connection connection = ends.left.connect(pair, ends.address(), new byte[0]);
        ByteStream stream = ends.rightGroup.accept(ends.request());
        await(stream, connection);
        return stream;
    }

    /// The same where ours is the client.
    private ByteStream connected() {
        postReceives();
        Listener listener = ends.left.listen(TwoEnds.PORT, 1);
        ByteStream stream =
                ends.rightGroup.connect(
                        new InetSocketAddress(
                                ends.left.gids(1).getFirst().toInetAddress(), TwoEnds.PORT));
        Connection[] made = new Connection[1];
        assertThat(
                        ends.run(
                                () -> {
                                    var request = listener.poll();
                                    if (request != null) {
                                        made[0] = request.accept(pair, new byte[0]);
                                    }
                                    return made[0] != null;
                                },
                                LIMIT_NS))
                .isTrue();
        await(stream, made[0]);
        return stream;
    }

    private void postReceives() {
        for (int i = 0; i < 64; i++) {
            assertThat(pair.receives().receive().local(memory, 4096, 32).post()).isTrue();
        }
    }

    private void await(ByteStream stream, Connection connection) {
        assertThat(
                        ends.run(
                                () ->
                                        stream.isConnected()
                                                && connection.state()
                                                        == Connection.State.ESTABLISHED,
                                LIMIT_NS))
                .isTrue();
        // The buffer of ours arrives.
        ends.run(() -> false, 10_000_000);
    }

    private void command(int code, long word, int length) {
        MemorySegment at = memory.segment();
        at.fill((byte) 0);
        at.set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 0, (short) code);
        at.set(ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN), 24, word);
        assertThat(pair.sends().send().local(memory, 0, length).post()).isTrue();
    }

    private void isRefused(ByteStream stream, String reason) {
        assertThat(ends.run(() -> stream.failure() != null, LIMIT_NS)).isTrue();
        assertThat(stream.failure())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, BUFFER + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void mayNotClaimBytesThatItHadNoRoomFor(int bytes) throws IOException {
        ByteStream stream = accepted();
        assertThat(pair.sends().writeImmediate(0, 0, bytes).post()).isTrue();
        isRefused(stream, "no room for");
        assertThat(stream.available()).isZero();
    }

    @Test
    void mayNotFillABufferTwice() throws IOException {
        ByteStream stream = accepted();
        assertThat(pair.sends().writeImmediate(0, 0, BUFFER).post()).isTrue();
        assertThat(pair.sends().writeImmediate(0, 0, 1).post()).isTrue();
        isRefused(stream, "no room for");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 255, 0xFFFF})
    void mayNotSendCommandsThatDoNotExist(int code) throws IOException {
        ByteStream stream = accepted();
        command(code, 0, ValkeyCommand.BYTES);
        isRefused(stream, "unknown command " + code);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31})
    void mayNotSendShortCommands(int length) throws IOException {
        ByteStream stream = accepted();
        command(ValkeyCommand.KEEP_ALIVE, 0, length);
        isRefused(stream, "a command of " + length + " bytes");
    }

    @Test
    void mayNotWantFeatures() throws IOException {
        ByteStream stream = accepted();
        command(ValkeyCommand.SET_FEATURES, 1, ValkeyCommand.BYTES);
        isRefused(stream, "wants features");
    }

    @Test
    void mayNotGiveABufferWithoutBytes() throws IOException {
        ByteStream stream = accepted();
        command(ValkeyCommand.REGISTER, 0, ValkeyCommand.BYTES);
        isRefused(stream, "without bytes");
    }

    @Test
    void mayNotAnswerWhatItWasNotAsked() {
        ByteStream stream = connected();
        command(ValkeyCommand.GET_FEATURES, 0, ValkeyCommand.BYTES);
        isRefused(stream, "not asked");
    }

    @Test
    void maySayThatItIsAlive() throws IOException {
        ByteStream stream = accepted();
        for (int i = 0; i < 2000; i++) {
            command(ValkeyCommand.KEEP_ALIVE, 0, ValkeyCommand.BYTES);
            ends.run(() -> false, 10_000);
            completions.poll(4096, done -> {});
        }
        command(ValkeyCommand.SET_FEATURES, 0, ValkeyCommand.BYTES);
        ends.run(() -> false, 10_000_000);
        assertThat(stream.failure()).isNull();
        assertThat(stream.isInputEnded()).isFalse();
    }
}
