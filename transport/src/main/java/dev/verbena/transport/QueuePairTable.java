package dev.verbena.transport;

import dev.verbena.transport.carrier.PortSettings;
import dev.verbena.transport.common.DeviceSettings;
import dev.verbena.transport.common.IntIndex;
import dev.verbena.transport.common.Places;
import dev.verbena.transport.common.RetiredNumbers;
import dev.verbena.transport.pair.PairSettings;
import dev.verbena.transport.work.TransportCompletionQueue;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.QueuePair;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The queue pairs of a device by number; numbers are random, so that no stranger knows one.
final class QueuePairTable {
    private static final int NUMBER_BITS = 24;

    /// 0 and 1 are for management; below 16 Linux keeps free as well.
    private static final int FIRST_NUMBER = 16;

    /// More than a peer sees end while it remembers one of them.
    private static final int RETIRED_MAX = 1 << 15;

    private final DeviceSettings settings;
    private final IntIndex byNumber = new IntIndex();
    private @Nullable TransportQueuePair[] pairs = new TransportQueuePair[1];
    private final Places places;
    private @Nullable RetiredNumbers retired;

    QueuePairTable(DeviceSettings settings) {
        this.settings = settings;
        this.places = new Places(settings.limits.queuePairs());
    }

    @Nullable TransportQueuePair find(int number) {
        int index = byNumber.get(number);
        return index == IntIndex.NONE ? null : pairs[index];
    }

    /// A place for one more queue pair.
    int reserve() {
        int index = places.take();
        if (index == Places.NONE) {
            throw new LimitExceededException(
                    settings.name,
                    "it holds " + places.used() + " queue pairs already",
                    "close some, or share them");
        }
        if (index >= pairs.length) {
            pairs = Arrays.copyOf(pairs, Places.grown(pairs.length, index));
        }
        return index;
    }

    /// Gives back a place that was not used after all.
    void giveBack(int index) {
        places.give(index);
    }

    int freshNumber() {
        int bits = NUMBER_BITS - settings.queuePairPrefixBits;
        int number;
        do {
            number = (settings.queuePairPrefix << bits) | settings.random.nextInt(1 << bits);
        } while (number < FIRST_NUMBER
                || number == QueuePair.MULTICAST_NUMBER
                || byNumber.get(number) != IntIndex.NONE
                || (retired != null && retired.has(number)));
        return number;
    }

    void add(TransportQueuePair pair) {
        pairs[pair.index] = pair;
        byNumber.put(pair.number(), pair.index);
    }

    void remove(TransportQueuePair pair) {
        pairs[pair.index] = null;
        byNumber.remove(pair.number());
        if (pair.isRemembered) {
            if (retired == null) {
                // A quarter of all stays free at least.
                int numbers = 1 << (NUMBER_BITS - settings.queuePairPrefixBits);
                retired = new RetiredNumbers(Math.min(RETIRED_MAX, numbers / 4));
            }
            retired.add(pair.number());
        }
        places.give(pair.index);
    }

    /// Fails all queue pairs but one that report to a completion queue which ran over.
    void failAll(TransportCompletionQueue lost, TransportQueuePair except) {
        for (int i = 0; i < places.top(); i++) {
            TransportQueuePair pair = pairs[i];
            if (pair != null && pair != except) {
                pair.failWith(lost);
            }
        }
    }

    /// Places used so far; those in between may be empty.
    int top() {
        return places.top();
    }

    @Nullable TransportQueuePair at(int index) {
        return pairs[index];
    }

    int size() {
        return byNumber.size();
    }

    /// The partition keys of the port have changed.
    void renewPartitions(PortSettings port) {
        for (int i = 0; i < top(); i++) {
            TransportQueuePair pair = at(i);
            if (pair != null) {
                PairSettings before = pair.settings();
                int key = port.partitionKey(before.partitionIndex());
                pair.settings(before.withPartitionKey(key));
            }
        }
    }
}
