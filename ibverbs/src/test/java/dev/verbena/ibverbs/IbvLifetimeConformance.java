package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Inbox;
import dev.verbena.conformance.Side;
import dev.verbena.conformance.World;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What would make a library in C read memory that is no more, and how a thread that waits is let
/// go; on a device, as part of [IbvSuite].
interface IbvLifetimeConformance {
    @Test
    default void closedDeviceTellsNothing(World world) {
        Device device = world.device(0);

        device.close();

        assertThatThrownBy(() -> device.partitionKeys(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> device.port(1)).isInstanceOf(ClosedException.class);
    }

    @Test
    default void bindIsRefusedWhenItsRegionWasClosedBeforeItWasPosted(World world) {
        world.needs(WindowType.TYPE_2);
        Connection connection = Connection.on(world);
        Side left = connection.left();
        MemoryRegion region = left.domain().allocate(4096, Access.LOCAL_WRITE, Access.WINDOW_BIND);
        MemoryWindow window = left.domain().window(WindowType.TYPE_2);

        SendBatch batch = left.pair().sends();
        batch.write(left.slice(0, 8), connection.right().remote(0, 8)).signaled();
        batch.bind(window, region.slice(), Access.REMOTE_READ);
        region.close();

        assertThatThrownBy(batch::post).isInstanceOf(InvalidRequestException.class);
        left.sent().staysEmpty();
        connection.works();
    }

    @Test
    default void regionWhoseMemoryIsGoneIsClosedByItsRenewal(World world) {
        Connection connection = Connection.on(world);
        Arena arena = Arena.ofShared();
        // So large that the system takes it back at once.
        MemoryRegion region = connection.left().domain().register(arena.allocate(1 << 26));
        arena.close();

        assertThatThrownBy(region::renew).isInstanceOf(VerbsException.class);

        assertThatThrownBy(region::renew).isInstanceOf(ClosedException.class);
        region.close();
        connection.works();
    }

    @Test
    @Timeout(60)
    default void interruptEndsTheWait(World world) {
        CompletionQueue queue = Connection.on(world).left().sent().queue();

        Thread.currentThread().interrupt();
        int count = queue.await(Duration.ofMinutes(5), completion -> {});

        assertThat(Thread.interrupted()).isTrue();
        assertThat(count).isZero();
    }

    @Test
    default void listenerThatThrowsIsCalledAgain(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        AtomicInteger calls = new AtomicInteger();
        left.sent()
                .queue()
                .onNotification(
                        () -> {
                            calls.incrementAndGet();
                            throw new IllegalStateException("thrown on purpose");
                        });

        for (int i = 1; i <= 2; i++) {
            int expected = i;
            left.sent().queue().arm(Notification.ANY);
            left.post(
                    batch ->
                            batch.write(left.slice(0, 8), connection.right().remote(0, 8))
                                    .signaled());
            left.sent().next().succeeded();
            assertThat(world.advanceUntil(() -> calls.get() == expected, Inbox.LIMIT)).isTrue();
        }
    }
}
