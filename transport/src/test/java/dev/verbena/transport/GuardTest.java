package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.transport.carrier.Guard;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Every call of a program enters the guard and leaves it; an empty poll does not bother.
class GuardTest {
    private final Counting guard = new Counting();
    private final Loopback network = new Loopback(1);
    private final TransportDevice device = network.open("left", it -> it.guard(guard));
    private final ProtectionDomain domain = device.protectionDomain();
    private final CompletionQueue queue = device.completionQueue(64);
    private final MemoryRegion region =
            domain.allocate(64, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.WINDOW_BIND);
    private final MemoryWindow window = domain.window(WindowType.TYPE_1);
    private final SharedReceiveQueue pool = domain.sharedReceiveQueue(4);
    private final QueuePair pair = connected(QueuePairType.RC);
    private final QueuePair datagrams =
            domain.queuePair(QueuePairType.UD, it -> it.completions(queue));
    private final AddressHandle way = domain.addressHandle(Address.to(pair.endpoint()));

    private QueuePair connected(QueuePairType type) {
        QueuePair made = domain.queuePair(type, it -> it.completions(queue).sendDepth(64));
        made.connect(made.endpoint());
        return made;
    }

    @Test
    void everyCallOfAProgramEntersAndLeaves() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("counters", device::counters);
        calls.put("pollEvent", device::pollEvent);
        calls.put("protectionDomain", device::protectionDomain);
        calls.put("completionQueue", () -> device.completionQueue(1));
        calls.put("allocate", () -> domain.allocate(8));
        calls.put("phantom", () -> TransportDevice.phantom(domain, 8));
        calls.put("register", () -> domain.register(region.segment()));
        calls.put("window", () -> domain.window(WindowType.TYPE_2));
        calls.put("sharedReceiveQueue", () -> domain.sharedReceiveQueue(1));
        calls.put("addressHandle", () -> domain.addressHandle(way.address()));
        calls.put(
                "queuePair", () -> domain.queuePair(QueuePairType.RC, it -> it.completions(queue)));
        calls.put("renew", region::renew);
        calls.put("arm", () -> queue.arm(Notification.ANY));
        calls.put("onNotification", () -> queue.onNotification(() -> {}));
        calls.put("limit", () -> pool.limit(0));
        calls.put("limit read", pool::limit);
        calls.put("room", pool::room);
        calls.put("shared receives", pool::receives);
        calls.put("endpoint", pair::endpoint);
        calls.put("query", pair::query);
        calls.put("sendRoom", pair::sendRoom);
        calls.put("receiveRoom", pair::receiveRoom);
        calls.put("sends", pair::sends);
        calls.put("receives", pair::receives);
        calls.put("activate", datagrams::activate);
        calls.put("modify", () -> pair.modify(QueuePairState.SEND_QUEUE_DRAINED, it -> {}));
        calls.put("modify back", () -> pair.modify(QueuePairState.READY_TO_SEND, it -> {}));
        calls.put("close window", window::close);
        calls.put("close handle", way::close);
        calls.put("close pool", pool::close);
        calls.put("close pair", pair::close);
        calls.put("close region", region::close);
        calls.put("close queue", queue::close);
        calls.put("close device", device::close);
        calls.forEach(this::requireGuard);
    }

    @Test
    void everyCallOfABatchEntersAndLeaves() {
        SendBatch batch = pair.sends();
        long at = region.address();
        int key = region.remoteKey();
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("send", batch::send);
        calls.put("inline", () -> batch.inline(MemorySegment.ofArray(new byte[8]), 0, 8));
        calls.put("sendImmediate", () -> batch.sendImmediate(1));
        calls.put("local", () -> batch.local(region, 0, 8));
        calls.put("id", () -> batch.id(1));
        calls.put("signaled", batch::signaled);
        calls.put("fence", batch::fence);
        calls.put("solicited", batch::solicited);
        calls.put("sendInvalidate", () -> batch.sendInvalidate(key));
        calls.put("write", () -> batch.write(at, key));
        calls.put("writeImmediate", () -> batch.writeImmediate(at, key, 1));
        calls.put("read", () -> batch.read(at, key));
        calls.put("compareAndSwap", () -> batch.compareAndSwap(at, key, 1, 2));
        calls.put("fetchAndAdd", () -> batch.fetchAndAdd(at, key, 1));
        calls.put("localInvalidate", () -> batch.localInvalidate(key));
        calls.put("bind", () -> batch.bind(window, region, 0, 8, Set.of(Access.REMOTE_READ)));
        calls.put("abort", batch::abort);
        calls.forEach(this::requireGuard);
        SendBatch posted = pair.sends().write(at, key).local(region, 0, 8);
        requireGuard("post", posted::post);

        datagrams.activate();
        SendBatch datagram = datagrams.sends().send();
        requireGuard("to", () -> datagram.to(way, 1, 1));

        ReceiveBatch receives = pair.receives();
        requireGuard("receive", receives::receive);
        requireGuard("receive local", () -> receives.local(region, 0, 8));
        requireGuard("receive id", () -> receives.id(1));
        requireGuard("receive post", receives::post);
    }

    @Test
    void anEmptyPollDoesNotEnterAndAFullOneDoes() {
        int before = guard.entered;
        assertThat(queue.poll()).isNull();
        assertThat(guard.entered).isEqualTo(before);
        pair.post(it -> it.write(region.slice(), region.remote()).signaled());
        for (int i = 0; i < 5; i++) {
            network.turn();
        }
        requireGuard("poll", () -> assertThat(queue.poll()).isNotNull());
    }

    private void requireGuard(String call, Runnable made) {
        int before = guard.entered;
        made.run();
        assertThat(guard.entered).as(call + " enters").isGreaterThan(before);
        assertThat(guard.depth).as(call + " leaves").isZero();
    }

    private static final class Counting implements Guard {
        private int entered;
        private int depth;

        @Override
        public void enter() {
            entered++;
            depth++;
        }

        @Override
        public void exit() {
            depth--;
        }
    }
}
