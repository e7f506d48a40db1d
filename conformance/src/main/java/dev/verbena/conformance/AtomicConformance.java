package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.CompletedOperation;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// COMPARE_SWAP and FETCH_ADD: eight bytes in host order, changed once, by one at a time.
public interface AtomicConformance extends Conformance {
    @Test
    default void compareAndSwapSwapsWhatIsEqual(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        // All bytes differ, so that a wrong byte order cannot pass.
        set(right, 64, 0x0102_0304_0506_0708L);

        left.post(
                batch ->
                        batch.compareAndSwap(
                                        right.memory().address() + 64,
                                        right.memory().remoteKey(),
                                        0x0102_0304_0506_0708L,
                                        0x1112_1314_1516_1718L)
                                .local(left.slice(8, 8))
                                .id(5)
                                .signaled());

        Seen swapped = left.sent().next().succeeded();
        assertThat(swapped.operation()).isEqualTo(CompletedOperation.COMPARE_SWAP);
        assertThat(swapped.id()).isEqualTo(5);
        assertThat(get(left, 8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(get(right, 64)).isEqualTo(0x1112_1314_1516_1718L);
        left.isUntouched(0, 8);
        left.isUntouched(16, 64);
        right.isUntouched(0, 64);
        right.isUntouched(72, 64);
    }

    @Test
    default void compareAndSwapLeavesWhatDiffers(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        set(right, 0, Long.MIN_VALUE);

        left.post(
                batch ->
                        batch.compareAndSwap(
                                        right.memory().address(),
                                        right.memory().remoteKey(),
                                        Long.MAX_VALUE,
                                        5)
                                .local(left.slice(0, 8))
                                .signaled());

        left.sent().next().succeeded();
        assertThat(get(left, 0)).isEqualTo(Long.MIN_VALUE);
        assertThat(get(right, 0)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    default void fetchAndAddWrapsAround(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        set(right, 8, -1);

        left.post(
                batch ->
                        batch.fetchAndAdd(
                                        right.memory().address() + 8,
                                        right.memory().remoteKey(),
                                        0x0102_0304_0506_0708L)
                                .local(left.slice(0, 8))
                                .signaled());

        Seen added = left.sent().next().succeeded();
        assertThat(added.operation()).isEqualTo(CompletedOperation.FETCH_ADD);
        assertThat(get(left, 0)).isEqualTo(-1);
        assertThat(get(right, 8)).isEqualTo(0x0102_0304_0506_0707L);
    }

    /// An answer that is lost makes the request come again; it must not be carried out again.
    @Test
    default void everyAdditionIsDoneOnce(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();

        for (int i = 0; i < 100; i++) {
            addOne(connection, 8L * i);
        }

        left.sent().takeSuccesses(100);
        assertThat(get(right, 0)).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(get(left, 8L * i)).as("the value before addition %d", i).isEqualTo(i);
        }
    }

    @Test
    default void additionsOfLocalCodeAreNotLost(World world) {
        Connection connection = Connection.on(world);
        Side left = connection.left();
        Side right = connection.right();
        VarHandle word = ValueLayout.JAVA_LONG.varHandle();
        Set<Long> found = new HashSet<>();
        int remote = 50;
        for (int i = 0; i < remote; i++) {
            addOne(connection, 8L * i);
        }

        // As the devices are driven between two looks at the condition, the additions mix.
        int[] local = {0};
        boolean done =
                world.advanceUntil(
                        () -> {
                            if (local[0] < 200) {
                                local[0]++;
                                found.add((long) word.getAndAdd(right.memory().segment(), 0L, 1L));
                            }
                            return get(right, 0) >= remote + local[0];
                        },
                        Inbox.LIMIT);

        assertThat(done).as("the sum is reached").isTrue();
        left.sent().takeSuccesses(remote);
        for (int i = 0; i < remote; i++) {
            found.add(get(left, 8L * i));
        }
        assertThat(get(right, 0)).isEqualTo(remote + local[0]);
        assertThat(found).as("no two found the same value").hasSize(remote + local[0]);
    }

    @Test
    default void onlyOneOfTwoInitiatorsSwaps(World world) {
        Connection first = Connection.on(world);
        Connection second = first.another();
        Side right = first.right();

        lock(first, 0, 1);
        lock(second, 8, 2);

        first.left().sent().next().succeeded();
        second.left().sent().next().succeeded();
        long foundByFirst = get(first.left(), 0);
        long foundBySecond = get(first.left(), 8);
        assertThat(get(right, 0)).isEqualTo(foundByFirst == 0 ? 1 : 2);
        assertThat(foundByFirst + foundBySecond)
                .as("the loser found the winner's number, the winner found 0")
                .isEqualTo(get(right, 0));
    }

    private static void lock(Connection connection, long resultAt, long number) {
        Side left = connection.left();
        Side right = connection.right();
        left.post(
                batch ->
                        batch.compareAndSwap(
                                        right.memory().address(),
                                        right.memory().remoteKey(),
                                        0,
                                        number)
                                .local(left.slice(resultAt, 8))
                                .signaled());
    }

    private static void addOne(Connection connection, long resultAt) {
        Side left = connection.left();
        Side right = connection.right();
        left.post(
                batch ->
                        batch.fetchAndAdd(right.memory().address(), right.memory().remoteKey(), 1)
                                .local(left.slice(resultAt, 8))
                                .signaled());
    }

    private static long get(Side side, long offset) {
        return (long) ValueLayout.JAVA_LONG.varHandle().getAcquire(side.memory().segment(), offset);
    }

    private static void set(Side side, long offset, long value) {
        side.memory().segment().set(ValueLayout.JAVA_LONG, offset, value);
    }
}
