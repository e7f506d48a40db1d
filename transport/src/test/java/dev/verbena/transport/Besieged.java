package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// The device under attack and all that is on it: regions of each kind of right in two domains,
/// queue pairs of each kind of right, and an innocent connection beside them. A seed chooses link,
/// MTU and options.
final class Besieged implements Driver, AutoCloseable {
    /// Small enough that an attack can reach them, large enough for all that is on the device.
    static final int PENDING_EVENTS = 16;

    static final int WORK_IN_ALL = 1024;
    static final int FULL_PKEY = 0x8123;
    static final int LIMITED_PKEY = 0x0456;

    private static final Set<Access> ALL =
            EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    final SplittableRandom random;
    final AttackFrames.Shape shape;
    final int mtu;
    final TransportDevice device;
    final CanaryField field;
    final CompletionQueue completions;
    final ProtectionDomain domain;
    final ProtectionDomain otherDomain;
    final Bystander bystander;
    final List<Plot> plots = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();

    /// Memory of our domain: what the peer may do with it is its name.
    final Plot shared;

    final Plot readable;
    final Plot writable;
    final Plot counters;
    final Plot sealed;
    final Plot receives;
    final Plot local;
    final Plot fleeting;

    /// Memory of another domain, open to all but us.
    final Plot foreign;

    /// A queue pair with all rights, one with none, one with each right alone.
    final Target open;

    final Target none;
    final Target reader;
    final Target writer;
    final Target adder;

    /// A limited member of its partition, and one of the other domain.
    final Target limited;

    final Target tenant;

    long nowNs = 1_000_000;

    Besieged(long seed) {
        random = new SplittableRandom(seed);
        AttackFrames.Shape[] shapes = AttackFrames.Shape.values();
        shape = random.nextInt(2) == 0 ? shapes[0] : shapes[random.nextInt(shapes.length)];
        mtu = 256 << Math.max(0, random.nextInt(6) - 3);
        AttackFrames.Station here = station(1);
        field = new CanaryField(12 * (4 * mtu + 512), random);
        device = TransportDevice.create(options("victim", here).limits(limits()));
        domain = device.protectionDomain();
        otherDomain = device.protectionDomain();
        completions = device.completionQueue(WORK_IN_ALL);
        shared = plot("shared", domain, 4 * mtu + 8, 0, ALL);
        readable = plot("readable", domain, 2 * mtu + 5, 3, EnumSet.of(Access.REMOTE_READ));
        writable = plot("writable", domain, 2 * mtu + 3, 1, EnumSet.of(Access.REMOTE_WRITE));
        counters = plot("counters", domain, 60, 0, EnumSet.of(Access.REMOTE_ATOMIC));
        sealed = plot("sealed", domain, mtu, 0, EnumSet.noneOf(Access.class));
        receives = plot("receives", domain, 4 * mtu, 0, EnumSet.of(Access.LOCAL_WRITE));
        local = plot("local", domain, 4 * mtu, 0, EnumSet.of(Access.LOCAL_WRITE));
        EnumSet<Access> loose = EnumSet.copyOf(ALL);
        loose.add(Access.INVALIDATE);
        fleeting = plot("fleeting", domain, 3 * mtu, 0, loose);
        foreign = plot("foreign", otherDomain, 2 * mtu, 0, loose);
        open = target(domain, 2, 0, ALL);
        none = target(domain, 3, 0, Set.of());
        reader = target(domain, 4, 0, Set.of(Access.REMOTE_READ));
        writer = target(domain, 5, 0, Set.of(Access.REMOTE_WRITE));
        adder = target(domain, 6, 0, Set.of(Access.REMOTE_ATOMIC));
        limited = target(domain, 7, 1, ALL);
        tenant = target(otherDomain, 8, 0, ALL);
        AttackFrames.Station there = station(9);
        bystander =
                new Bystander(
                        device,
                        device.protectionDomain(),
                        options("neighbour", there),
                        field,
                        shape,
                        here,
                        there,
                        mtu);
    }

    private static DeviceLimits limits() {
        return new DeviceLimits(
                64,
                8,
                64,
                256,
                WORK_IN_ALL,
                4,
                64,
                1024,
                16,
                16,
                1L << 40,
                1L << 31,
                PENDING_EVENTS);
    }

    private TransportOptions options(String name, AttackFrames.Station at) {
        return new TransportOptions(random.split(), this)
                .name(name)
                .port(new PortAttributes(1, PortState.ACTIVE, shape.layer, at.lid(), 4096, 4096, 0))
                .gids(List.of(at.gid()))
                .partitionKeys(List.of(FULL_PKEY, LIMITED_PKEY))
                .endToEndCredits(random.nextBoolean());
    }

    /// The addresses of a host by its number.
    AttackFrames.Station station(int number) {
        int lid = shape.layer == LinkLayer.INFINIBAND ? 0x100 + number : 0;
        Gid gid =
                switch (shape) {
                    case ROCE_V2 -> new Gid(0, 0xFFFF_0A00_0000L + number);
                    case IB_LOCAL -> Gid.NONE;
                    // Another subnet for each, so that packets between them carry a GRH.
                    case IB_GLOBAL -> new Gid(0xFE80_0000_0000_0000L + number, 0x77_0000L + number);
                };
        return new AttackFrames.Station(lid, gid);
    }

    private Plot plot(
            String name, ProtectionDomain owner, int length, int skew, Set<Access> rights) {
        Plot plot =
                new Plot(
                        name,
                        owner.register(field.cut(length, skew), rights.toArray(new Access[0])));
        plots.add(plot);
        return plot;
    }

    private Target target(
            ProtectionDomain owner, int host, int partitionIndex, Set<Access> rights) {
        // Two limited members may not talk, so the peer of one is a full member.
        int peerPkey = partitionIndex == 0 ? FULL_PKEY : LIMITED_PKEY | 0x8000;
        Target target =
                new Target(
                        owner,
                        completions,
                        station(host),
                        mtu,
                        partitionIndex,
                        peerPkey,
                        rights,
                        random.split());
        targets.add(target);
        return target;
    }

    /// Whether the peer of a queue pair may see these bytes, in that kind of packet.
    boolean mayLeave(
            int queuePair, dev.verbena.wire.Operation operation, long address, int length) {
        if (bystander.isIts(queuePair)) {
            return bystander.mayLeave(operation, address, length);
        }
        if (!operation.isResponse()) {
            return local.holds(address, length);
        }
        boolean isTenant = queuePair == tenant.pair.number();
        for (Plot plot : plots) {
            if (plot.holds(address, length)) {
                return plot.isOpen
                        && plot.gives(Access.REMOTE_READ)
                        && isTenant == (plot == foreign);
            }
        }
        return false;
    }

    boolean isInForce(int key) {
        for (Plot plot : plots) {
            if (plot.isOpen && plot.key == key) {
                return true;
            }
        }
        return key == bystander.key();
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean turn() {
        return false;
    }

    @Override
    public void idle(long deadlineNs) {}

    @Override
    public void wake() {}

    @Override
    public void close() {
        bystander.close();
        device.close();
        field.close();
    }
}
