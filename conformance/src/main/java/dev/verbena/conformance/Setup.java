package dev.verbena.conformance;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairOptions;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/// How a [Connection] is to be, where the ordinary one does not do.
public final class Setup {
    /// Entries of each completion queue; more than both queues of a pair hold together.
    static final int COMPLETIONS = 1024;

    private static final Access[] ALL_RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
    };

    private final World world;
    private QueuePairType type = QueuePairType.RC;
    private int leftShared;
    private int rightShared;
    private long memoryBytes = 1 << 16;
    private Consumer<QueuePairOptions> leftOptions = options -> {};
    private Consumer<QueuePairOptions> rightOptions = options -> {};
    private Consumer<QueuePairAttributes> leftAttributes = attributes -> {};
    private Consumer<QueuePairAttributes> rightAttributes = attributes -> {};

    private Setup(World world) {
        this.world = world;
    }

    public static Setup of(World world) {
        return new Setup(world);
    }

    /// The type of both queue pairs; RC unless set. Skips the test where there are none of it.
    public Setup type(QueuePairType value) {
        world.needs(value);
        type = value;
        return this;
    }

    /// The left side takes its receives from a shared queue for so many.
    public Setup leftShares(int depth) {
        world.needs(Feature.SHARED_RECEIVES);
        leftShared = depth;
        return this;
    }

    /// The right side takes its receives from a shared queue for so many.
    public Setup rightShares(int depth) {
        world.needs(Feature.SHARED_RECEIVES);
        rightShared = depth;
        return this;
    }

    /// Bytes of each side's memory; 64 KiB unless set.
    public Setup memoryBytes(long bytes) {
        memoryBytes = bytes;
        return this;
    }

    /// The path MTU of both sides. Skips the test when the link cannot have it.
    public Setup pathMtu(int bytes) {
        for (int index = 0; index < 2; index++) {
            int most = world.device(index).port(1).activeMtu();
            Assumptions.assumeTrue(
                    bytes <= most,
                    "path mtu " + bytes + ": the link of device " + index + " takes " + most);
        }
        return attributes(attributes -> attributes.pathMtu(bytes));
    }

    /// Both sides give up on a silent peer after some tenth of a second: a peer that lost its
    /// processor for a few milliseconds is not silent.
    public Setup impatient() {
        return attributes(attributes -> attributes.timeout(13).retryCount(2));
    }

    /// Both sides try a peer without a receive again so many times, after a short while each.
    public Setup rnrRetry(int count) {
        return attributes(attributes -> attributes.rnrRetry(count).minRnrTimer(1));
    }

    public Setup options(Consumer<QueuePairOptions> both) {
        return leftOptions(both).rightOptions(both);
    }

    public Setup leftOptions(Consumer<QueuePairOptions> more) {
        leftOptions = leftOptions.andThen(more);
        return this;
    }

    public Setup rightOptions(Consumer<QueuePairOptions> more) {
        rightOptions = rightOptions.andThen(more);
        return this;
    }

    public Setup attributes(Consumer<QueuePairAttributes> both) {
        return leftAttributes(both).rightAttributes(both);
    }

    public Setup leftAttributes(Consumer<QueuePairAttributes> more) {
        leftAttributes = leftAttributes.andThen(more);
        return this;
    }

    public Setup rightAttributes(Consumer<QueuePairAttributes> more) {
        rightAttributes = rightAttributes.andThen(more);
        return this;
    }

    /// Both sides, and each told of the other; of datagrams, each ready to send.
    public Connection connect() {
        Connection connection = build();
        connection.connect(leftAttributes, rightAttributes);
        return connection;
    }

    /// Both sides, knowing nothing of each other yet.
    public Connection build() {
        return new Connection(
                world, side(0, leftShared, leftOptions), side(1, rightShared, rightOptions));
    }

    private Side side(int index, int shared, Consumer<QueuePairOptions> options) {
        ProtectionDomain domain = world.device(index).protectionDomain();
        MemoryRegion memory = domain.allocate(memoryBytes, ALL_RIGHTS);
        SharedReceiveQueue receives = shared == 0 ? null : domain.sharedReceiveQueue(shared);
        return new Side(world, domain, memory, type, receives, options);
    }
}
