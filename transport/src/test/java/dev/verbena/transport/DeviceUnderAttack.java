package dev.verbena.transport;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceLimits;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WindowType;
import dev.verbena.wire.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The device under attack and all that is on it: regions of each kind of right in two domains,
/// queue pairs of each kind of right, and a bystander connection beside them. A seed chooses MTU
/// and options.
final class DeviceUnderAttack implements AutoCloseable {
    /// Small enough that an attack can reach them, large enough for all that is on the device.
    static final int PENDING_EVENTS = 16;

    static final int WORK_IN_ALL = 1024;
    static final int FULL_PKEY = 0x8123;
    static final int LIMITED_PKEY = 0x0456;

    /// What receives and the bystander's requests come to at most.
    private static final int MOST_WORK = 64;

    private static final int WINDOWS = 3;

    /// Queue pairs that the connection manager has to do with, when it is attacked.
    int managedPairs;

    static final Set<Access> ALL =
            EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private static final Set<Access> READ = EnumSet.of(Access.REMOTE_READ);

    final AttackPath path;
    final SplittableRandom random;
    final AttackFrames.Shape shape;
    final int mtu;
    final TransportDevice device;
    final CanaryMemory field;
    final CompletionQueue completions;
    final TransportDomain domain;
    final TransportDomain otherDomain;
    final BystanderConnection bystander;
    final List<AttackRegion> areas = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();

    /// Memory of our domain: what the peer may do with it is its name.
    final AttackRegion shared;

    final AttackRegion readable;
    final AttackRegion writable;
    final AttackRegion counters;
    final AttackRegion sealed;
    final AttackRegion receives;
    final AttackRegion local;
    final AttackRegion fleeting;

    /// Memory that no key of its own opens, and windows on it: for all queue pairs, for one queue
    /// pair, and for reading alone.
    final AttackRegion pane;

    final AttackRegion wide;
    final AttackRegion personal;
    final AttackRegion peephole;

    /// Memory of another domain, open to all but us.
    final AttackRegion foreign;

    /// A queue pair with all rights, one with none, one with each right alone.
    final Target open;

    final Target none;
    final Target reader;
    final Target writer;
    final Target adder;

    /// A limited member of its partition, and one of the other domain.
    final Target limited;

    final Target tenant;

    /// Repeats only what is lost, and places WRITEs that come early.
    final Target selective;

    /// The same, with the right to read alone.
    final Target selectiveReader;

    /// Queue pairs of the unreliable services, the second of them in a multicast group.
    final Target unreliable;

    final Target datagrams;
    final Target member;
    final Gid group;

    /// Two that share their receives: one with a hostile peer, one without.
    final SharedReceiveQueue pool;

    final Target greedy;
    final Target modest;

