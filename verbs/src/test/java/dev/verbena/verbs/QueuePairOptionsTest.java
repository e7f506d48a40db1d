package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class QueuePairOptionsTest {
    @Test
    void theCompletionQueueIsTheOnlyOneWithoutADefault() {
        QueuePairOptions options = new QueuePairOptions();
        assertThatThrownBy(options::sendCompletions)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("call completions(queue)");
        assertThatThrownBy(options::receiveCompletions).isInstanceOf(InvalidRequestException.class);
        assertThat(options.sendDepth()).isEqualTo(128);
        assertThat(options.receiveDepth()).isEqualTo(128);
        assertThat(options.port()).isEqualTo(1);
        assertThat(options.partitionIndex()).isZero();
        assertThat(options.isSignalAll()).isFalse();
        assertThat(options.isLeftReset()).isFalse();
        assertThat(options.queueKey()).isEmpty();
        assertThat(options.sharedReceives()).isNull();
        assertThat(options.access())
                .isEqualTo(Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
    }

    @Test
    void whatIsSetIsKept() {
        EnumSet<Access> rights = EnumSet.of(Access.REMOTE_READ);
        QueuePairOptions options =
                new QueuePairOptions()
                        .sendDepth(7)
                        .receiveDepth(0)
                        .port(2)
                        .partitionIndex(3)
                        .signalAll()
                        .leaveReset()
                        .queueKey(0x8000_0001)
                        .access(rights);
        rights.clear();
        assertThat(options.sendDepth()).isEqualTo(7);
        assertThat(options.receiveDepth()).isZero();
        assertThat(options.port()).isEqualTo(2);
        assertThat(options.partitionIndex()).isEqualTo(3);
        assertThat(options.isSignalAll()).isTrue();
        assertThat(options.isLeftReset()).isTrue();
        assertThat(options.queueKey()).hasValue(0x8000_0001);
        assertThat(new QueuePairOptions().queueKey(0).queueKey()).hasValue(0);
        assertThat(options.access()).containsExactly(Access.REMOTE_READ);
    }

    @Test
    void whatNoDeviceCanHaveIsRefused() {
        assertRefused(it -> it.sendDepth(-1), "send depth -1");
        assertRefused(it -> it.receiveDepth(-1), "receive depth -1");
        assertRefused(it -> it.port(0), "port 0");
        assertRefused(it -> it.port(256), "port 256");
        assertRefused(it -> it.partitionIndex(-1), "partition index -1");
        assertRefused(it -> it.partitionIndex(65536), "partition index 65536");
    }

    private static void assertRefused(Consumer<QueuePairOptions> change, String what) {
        assertThatThrownBy(() -> change.accept(new QueuePairOptions()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("queue pair options: " + what + " is out of range");
    }
}
