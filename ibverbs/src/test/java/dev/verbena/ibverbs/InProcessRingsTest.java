package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.Connection;
import dev.verbena.conformance.Inbox;
import dev.verbena.conformance.Seen;
import dev.verbena.conformance.Setup;
import dev.verbena.conformance.Side;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rings of requests, and what requests in flight hold, over a driver that notices misuse.
@Tag("inprocess")
@Timeout(60)
class InProcessRingsTest {
    /// No power of two: the tables behind a ring are larger.
    private static final int DEPTH = 5;

    /// EINVAL.
    private static final int REFUSED = 22;

    private final InProcessWorld world = new InProcessWorld(false);
    private final Connection connection =
            Setup.of(world)
                    .options(options -> options.sendDepth(DEPTH).receiveDepth(DEPTH))
                    .connect();
    private final Side left = connection.left();
    private final Side right = connection.right();

    @AfterEach
    void close() {
        world.close();
    }

    private boolean write(long id, boolean isSignaled) {
        return left.pair()
                .post(
                        batch -> {
                            batch.write(left.slice(0, 8), right.remote(0, 8)).id(id);
                            if (isSignaled) {
                                batch.signaled();
                            }
                        });
    }

    @Test
    void queueTakesAsManyAsItIsDeepAndNoMore() {
        for (int i = 0; i < DEPTH; i++) {
            assertThat(left.pair().sendRoom()).isEqualTo(DEPTH - i);
            assertThat(write(i, true)).isTrue();
        }

        assertThat(left.pair().sendRoom()).isZero();
        assertThat(write(99, true)).isFalse();
        left.sent().takeSuccesses(DEPTH);
        assertThat(left.pair().sendRoom()).isEqualTo(DEPTH);
    }

    @Test
    void completionsNameTheirRequestsWhenTheRingHasGoneRound() {
        for (int round = 0; round < 50; round++) {
            List<Long> posted = new ArrayList<>();
            for (int i = 0; i < DEPTH; i++) {
                posted.add(round * 100L + i);
                assertThat(write(posted.getLast(), true)).isTrue();
            }
            assertThat(left.sent().take(DEPTH)).extracting(Seen::id).isEqualTo(posted);
        }
    }