    DeviceUnderAttack(long seed, AttackPath path) {
        this.path = path;
        random = new SplittableRandom(seed);
        shape = path.shape();
        mtu = 256 << Math.max(0, random.nextInt(6) - 3);
        AttackFrames.Node here = node(1);
        field = new CanaryMemory(14 * (4 * mtu + 512), random);
        device =
                open(
                        "victim",
                        here,
                        options ->
                                options.limits(limits())
                                        .connections(AttackedConnectionManager.SETTINGS));
        path.besiege(device, null);
        domain = (TransportDomain) device.protectionDomain();
        otherDomain = (TransportDomain) device.protectionDomain();
        completions = device.completionQueue(WORK_IN_ALL);
        shared = area("shared", domain, 4 * mtu + 8, 0, ALL);
        readable = area("readable", domain, 2 * mtu + 5, 3, EnumSet.of(Access.REMOTE_READ));
        writable = area("writable", domain, 2 * mtu + 3, 1, EnumSet.of(Access.REMOTE_WRITE));
        counters = area("counters", domain, 60, 0, EnumSet.of(Access.REMOTE_ATOMIC));
        sealed = area("sealed", domain, 2 * mtu, 0, EnumSet.noneOf(Access.class));
        receives = area("receives", domain, 4 * mtu, 0, EnumSet.of(Access.LOCAL_WRITE));
        local = area("local", domain, 4 * mtu, 0, EnumSet.of(Access.LOCAL_WRITE));
        EnumSet<Access> revocable = EnumSet.copyOf(ALL);
        revocable.add(Access.INVALIDATE);
        fleeting = area("fleeting", domain, 3 * mtu, 0, revocable);
        foreign = area("foreign", otherDomain, 2 * mtu, 0, revocable);
        EnumSet<Access> bindable =
                EnumSet.of(Access.LOCAL_WRITE, Access.WINDOW_BIND, Access.INVALIDATE);
        pane = area("pane", domain, 4 * mtu, 0, bindable);
        open = target(domain, QueuePairType.RC, 2, 0, ALL);
        none = target(domain, QueuePairType.RC, 3, 0, Set.of());
        reader = target(domain, QueuePairType.RC, 4, 0, Set.of(Access.REMOTE_READ));
        writer = target(domain, QueuePairType.RC, 5, 0, Set.of(Access.REMOTE_WRITE));
        adder = target(domain, QueuePairType.RC, 6, 0, Set.of(Access.REMOTE_ATOMIC));
        limited = target(domain, QueuePairType.RC, 7, 1, ALL);
        tenant = target(otherDomain, QueuePairType.RC, 8, 0, ALL);
        selective = target(domain, QueuePairType.RC, 15, 0, ALL).selective();
        selectiveReader = target(domain, QueuePairType.RC, 16, 0, READ).selective();
        unreliable = target(domain, QueuePairType.UC, 10, 0, ALL);
        datagrams = target(domain, QueuePairType.UD, 11, 0, ALL);
        member = target(domain, QueuePairType.UD, 12, 0, ALL);
        group = group(1);
        if (path.lacks(AttackPath.Need.GROUPS).isEmpty()) {
            member.pair.attachMulticast(group, shape.layer == LinkLayer.ETHERNET ? 0 : 0xC001);
        }
        pool = domain.sharedReceiveQueue(16);
        greedy = sharer(13);
        modest = sharer(14);
        wide = window("wide", WindowType.TYPE_1, mtu, 2L * mtu, ALL, null);
        personal = window("personal", WindowType.TYPE_2, mtu / 2, 2L * mtu, ALL, open);
        peephole = window("peephole", WindowType.TYPE_1, 64, mtu + 16, READ, null);
        AttackFrames.Node there = node(9);
        TransportDevice neighbour = open("neighbour", there, options -> {});
        bystander =
                new BystanderConnection(
                        device,
                        device.protectionDomain(),
                        neighbour,
                        field,
                        path,
                        here,
                        there,
                        mtu);
        path.besiege(device, neighbour);
    }

    private static DeviceLimits limits() {
        return DeviceLimits.builder()
                .queuePairs(64)
                .completionQueues(8)
                .memoryRegions(64)
                .memoryWindows(8)
                .sharedReceiveQueues(2)
                .addressHandles(8)
                .multicastGroups(4)
                .multicastAttachments(4)
                .workRequests(256)
                .workRequestsInAll(WORK_IN_ALL)
                .scatterGather(4)
                .inlineBytes(64)
                .completions(1024)
                .readsAsInitiator(16)
                .readsAsResponder(16)
                .regionBytes(1L << 40)
                .messageBytes(1L << 31)
                .pendingEvents(PENDING_EVENTS)
                .build();
    }

    private TransportDevice open(
            String name, AttackFrames.Node at, Consumer<TransportOptions> changes) {
        return path.open(
                name,
                at,
                mtu,
                random.split(),
                options ->
                        changes.accept(
                                options.partitionKeys(List.of(FULL_PKEY, LIMITED_PKEY))
                                        .endToEndCredits(random.nextBoolean())));
    }

    /// The addresses of a host by its number.
    AttackFrames.Node node(int number) {
        return path.node(number);
    }

