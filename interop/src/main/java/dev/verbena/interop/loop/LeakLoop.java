package dev.verbena.interop.loop;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Creates one object of every kind on a device, repeatedly, and closes them in any order, so that
/// leaks can be seen from outside, also after the process was killed.
///
/// ```
/// LeakLoop URI SEED [ROUNDS]
/// ```
///
/// Without a number of rounds it goes on until it is ended.
public final class LeakLoop {
    private static final int DEPTH = 16;
    private static final int QUEUE_KEY = 0x1234;

    private LeakLoop() {}

    /// See above for the words.
    public static void main(String... words) throws Exception {
        Random random = new Random(Long.parseLong(words[1]));
        long rounds = words.length > 2 ? Long.parseLong(words[2]) : Long.MAX_VALUE;
        for (long round = 1; round <= rounds; round++) {
            List<AutoCloseable> all = open(words[0]);
            System.out.printf("litter: round %d, %d things%n", round, all.size());
            Collections.shuffle(all, random);
            for (AutoCloseable it : all) {
                it.close();
            }
        }
    }

    private static List<AutoCloseable> open(String uri) {
        List<AutoCloseable> all = new ArrayList<>();
        Device device = Devices.open(uri);
        ProtectionDomain domain = device.protectionDomain();
        CompletionQueue queue = device.completionQueue(4 * DEPTH);
        SharedReceiveQueue shared = domain.sharedReceiveQueue(DEPTH);
        QueuePair pair = pair(domain, queue, QueuePairType.RC);
        QueuePair sharing =
                domain.queuePair(
                        QueuePairType.RC, it -> it.completions(queue).sharedReceives(shared));
        pair.connect(sharing.endpoint());
        sharing.connect(pair.endpoint());
        Collections.addAll(all, device, domain, queue, shared, pair, sharing);
        all.add(pair(domain, queue, QueuePairType.UC));
        all.add(pair(domain, queue, QueuePairType.UD));
        all.add(domain.allocate(1 << 16, Access.LOCAL_WRITE, Access.WINDOW_BIND));
        all.add(domain.window(WindowType.TYPE_2));
        all.add(domain.addressHandle(Address.to(pair.endpoint())));
        return all;
    }

    private static QueuePair pair(
            ProtectionDomain domain, CompletionQueue queue, QueuePairType type) {
        return domain.queuePair(
                type,
                it ->
                        it.completions(queue)
                                .sendDepth(DEPTH)
                                .receiveDepth(DEPTH)
                                .queueKey(QUEUE_KEY));
    }
}