    @Test
    void receivesNameTheirRequestsWhenTheRingHasGoneRound() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < DEPTH; i++) {
                right.receiveNothing(round * 100L + i);
            }
            for (int i = 0; i < DEPTH; i++) {
                left.post(batch -> batch.send().signaled());
                assertThat(right.received().next().id()).isEqualTo(round * 100L + i);
                left.sent().next().succeeded();
            }
        }
    }

    @Test
    void unsignaledRequestsMakeRoomThoughNoneIsEverSignaled() {
        for (int i = 0; i < 20 * DEPTH; i++) {
            world.advanceUntil(
                    () -> {
                        left.sent().staysEmpty();
                        return left.pair().sendRoom() > 0;
                    },
                    Inbox.LIMIT);
            assertThat(write(i, false)).isTrue();
        }
    }

    @Test
    void requestsThatADriverRefusesWithoutNamingOneAreNotPosted() {
        MemoryRegion region = left.pair().domain().allocate(8, Access.LOCAL_WRITE);
        world.driver().refuseDoorbells(REFUSED);
        assertThatThrownBy(
                        () ->
                                left.post(
                                        batch -> {
                                            batch.write(region.slice(0, 8), right.remote(0, 8));
                                            batch.write(region.slice(0, 8), right.remote(0, 8));
                                        }))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("request 0 of the batch");
        world.driver().refuseDoorbells(0);

        assertThat(left.pair().sendRoom()).isEqualTo(DEPTH);
        region.close();
        assertThatThrownBy(region::segment).isInstanceOf(ClosedException.class);
        assertThat(write(1, true)).isTrue();
        assertThat(left.sent().next().id()).isEqualTo(1);
    }

    @Test
    void aRequestIsPostedThoughSoftRoceDoesNotFlushIt() {
        try (InProcessWorld soft = new InProcessWorld(true)) {
            Side failed = Setup.of(soft).connect().left();
            failed.pair().modify(QueuePairState.ERROR, all -> {});
            soft.driver().refuse("ibv_modify_qp", REFUSED);

            assertThat(failed.pair().post(batch -> batch.send().signaled())).isTrue();
        }
    }

    @Test
    void oneSignaledRequestEndsThoseBeforeIt() {
        assertThat(write(1, false)).isTrue();
        assertThat(write(2, true)).isTrue();

        assertThat(left.sent().next().id()).isEqualTo(2);
        assertThat(left.pair().sendRoom()).isEqualTo(DEPTH);
    }

    @Test
    void longBatchKeepsAllOfItsRequests() {
        left.fill(0, 8 * DEPTH, 3);
        left.post(
                batch -> {
                    for (int i = 0; i < DEPTH; i++) {
                        batch.write(left.slice(8L * i, 8), right.remote(64 + 8L * i, 8))
                                .id(i)
                                .signaled();
                    }
                });

        assertThat(left.sent().takeSuccesses(DEPTH)).extracting(Seen::id).isSorted();
        right.holds(64, left.bytes(0, 8 * DEPTH));
    }

    @Test
    void completionsFromBeforeAResetAreNotShown() {
        assertThat(write(7, true)).isTrue();
        world.advance(Inbox.QUIET);

        left.pair().modify(QueuePairState.RESET, _ -> {});

        left.sent().staysEmpty();
        assertThat(left.pair().sendRoom()).isEqualTo(DEPTH);
    }

    @Test
    void regionWithRequestsInFlightIsKeptForThem() {
        MemoryRegion region = right.domain().allocate(64, Access.LOCAL_WRITE);
        right.postReceive(batch -> batch.receive(region.slice()).id(1));

        region.close();

        left.fill(0, 64, 5);
        left.post(batch -> batch.send(left.slice(0, 64)).signaled());
        right.received().next().succeeded();
        left.sent().next().succeeded();
        assertThat(world.driver().misuse().found()).isEmpty();
    }

    @Test
    void handleWithDatagramsInFlightIsKeptForThem() {
        Connection datagrams = Setup.of(world).type(QueuePairType.UD).connect();
        Side from = datagrams.left();
        AddressHandle way =
                from.domain().addressHandle(Address.to(datagrams.right().pair().endpoint()));
        from.post(batch -> batch.send().to(way, datagrams.right().pair().endpoint()).signaled());

        way.close();

        from.sent().next().succeeded();
        assertThat(world.driver().misuse().found()).isEmpty();
    }

    @Test
    void atomicsExchangeTheRightNumbers() {
        RemoteSlice counter = right.remote(0, 8);
        right.memory().segment().set(ValueLayout.JAVA_LONG, 0, 40);

        left.post(batch -> batch.fetchAndAdd(left.slice(8, 8), counter, 2).signaled());
        left.sent().next().succeeded();
        left.post(batch -> batch.compareAndSwap(left.slice(16, 8), counter, 42, 77).signaled());
        left.sent().next().succeeded();

        assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(40);
        assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(42);
        assertThat(right.memory().segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(77);
    }

    @Test
    void datagramNamesItsSender() {
        Connection datagrams = Setup.of(world).type(QueuePairType.UD).connect();
        Side from = datagrams.left();
        Side to = datagrams.right();
        to.receive(1, 0, 64);

        from.post(batch -> batch.send().to(from.wayTo(to), to.pair().endpoint()).signaled());

        AtomicInteger sender = new AtomicInteger();
        CompletionQueue queue = to.received().queue();
        world.advanceUntil(
                () -> queue.poll(1, it -> sender.set(it.sourceQueuePair())) == 1, Inbox.LIMIT);
        assertThat(sender).hasValue(from.pair().number());
    }

    @Test
    void tooManyRegionsAreALimit() {
        int most = left.device().limits().memoryRegions();

        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i <= most; i++) {
                                left.domain().allocate(8);
                            }
                        })
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining(String.valueOf(most));
    }

    @Test
    void aClosedDomainMakesNothing() {
        left.domain().close();

        assertThatThrownBy(() -> left.domain().sharedReceiveQueue(1))
                .isInstanceOf(ClosedException.class);
        left.pair().close();
        left.memory().close();
        assertThat(world.driver().misuse().found()).isEmpty();
    }
}
