package dev.verbena.collectives.link;

import dev.verbena.verbs.ConnectionRequest;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Listens on a device for peers that make links, for all communicators of a rank.
///
/// A peer may be ahead, and want a link for a communicator that is not there yet: its request
/// waits.
public final class Reception implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int WAITING_MAX = 4096;

    private record Waiting(ConnectionRequest request, Greeting greeting) {}

    private final ProtectionDomain domain;
    private final Listener listener;
    private final Map<Long, Links> communicators = new HashMap<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean isLast;

    /// @param port 0 for any free one
    public Reception(Device device, int port) {
        domain = device.protectionDomain();
        listener = device.listen(port, BACKLOG);
    }

    public ProtectionDomain domain() {
        return domain;
    }

    public int port() {
        return listener.port();
    }

    void add(long communicator, Links links) {
        if (communicators.putIfAbsent(communicator, links) != null) {
            throw new IllegalStateException(
                    "communicator %x is here already".formatted(communicator));
        }
        for (int left = waiting.size(); left > 0; left--) {
            Waiting one = waiting.removeFirst();
            hand(one.request, one.greeting);
        }
    }

    void remove(long communicator) {
        communicators.remove(communicator);
    }

    /// Closes it once no communicator uses it any more: one that was made without a failed rank
    /// outlives the one that it came from.
    public void closeAfterUse() {
        isLast = true;
        left();
    }

    /// A communicator has given back what it had of the domain.
    public void left() {
        if (isLast && communicators.isEmpty()) {
            close();
        }
    }

    /// Takes requests of peers.
    void poll() {
        for (var request = listener.poll(); request != null; request = listener.poll()) {
            Greeting greeting = Greeting.of(request.privateData());
            if (greeting == null) {
                request.reject();
            } else {
                hand(request, greeting);
            }
        }
    }

    private void hand(ConnectionRequest request, Greeting greeting) {
        @Nullable Links links = communicators.get(greeting.communicator());
        if (links != null) {
            links.requested(request, greeting);
        } else if (waiting.size() < WAITING_MAX) {
            waiting.addLast(new Waiting(request, greeting));
        } else {
            request.reject();
        }
    }

    @Override
    public void close() {
        listener.close();
        domain.close();
    }
}
