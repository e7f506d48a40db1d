package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("inprocess")
class RequestsTest {
    private static final int ROUNDS = 2_000_000;

    @Test
    void ringTakesAsManyAsItIsDeep() {
        RequestRing ring = new RequestRing(3, 1);

        assertThat(post(ring, 3)).doesNotContain(-1);
        assertThat(ring.room()).isZero();
        assertThat(ring.stage(0)).isNegative();
    }

    @Test
    void aCompletionFromBeforeAResetNeverShowsALaterRequest() throws InterruptedException {
        Owners owners = new Owners();
        RequestRing ring = new RequestRing(1, 1);
        owners.add(ring);
        AtomicLong number = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        Thread poller = new Thread(() -> wrong.set(pollAll(owners, number)));
        ring.name(post(ring, 1).getFirst(), 0);
        number.set(ring.number(0));
        poller.start();
        for (int round = 1; round <= ROUNDS; round++) {
            owners.renew(ring);
            ring.reset();
            int place = post(ring, 1).getFirst();
            assertTrue(place >= 0, "a reset makes room, whatever is polled meanwhile");
            ring.name(place, -1); // of a request that is refused
            ring.commit(0);
            ring.name(place, place);
            number.set(ring.number(place));
        }
        number.set(-1);
        poller.join();

        assertThat(wrong.get()).as("completions that showed a request of later").isZero();
    }

    /// Shows completions of the request that was posted last; counts those that show another.
    private static long pollAll(Owners owners, AtomicLong number) {
        MemorySegment completion = Arena.ofAuto().allocate(Structs.Wc.SIZE, Structs.POINTER);
        IbvCompletion shown = new IbvCompletion(owners, false);
        long wrong = 0;
        for (long of = number.get(); of != -1; of = number.get()) {
            Memory.putLong(completion.address() + Structs.Wc.ID, of);
            if (shown.show(completion.address()) && shown.id() != Requests.placeOf(of)) {
                wrong++;
            }
        }
        return wrong;
    }

    @Test
    void oneThatIsDoneEndsAllBeforeIt() {
        RequestRing ring = new RequestRing(4, 1);
        List<Integer> places = post(ring, 4);

        ring.retire(places.get(2));

        assertThat(ring.room()).isEqualTo(3);
    }

    @Test
    void oneThatIsDoneTwiceEndsNothingElse() {
        RequestRing ring = new RequestRing(4, 1);
        List<Integer> places = post(ring, 4);
        ring.retire(places.get(1));

        ring.retire(places.get(0));
        ring.retire(places.get(1));

        assertThat(ring.room()).isEqualTo(2);
    }

    @Test
    void ringGoesRoundWithAnyDepth() {
        for (int depth = 1; depth <= 9; depth++) {
            RequestRing ring = new RequestRing(depth, 2);
            for (int round = 0; round < 100; round++) {
                List<Integer> places = post(ring, depth);
                for (int i = 0; i < depth; i++) {
                    ring.name(places.get(i), round * 100L + i);
                }
                for (int i = 0; i < depth; i++) {
                    assertThat(ring.id(places.get(i))).isEqualTo(round * 100L + i);
                    ring.retire(places.get(i));
                }
                assertThat(ring.room()).isEqualTo(depth);
            }
        }
    }

    @Test
    void whatTheDeviceDidNotTakeMakesRoomAgain() {
        RequestRing ring = new RequestRing(4, 1);
        post(ring, 3);

        ring.takeBack(1, 3);

        assertThat(ring.room()).isEqualTo(3);
    }

    /// A poster and a thread that resets: the reset comes before the device has refused.
    @Test
    void aResetBeforeTheDeviceRefusedLeavesTheRoomAsItWas() {
        RequestRing ring = new RequestRing(4, 1);
        ring.stage(0);
        ring.commit(1);
        ring.reset();
        ring.takeBack(0, 1);

        assertThat(ring.room()).isEqualTo(4);
    }

