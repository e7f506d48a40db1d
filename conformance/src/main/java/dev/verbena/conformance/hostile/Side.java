package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.Listener;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One device of an episode, and what was made of it.
final class Side {
    private static final int PORT = 7471;

    /// What all registered memory is filled with.
    static final byte OURS = 0x5A;

    private static final int COMPLETIONS = 1 << 12;
    private static final int PAIRS_MAX = 8;
    private static final int[] SIZES = {64, 4096, 40_000, 300_000};

    final Device device;
    final ProtectionDomain domain;
    final CompletionQueue queue;
    final List<Pair> pairs = new CopyOnWriteArrayList<>();
    final List<MemoryRegion> regions = new CopyOnWriteArrayList<>();
    final List<Closable> closables = new CopyOnWriteArrayList<>();
    final List<Connection> connections = new CopyOnWriteArrayList<>();
    final Listener listener;

    /// Of the listener; each its own, since two devices may have one address.
    final int port;

    /// Whether its completions are lost: the device or the queue was closed.
    volatile boolean isForgetful;

    /// @param index of the device in the episode
    Side(Device device, int index) {
        this.device = device;
        port = PORT + index;
        domain = device.protectionDomain();
        queue = device.completionQueue(COMPLETIONS);
        listener = device.listen(port, 8);
    }

    /// Of a piece of memory: those of poison are the same, so that they get freed places.
    static int size(RandomGenerator random) {
        return SIZES[random.nextInt(SIZES.length)];
    }

    /// Memory of one of the three kinds: the device's, that of an arena that may be closed, that of
    /// the collector.
    void register(RandomGenerator random) {
        int bytes = size(random);
        Access[] rights = {
            Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
        };
        switch (random.nextInt(4)) {
            case 0 -> {
                MemoryRegion region = domain.allocate(bytes, rights);
                region.segment().fill(OURS);
                regions.add(region);
            }
            case 1 -> add(Arena.ofAuto().allocate(bytes, 8), rights);
            default -> {
                Arena arena = Arena.ofShared();
                closables.add(new Closable(arena, add(arena.allocate(bytes, 8), rights)));
            }
        }
    }

    /// Memory of a file that is cut short then, where the device takes such memory at all: a NIC
    /// holds the pages, software would end the JVM by touching them.
    void registerCutFile() {
        try (FileChannel file = temporary();
                Arena arena = Arena.ofShared()) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZES[1], arena);
            mapped.fill(OURS);
            try (MemoryRegion region = domain.register(mapped, Access.REMOTE_READ)) {
                regions.add(region);
                file.truncate(0);
                // The other threads may have found it meanwhile.
                regions.remove(region);
            }
        } catch (InvalidRequestException | ClosedByInterruptException refused) {
            // As software does, and as files do when another thread interrupts this one.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileChannel temporary() throws IOException {
        return FileChannel.open(
                Files.createTempFile("verbena", ".map"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    private MemoryRegion add(MemorySegment segment, Access... rights) {
        segment.fill(OURS);
        MemoryRegion region = domain.register(segment, rights);
        regions.add(region);
        return region;
    }

    @Nullable Pair newPair() {
        if (pairs.size() >= PAIRS_MAX) {
            return null;
        }
        Pair made =
                new Pair(
                        this,
                        domain.queuePair(
                                QueuePairType.RC,
                                it -> it.completions(queue).sendDepth(64).receiveDepth(64)));
        pairs.add(made);
        return made;
    }

    /// Where its listener is.
    Address address() {
        return Address.to(device.gids(1).getFirst());
    }

    /// Whether memory that is still registered has a byte that was never put there.
    boolean hasForeignByte() {
        for (MemoryRegion region : regions) {
            try {
                MemorySegment all = region.segment();
                for (long at = 0; at < all.byteSize(); at++) {
                    if (all.get(ValueLayout.JAVA_BYTE, at) == Poison.BYTE) {
                        return true;
                    }
                }
            } catch (VerbsException | IllegalStateException gone) {
                // Closed meanwhile, and its bytes with it.
            }
        }
        return false;
    }
}
