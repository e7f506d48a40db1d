package dev.verbena.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.virtual.VirtualSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a closed stream leaves in a completion queue takes no room from the next stream.
class CompletionRoomTest {
    private static final long LIMIT_NS = 20_000_000_000L;
    private static final int CREDITS = 128;

    /// A side leaves four of its credits for other messages.
    private static final int MESSAGES = CREDITS - 4;

    private static final StreamSettings SETTINGS = StreamSettings.DEFAULT.withCredits(CREDITS);

    private static ByteStream[] connect(TwoEnds ends, StreamGroup accepting) throws IOException {
        ByteStream from = ends.leftGroup.connect(ends.address());
        ByteStream to = accepting.accept(ends.request());
        assertThat(ends.run(from::isConnected, LIMIT_NS)).isTrue();
        return new ByteStream[] {from, to};
    }

    /// One message for each byte; the group that accepts is not driven meanwhile.
    private static void write(TwoEnds ends, ByteStream to, int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            assertThat(to.write(ByteBuffer.allocate(1))).isEqualTo(1);
            ends.run(() -> false, 20_000);
        }
    }

    @Test
    void thoughNobodyLookedAtItYet() throws IOException {
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, SETTINGS);
                StreamGroup one = new StreamGroup(ends.right, SETTINGS, 1)) {
            ByteStream[] first = connect(ends, one);
            assertThat(
                            ends.run(
                                    () -> {
                                        one.progress();
                                        return first[1].isConnected();
                                    },
                                    LIMIT_NS))
                    .isTrue();
            write(ends, first[1], ByteStream.REQUESTS_MAX);
            write(ends, first[0], MESSAGES);
            first[1].abort();

            ByteStream[] second = connect(ends, one);
            write(ends, second[0], MESSAGES);
            ends.network.advance(Duration.ofMillis(1));
            assertThat(
                            ends.run(
                                    () -> {
                                        one.progress();
                                        return second[1].available() == MESSAGES
                                                || second[1].isInputEnded();
                                    },
                                    LIMIT_NS))
                    .isTrue();
            assertThat(second[1].failure()).isNull();
            assertThat(second[1].available()).isEqualTo(MESSAGES);
        }
    }

    @Test
    void aQueueIsUsedAgain() throws IOException {
        try (TwoEnds ends = new TwoEnds(VirtualSettings.DEFAULT, SETTINGS);
                StreamGroup one = new StreamGroup(ends.right, SETTINGS, 1)) {
            for (int i = 0; i < 5; i++) {
                connect(ends, one)[1].abort();
                one.progress();
            }
            assertThat(one.queues()).isEqualTo(1);
        }
    }
}