    /// The address of a multicast group by its number.
    Gid group(int number) {
        return path.group(number);
    }

    /// Whether the peer of a queue pair may see bytes like these, in that kind of packet.
    boolean mayShow(int queuePair, Operation operation, MemorySegment bytes, long at, int length) {
        if (!operation.isResponse()) {
            return local.shows(bytes, at, length);
        }
        for (AttackRegion area : areas) {
            if (mayRead(queuePair, area) && area.shows(bytes, at, length)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayRead(int queuePair, AttackRegion area) {
        Target only = area.only;
        return area.isOpen
                && area.gives(Access.REMOTE_READ)
                && (queuePair == tenant.pair.number()) == (area == foreign)
                && (only == null || only.pair.number() == queuePair);
    }

    /// The target whose peer has this number.
    Target byPeer(int peerNumber) {
        for (Target target : targets) {
            if (target.peerNumber == peerNumber) {
                return target;
            }
        }
        throw new AssertionError(
                "a packet to queue pair 0x%x, which no peer has".formatted(peerNumber));
    }

    private AttackRegion area(
            String name, TransportDomain owner, int length, int skew, Set<Access> rights) {
        AttackRegion area =
                new AttackRegion(
                        name,
                        owner.register(field.cut(length, skew), rights.toArray(new Access[0])));
        areas.add(area);
        return area;
    }

    private AttackRegion window(
            String name,
            WindowType type,
            long offset,
            long length,
            Set<Access> rights,
            @Nullable Target only) {
        AttackRegion area =
                new AttackRegion(
                        name, pane.region, offset, length, rights, domain.window(type), only);
        area.bind(open);
        path.drain(AttackPath.EVERYTHING, null); // a bind sends nothing
        areas.add(area);
        return area;
    }

    private Target target(
            TransportDomain owner,
            QueuePairType type,
            int host,
            int partitionIndex,
            Set<Access> rights) {
        Target target =
                new Target(this, owner, type, host, partitionIndex, rights, o -> o.access(rights));
        targets.add(target);
        return target;
    }

    private Target sharer(int host) {
        Target target =
                new Target(
                        this,
                        domain,
                        QueuePairType.RC,
                        host,
                        0,
                        ALL,
                        o -> o.access(ALL).sharedReceives(pool));
        targets.add(target);
        return target;
    }

    /// Whether the peer of a queue pair may see these bytes, in that kind of packet.
    boolean mayLeave(int queuePair, Operation operation, long address, int length) {
        if (bystander.isIts(queuePair)) {
            return bystander.mayLeave(operation, address, length);
        }
        if (!operation.isResponse()) {
            return local.holds(address, length);
        }
        for (AttackRegion area : areas) {
            if (mayRead(queuePair, area) && area.holds(address, length)) {
                return true;
            }
        }
        return false;
    }

    /// Fails when anything on the device has grown: an attack leaves nothing behind.
    void requireBounded() {
        Engine engine = device.engine();
        boolean isBounded =
                engine.holds.work.used() <= MOST_WORK
                        && engine.pairs.size() == targets.size() + 1 + managedPairs
                        && engine.memory.size() == areas.size() - WINDOWS + 2
                        && engine.windows.size() == WINDOWS
                        && engine.paths.size() <= targets.size() + 1 + managedPairs;
        if (managedPairs > 0) {
            AttackedConnectionManager.requireBounded(engine.connections.machine());
        }
        if (!isBounded) {
            throw new AssertionError(
                    "%d work requests, %d queue pairs, %d regions, %d windows, %d paths"
                            .formatted(
                                    engine.holds.work.used(),
                                    engine.pairs.size(),
                                    engine.memory.size(),
                                    engine.windows.size(),
                                    engine.paths.size()));
        }
    }

    boolean isInForce(int key) {
        for (AttackRegion area : areas) {
            if (area.isOpen && area.key == key) {
                return true;
            }
        }
        return key == bystander.key();
    }

    @Override
    public void close() {
        bystander.close();
        device.close();
        path.close();
        field.close();
    }
}