    @Test
    void poolTakesBackInAnyOrder() {
        RequestPool pool = new RequestPool(3, 1);
        List<Integer> places = post(pool, 3);

        pool.retire(places.get(1));

        assertThat(pool.room()).isEqualTo(1);
        assertThat(pool.posted()).isEqualTo(2);
        assertThat(post(pool, 1)).containsExactly(places.get(1));
    }

    @Test
    void poolForgetsWhatABatchGaveUp() {
        RequestPool pool = new RequestPool(3, 1);
        pool.stage(0);
        pool.stage(1);

        pool.commit(0);

        assertThat(pool.room()).isEqualTo(3);
        assertThat(pool.posted()).isZero();
    }

    @Test
    void completionsLeadToTheQueueThatTheyAreOf() {
        Owners owners = new Owners();
        List<Requests> queues = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            queues.add(new RequestRing(2, 1));
            owners.add(queues.getLast());
        }

        for (Requests queue : queues) {
            assertThat(owners.find(queue.number(7))).isSameAs(queue);
        }
        assertThat(Requests.placeOf(queues.getLast().number(7))).isEqualTo(7);
    }

    @Test
    void completionsOfAQueueThatIsGoneLeadNowhere() {
        Owners owners = new Owners();
        Requests old = added(owners);
        long number = old.number(1);
        owners.remove(old);
        Requests next = added(owners);

        assertThat(owners.find(number)).isNull();
        assertThat(owners.find(next.number(1))).isSameAs(next);
    }

    @Test
    void completionsFromBeforeAResetLeadNowhere() {
        Owners owners = new Owners();
        Requests ring = added(owners);
        long number = ring.number(1);

        owners.renew(ring);

        assertThat(owners.find(number)).isNull();
        assertThat(owners.find(ring.number(1))).isSameAs(ring);
    }

    /// A token that a reset gives was never given before, however many there were.
    @Test
    void aTokenNeverReturns() {
        Owners owners = new Owners();
        Requests ring = added(owners);
        long number = ring.number(1);
        Set<Long> tokens = new HashSet<>(ROUNDS * 2);
        tokens.add(ring.token());

        for (int i = 0; i < ROUNDS; i++) {
            owners.renew(ring);
            assertTrue(tokens.add(ring.token()), () -> "token " + ring.token() + " again");
            assertSame(ring, owners.find(ring.number(1)));
        }

        assertThat(owners.find(number)).isNull();
    }

    @Test
    void aPlaceThatWasGivenAwayAsOftenAsATokenTellsIsNotUsedAgain() {
        Owners owners = new Owners();
        Requests first = added(owners);
        long number = first.number(1);
        for (int i = 0; i < ROUNDS; i++) {
            owners.remove(first);
            owners.add(first);
            assertNotEquals(number, first.number(1));
            assertSame(first, owners.find(first.number(1)));
        }
    }

    @Test
    void ringGoesOnWhenItsPlacesBeginAgain() {
        RequestRing ring = new RequestRing(3, 1);
        for (int i = 0; i < 2 * Requests.PLACE_MASK; i++) {
            int place = ring.stage(0);
            ring.commit(1);
            ring.name(place, i);
            assertEquals(i, ring.id(Requests.placeOf(ring.number(place))));
            ring.retire(place);
            assertEquals(3, ring.room());
        }
    }

    @Test
    void silentRequestsKeepTheirPlace() {
        RequestRing ring = new RequestRing(2, 1);
        long number = Requests.silent(ring.number(5));

        assertThat(Requests.isSilent(number)).isTrue();
        assertThat(Requests.isSilent(ring.number(5))).isFalse();
        assertThat(Requests.placeOf(number)).isEqualTo(5);
        assertThat(Requests.tokenOf(number)).isEqualTo(Requests.tokenOf(ring.number(5)));
    }

    private static Requests added(Owners owners) {
        Requests made = new RequestRing(2, 1);
        owners.add(made);
        return made;
    }

    private static List<Integer> post(Requests requests, int count) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(requests.stage(i));
        }
        requests.commit(count);
        return places;
    }
}
