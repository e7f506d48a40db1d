package dev.verbena.conformance.hostile;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Connection;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.VerbsException;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A process that connects to a [HostilePeers] and does what bad and unlucky programs do, until it
/// ends by its fate: `HostilePeerProgram URI ADDRESS PORT SEED FATE`.
public final class HostilePeerProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final int CONNECTIONS = 3;
    private static final int ACTS_MIN = 50;
    private static final int ACTS_MAX = 2000;
    private static final int CHUNK = 1 << 18;

    /// As long as the smallest region, so that every slice fits every other.
    private static final long PART = 64;

    private final Side side;
    private final Address server;
    private final int port;
    private final SplittableRandom random;
    private final List<Connection> connections = new ArrayList<>();

    /// What the server lets us use.
    private RemoteSlice remote = new RemoteSlice(0, 0, 0);

    private HostilePeerProgram(Side side, Address server, int port, SplittableRandom random) {
        this.side = side;
        this.server = server;
        this.port = port;
        this.random = random;
    }

    public static void main(String[] args) throws IOException, ConnectionFailedException {
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[3]));
        Side side = new Side(Devices.open(args[0]), 0);
        Address server = Address.to(Gid.parse(args[1]));
        new HostilePeerProgram(side, server, Integer.parseInt(args[2]), random)
                .run(PeerFate.valueOf(args[4]));
    }

    private void run(PeerFate fate) throws IOException, ConnectionFailedException {
        for (int i = 0; i < CONNECTIONS; i++) {
            side.register(random);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            connect();
        }
        System.out.println("ready");
        long left = random.nextInt(ACTS_MIN, ACTS_MAX);
        while (fate == PeerFate.KILLED || left-- > 0) {
            tryOne();
        }
        switch (fate) {
            case KILLED, HALTED -> {}
            case OUT_OF_MEMORY -> fillMemory();
            case OUT_OF_FILES -> fillFiles();
        }
        Runtime.getRuntime().halt(0);
    }

    private void connect() throws ConnectionFailedException {
        Pair pair = side.newPair();
        if (pair == null) {
            return;
        }
        byte[] ours = any(side.regions).remote().toBytes();
        Connection made = side.device.connect(pair.queuePair, server, port, ours);
        if (made.await(PATIENCE)) {
            connections.add(made);
            remote = RemoteSlice.of(made.privateData());
        }
    }

    /// A refusal is as good as a success.
    private void tryOne() throws ConnectionFailedException {
        try {
            act();
        } catch (VerbsException | IllegalStateException refused) {
            // Such as a region that is closed, or an arena that is in use.
        }
    }

    private void act() throws ConnectionFailedException {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> pair().post(it -> it.write(slice(), theirs()).signaled());
            case 4, 5, 6 -> pair().post(it -> it.read(slice(), theirs()).signaled());
            case 7, 8 -> pair().post(it -> it.send(slice()).signaled());
            case 9, 10 -> pair().postReceive(it -> it.receive(slice()));
            case 11, 12, 13 -> side.queue.poll(64, it -> {});
            case 14, 15 -> side.queue.await(SHORT, it -> {});
            case 16 -> any(side.closables).arena().close();
            case 17 -> Poison.spread(random, () -> side.queue.await(SHORT, it -> {}));
            case 18 -> side.register(random);
            default -> rare();
        }
    }

    private void rare() throws ConnectionFailedException {
        switch (random.nextInt(12)) {
            case 0, 6, 7, 8, 9, 10, 11 -> connect();
            case 1 -> any(connections).disconnect();
            case 2 -> pair().modify(QueuePairState.ERROR, it -> {});
            case 3 -> pair().close();
            case 4 -> any(side.regions).close();
            default -> pair().modify(QueuePairState.RESET, it -> {});
        }
    }

    private <T> T any(List<T> all) {
        if (all.isEmpty()) {
            throw new IllegalStateException("there is none");
        }
        return all.get(random.nextInt(all.size()));
    }

    private QueuePair pair() {
        return any(side.pairs).queuePair;
    }

    private LocalSlice slice() {
        MemoryRegion region = any(side.regions);
        return region.slice(0, Math.min(region.length(), PART));
    }

    private RemoteSlice theirs() {
        return remote.slice(0, Math.min(remote.length(), PART));
    }

    private void fillMemory() throws ConnectionFailedException {
        List<byte[]> held = new ArrayList<>();
        try {
            while (held.size() < Integer.MAX_VALUE) {
                held.add(new byte[CHUNK]);
                tryOne();
            }
        } catch (OutOfMemoryError full) {
            actOn();
        }
    }

    private void fillFiles() throws IOException, ConnectionFailedException {
        List<FileInputStream> held = new ArrayList<>();
        try {
            while (held.size() < Integer.MAX_VALUE) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            actOn();
            connect();
        }
        for (FileInputStream one : held) {
            one.close();
        }
        actOn();
    }

    private void actOn() throws ConnectionFailedException {
        for (int i = 0; i < ACTS_MIN; i++) {
            tryOne();
        }
    }
}
