package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// What the other sides of librdmacm's example programs have in common: queue pairs, as many
/// messages on each, both roles.
abstract class CmExamplePeer {
    static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TURN = Duration.ofMillis(20);

    final Device device;
    final int messages;
    final int bytes;
    final CompletionQueue completions;
    final ProtectionDomain domain;

    /// The bytes to send, then the received ones.
    final MemoryRegion region;

    int sent;
    int received;

    /// What a program is made from.
    record Task(Device device, int count, int messages, int bytes) {}

    /// Makes a program.
    interface Maker {
        CmExamplePeer of(Task task);
    }

    /// @param header bytes in front of each message that comes
    CmExamplePeer(Task task, int header) {
        device = task.device;
        messages = task.messages;
        bytes = task.bytes;
        completions = device.completionQueue(2 * task.count * messages);
        domain = device.protectionDomain();
        region = domain.allocate(2L * bytes + header, Access.LOCAL_WRITE);
    }

    abstract void serve(int count) throws ConnectionFailedException;

    abstract void ask(Address server, int count) throws ConnectionFailedException;

    /// `server|client DEVICE ADDRESS COUNT MESSAGES BYTES`
    static void run(String[] words, String what, Maker maker) throws ConnectionFailedException {
        int count = Integer.parseInt(words[3]);
        int messages = Integer.parseInt(words[4]);
        try (Device device = Devices.open(words[1])) {
            CmExamplePeer run =
                    maker.of(new Task(device, count, messages, Integer.parseInt(words[5])));
            if (words[0].equals("server")) {
                run.serve(count);
            } else {
                run.ask(Address.to(Gid.parse(words[2])), count);
            }
            System.out.printf(
                    "%d %s, %d messages sent, %d received%n", count, what, run.sent, run.received);
        }
    }

    final void await(String what, BooleanSupplier isThere) {
        long endNs = System.nanoTime() + LIMIT.toNanos();
        while (!isThere.getAsBoolean()) {
            completions.await(TURN, this::count);
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException(
                        "%s: %d sent and %d received within %d s"
                                .formatted(what, sent, received, LIMIT.toSeconds()));
            }
        }
    }

    private void count(Completion done) {
        if (!done.isSuccess()) {
            failed(done);
        } else if (done.operation() == CompletedOperation.RECEIVE) {
            received++;
            came(done);
        } else {
            sent++;
        }
    }

    /// A request did not succeed.
    abstract void failed(Completion done);

    /// A message has come.
    void came(Completion done) {}
}
