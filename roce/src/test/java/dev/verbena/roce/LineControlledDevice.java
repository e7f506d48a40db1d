package dev.verbena.roce;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.VerbsException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A device that executes commands, one per line, and answers each with a line: it listens,
/// connects, and receives from and sends to groups. Several share one address.
final class LineControlledDevice implements AutoCloseable {
    static final int KEY = 0x1A2B_3C4D;
    private static final int BYTES = 256;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Longer than anything takes on loopback, and short enough to wait for nothing.
    private static final Duration SILENCE = Duration.ofMillis(300);

    private final String name;
    final TransportDevice device;
    private final ProtectionDomain domain;
    private final CompletionQueue served;
    private final CompletionQueue done;
    private final CompletionQueue heard;
    private final MemoryRegion memory;
    private final QueuePair datagrams;
    private final Map<Integer, Listener> listeners = new HashMap<>();
    private @Nullable Connection last;

    LineControlledDevice(String uri, String name) {
        this.name = name;
        device = TransferCheck.open(uri);
        domain = device.protectionDomain();
        served = device.completionQueue(1024);
        done = device.completionQueue(1024);
        heard = device.completionQueue(16);
        memory = domain.allocate(2 * BYTES, Access.LOCAL_WRITE);
        datagrams = domain.queuePair(QueuePairType.UD, it -> it.completions(heard).queueKey(KEY));
        datagrams.activate();
        receive();
    }

    private void receive() {
        datagrams.receives().receive().local(memory, BYTES, BYTES).post();
    }

    /// Executes one line; the answer is its result.
    String obey(String line) {
        String[] words = line.split(" ", -1);
        try {
            return switch (words[0]) {
                case "listen" -> listen(Integer.parseInt(words[1]));
                case "close" -> close(Integer.parseInt(words[1]));
                case "connect" -> connect(words[1], Integer.parseInt(words[2]));
                case "send" -> send();
                case "join" -> join(Gid.parse(words[1]));
                case "leave" -> leave(Gid.parse(words[1]));
                case "tell" -> tell(Gid.parse(words[1]), words[2]);
                case "hear" -> hear();
                default -> throw new IllegalArgumentException(line);
            };
        } catch (VerbsException refused) {
            return "refused " + refused.getMessage();
        }
    }

    private String listen(int port) {
        listeners.put(port, device.listen(port, 8));
        return "listening";
    }

    private String close(int port) {
        Objects.requireNonNull(listeners.remove(port), "it listens there").close();
        return "closed";
    }

    /// Accepts what waits; who asks learns the name of who listens.
    void serve() {
        for (Listener listener : listeners.values()) {
            ConnectionRequest request = listener.poll();
            if (request != null) {
                QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(served));
                pair.receives().receive().local(memory, 0, 8).post();
                pair.receives().receive().local(memory, 0, 8).post();
                request.accept(pair, name.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private String connect(String address, int port) {
        QueuePair pair = domain.queuePair(QueuePairType.RC, it -> it.completions(done));
        Connection made = device.connect(pair, Address.to(Gid.parse(address)), port);
        last = made;
        try {
            // It may be asked by itself.
            long endNs = System.nanoTime() + LIMIT.toNanos();
            while (!made.await(Duration.ofMillis(1)) && System.nanoTime() < endNs) {
                serve();
            }
        } catch (ConnectionFailedException failed) {
            return "failed " + failed.reason();
        }
        String sent = send();
        String who = new String(made.privateData(), StandardCharsets.US_ASCII).replace("\0", "");
        return sent.equals("sent") ? "connected to " + who : sent;
    }

    /// Sends a few bytes by the last connection; they arrive where a receive was posted for them.
    private String send() {
        String[] status = {"nothing completed"};
        QueuePair pair = Objects.requireNonNull(last, "it is connected").queuePair();
        pair.post(batch -> batch.send(memory.slice(0, 8)).signaled());
        done.await(LIMIT, it -> status[0] = it.isSuccess() ? "sent" : "failed " + it.status());
        return status[0];
    }

    private String join(Gid group) {
        datagrams.attachMulticast(group, 0);
        return "joined";
    }

    private String leave(Gid group) {
        datagrams.detachMulticast(group, 0);
        return "left";
    }

    private String tell(Gid group, String text) {
        memory.segment().setString(0, text);
        try (AddressHandle all = domain.addressHandle(Address.multicast(group, 0))) {
            datagrams.post(
                    batch ->
                            batch.send(memory.slice(0, text.length() + 1L))
                                    .to(all, QueuePair.MULTICAST_NUMBER, KEY)
                                    .signaled());
        }
        String[] status = {"nothing completed"};
        heard.await(LIMIT, it -> status[0] = it.isSuccess() ? "told" : "failed " + it.status());
        return status[0];
    }

    /// The next datagram, and the group that it was sent to.
    private String hear() {
        String[] text = {"silence"};
        heard.await(
                SILENCE,
                it ->
                        text[0] =
                                memory.segment().getString(BYTES + DatagramHeader.LENGTH)
                                        + " at "
                                        + DatagramHeader.destination(memory.segment(), BYTES));
        if (!text[0].equals("silence")) {
            receive();
        }
        return text[0];
    }

    long counter(String title) {
        return device.counters().getOrDefault(title, -1L);
    }

    @Override
    public void close() {
        device.close();
    }
}
