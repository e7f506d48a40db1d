package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a program answers goes ahead of the acknowledgement of what it answers, and is not held up
/// by it; loopback delivers within the call that sends, so each step is seen.
@Tag("sockets")
class AnswerTest {
    @Test
    void answerIsSeenBeforeTheAcknowledgementBehindIt() {
        try (Side left = new Side();
                Side right = new Side()) {
            left.connect(right);
            right.connect(left);
            left.write(1, right.memory.remote());
            left.device.progress();
            right.device.progress();
            assertThat(right.first()).isEqualTo(1);

            right.write(2, left.memory.remote());
            right.device.progress();

            assertThat(right.trains()).as("both by one call").isEqualTo(1);
            assertThat(left.first()).as("before anything is taken").isEqualTo(1);
            left.device.progress();
            assertThat(left.first()).as("one turn takes the data").isEqualTo(2);
            assertThat(left.packets()).isEqualTo(1);
            assertThat(left.done.poll()).as("the next the acknowledgement").isNotNull();
            assertThat(left.packets()).isEqualTo(2);
        }
    }

    /// A program that takes many completions at a time answers after the last of them.
    @Test
    void anAnswerToTheLastCompletionLeavesWithItsAcknowledgement() {
        try (Side left = new Side();
                Side right = new Side()) {
            left.connect(right);
            right.connect(left);
            right.pair.receives().receive().id(7).post();
            left.pair.sends().send().post();
            left.device.progress();
            right.device.progress();

            int taken = right.done.poll(16, done -> assertThat(done.id()).isEqualTo(7));

            assertThat(taken).isEqualTo(1);
            assertThat(right.trains()).as("nothing has left yet").isZero();
            right.write(2, left.memory.remote());
            right.device.progress();
            assertThat(right.trains()).as("both by one call").isEqualTo(1);
            assertThat(right.device.counters().getOrDefault("sent_pkts", -1L)).isEqualTo(2);
        }
    }

    @Test
    void requestsWithoutDataLeaveTogether() {
        try (Side left = new Side();
                Side right = new Side()) {
            left.connect(right);
            right.connect(left);

            for (int i = 0; i < 4; i++) {
                left.pair.post(
                        batch ->
                                batch.read(
                                        left.memory.slice(0, 8),
                                        right.memory.remote().slice(8, 8)));
            }
            left.device.progress();

            assertThat(left.device.counters().getOrDefault("sent_pkts", -1L)).isEqualTo(4);
            assertThat(left.trains()).isEqualTo(1);
        }
    }

    /// One of two that talk, both in this thread.
    private static final class Side implements AutoCloseable {
        private final Device device =
                Devices.open("roce://" + TestAddresses.ipv4() + "?progress=caller");
        private final CompletionQueue done = device.completionQueue(16);
        private final MemoryRegion memory;
        private final QueuePair pair;

        Side() {
            ProtectionDomain domain = device.protectionDomain();
            memory =
                    domain.allocate(
                            64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
            pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
        }

        void connect(Side other) {
            pair.connect(other.pair.endpoint());
        }

        void write(int mark, RemoteSlice to) {
            memory.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) mark);
            pair.post(batch -> batch.write(memory.slice(0, 8), to.slice(0, 8)).signaled());
        }

        int first() {
            return memory.segment().get(ValueLayout.JAVA_BYTE, 0);
        }

        long trains() {
            return device.counters().getOrDefault("socket_tx_trains", -1L);
        }

        long packets() {
            return device.counters().getOrDefault("socket_rx_pkts", -1L);
        }

        @Override
        public void close() {
            device.close();
        }
    }
}
