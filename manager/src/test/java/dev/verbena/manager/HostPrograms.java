package dev.verbena.manager;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.verbena.fabric.Fabric;
import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// Programs on the hosts of a subnet, each of which writes to the memory of another one all the
/// time, over the routes that managers have written.
///
/// A fabric belongs to one thread: [#begin] and [#look] are called by the one that serves it, and
/// by no other.
final class HostPrograms {
    /// Of simulated time, between the end of a write and the next one.
    private static final long PERIOD_PS = 10_000_000_000L;

    private static final long PS_PER_MS = 1_000_000_000L;
    private static final int BYTES = 4096;

    /// IBA 9.7.6.1.3: 4.096 microseconds times 2 to the power of this, one second.
    private static final int TIMEOUT = 18;

    private static final int RETRIES = 7;

    private final Fabric fabric;
    private final List<Program> programs = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long longestPs;

    HostPrograms(Fabric fabric) {
        this.fabric = fabric;
    }

    /// A queue pair of a host, and memory that another one writes.
    private final class Program {
        private final int host;
        private final CompletionQueue completions;
        private final MemoryRegion memory;
        private final QueuePair pair;

        /// The memory that it writes.
        private MemoryRegion target;

        private long written;
        private boolean isPosted;
        private boolean isOver;
        private long postedPs;
        private long nextPs;

        Program(int host) {
            this.host = host;
            TransportDevice device = fabric.open(host);
            ProtectionDomain domain = device.protectionDomain();
            completions = device.completionQueue(4);
            memory = domain.allocate(2 * BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            target = memory;
            pair = domain.queuePair(QueuePairType.RC, it -> it.completions(completions));
        }

        void connect(Program partner) {
            target = partner.memory;
            pair.connect(partner.pair.endpoint(), it -> it.timeout(TIMEOUT).retryCount(RETRIES));
        }

        void look() {
            completions.poll(4, this::completed);
            if (!isPosted && !isOver && fabric.nowPs() >= nextPs) {
                // The own half of the memory is read, and the other half is written.
                memory.segment().set(JAVA_LONG_UNALIGNED, 0, written + 1);
                isPosted = true;
                postedPs = fabric.nowPs();
                pair.sends()
                        .write(memory.slice(0, BYTES), target.remote().slice(BYTES, BYTES))
                        .signaled()
                        .post();
            }
        }

        private void completed(Completion done) {
            isPosted = false;
            nextPs = fabric.nowPs() + PERIOD_PS;
            longestPs = Math.max(longestPs, fabric.nowPs() - postedPs);
            if (done.status() != CompletionStatus.SUCCESS) {
                fail(done.status().toString());
                return;
            }
            written++;
            if (target.segment().get(JAVA_LONG_UNALIGNED, BYTES) != written) {
                fail("write %d has not arrived".formatted(written));
            }
        }

        private void fail(String why) {
            isOver = true;
            failures.add("queue pair of host %d: %s".formatted(host, why));
        }
    }

    /// Opens the devices and lets all programs write. Ports must be active.
    synchronized void begin() {
        int hosts = fabric.topology().hosts();
        for (int host = 0; host < hosts; host++) {
            programs.add(new Program(host));
        }
        // Half of all hosts lie between partners, so that writes go over the top of the tree.
        for (int host = 0; host < hosts; host++) {
            programs.get(host).connect(programs.get((host + hosts / 2) % hosts));
        }
    }

    /// In each turn of the server.
    synchronized void look() {
        programs.forEach(Program::look);
    }

    /// How many writes each program has ended by now.
    synchronized List<Long> written() {
        return programs.stream().map(it -> it.written).toList();
    }

    /// Whether each program whose queue pair works has ended two writes since: the second one was
    /// posted after that moment.
    synchronized boolean haveWrittenSince(List<Long> before) {
        boolean have = !programs.isEmpty();
        for (int i = 0; i < programs.size(); i++) {
            Program program = programs.get(i);
            long known = i < before.size() ? before.get(i) : 0;
            have &= program.isOver || program.written >= known + 2;
        }
        return have;
    }

    /// Queue pairs that gave up, and writes that did not arrive.
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /// The longest that a write took until now, of simulated time.
    synchronized double longestMs() {
        return (double) longestPs / PS_PER_MS;
    }
}
