package dev.verbena.benchmarks.compare;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;

/// A device with a queue pair, its memory, and one queue for all its completions.
final class End {
    private static final int DEPTH = 64;
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ
    };

    final Device device;
    final CompletionQueue done;
    final QueuePair pair;
    final MemoryRegion memory;
    final int bytes;
    private final ProtectionDomain domain;

    End(Device device, Row row) {
        this.device = device;
        bytes = row.bytes();
        domain = device.protectionDomain();
        done = device.completionQueue(2 * DEPTH);
        boolean isDatagram = row.operation() == Row.Operation.DATAGRAM;
        QueuePairType type = isDatagram ? QueuePairType.UD : QueuePairType.RC;
        pair = domain.queuePair(type, it -> it.completions(done).sendDepth(DEPTH));
        memory = memory(row.memory(), bytes + (isDatagram ? DatagramHeader.LENGTH : 0));
    }

    /// The device's own, that of the garbage collector, or that of an arena which can be closed at
    /// any time.
    private MemoryRegion memory(Row.Memory kind, long length) {
        return switch (kind) {
            case ALLOCATED -> domain.allocate(length, RIGHTS);
            case REGISTERED -> domain.register(Arena.ofAuto().allocate(length, 64), RIGHTS);
            case CLOSABLE -> domain.register(Arena.ofShared().allocate(length, 64), RIGHTS);
        };
    }

    AddressHandle wayTo(End other) {
        return domain.addressHandle(Address.to(other.pair.endpoint()));
    }

    void receive() {
        require(pair.receives().receive().local(memory, 0, memory.length()).post());
    }

    void send() {
        require(pair.sends().send().local(memory, 0, bytes).signaled().post());
    }

    static void require(boolean isPosted) {
        if (!isPosted) {
            throw new IllegalStateException("a queue is full");
        }
    }
}
