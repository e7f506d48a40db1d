package dev.verbena.transport;

import dev.verbena.transport.carrier.ProgramGuard;
import dev.verbena.transport.common.Notices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.WrongStateException;
import dev.verbena.verbs.spi.Baton;
import dev.verbena.verbs.spi.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// For carriers in virtual time whose devices belong to one thread at a time, or to threads that
/// pass a [Baton]: which devices there are, which of them has something to send, and the time.
///
/// The time stands still while there is something to do, and jumps to the next event when a program
/// waits. A poll that finds nothing takes 100 ns while something is expected.
///
/// @param <P> a device's place on the network
public final class Turns<P extends TurnPort<P>> implements VirtualTime {
    private static final long POLL_NS = 100;

    /// What is under way between the devices.
    public interface Link {
        /// When the next packet arrives, or [Long#MAX_VALUE].
        long nextNs();

        /// Hands over the next packet.
        void arrive();

        /// Whether devices must wait before they send more.
        default boolean isFull() {
            return false;
        }
    }

    /// The members of a group, and the same to be read: made once, since every packet asks.
    private record Members<P>(List<P> ports, List<P> view) {
        static <P> Members<P> none() {
            List<P> ports = new ArrayList<>(1);
            return new Members<>(ports, Collections.unmodifiableList(ports));
        }
    }

    /// Packets are handed over as they are sent.
    private static final Link NO_LINK =
            new Link() {
                @Override
                public long nextNs() {
                    return Long.MAX_VALUE;
                }

                @Override
                public void arrive() {
                    throw new AssertionError("nothing is under way");
                }
            };

    private final String scheme;
    private final Link link;
    private final ProgramGuard guard;
    private final Notices notices = new Notices();
    private final List<P> ports = new ArrayList<>();
    private final Map<Gid, P> byGid = new HashMap<>();
    private final Map<Gid, Members<P>> groups = new HashMap<>();
    private final ArrayDeque<P> busy = new ArrayDeque<>();
    private long nowNs;
    private boolean isTurning;

    /// For a network whose packets are handed over as they are sent.
    ///
    /// @param scheme what devices of this network are called, for errors
    public Turns(String scheme) {
        this(scheme, NO_LINK);
    }

    /// For a network whose packets take a while, or are handed over later.
    public Turns(String scheme, Link link) {
        this.scheme = scheme;
        this.link = link;
        guard = new ProgramGuard(scheme + " network");
    }

    /// Does something that no other thread may do at the same time, such as opening a device.
    public <T> T alone(Supplier<T> work) {
        guard.enter();
        try {
            return work.get();
        } finally {
            guard.exit();
        }
    }

    /// Refuses the name of a device that is open.
    public void requireFree(String name) {
        for (P port : ports) {
            if (port.device().name().equals(name)) {
                throw new NoDeviceException(
                        scheme + " " + name, "it is open already", "use another name, or close it");
            }
        }
    }

    /// The options for a device at this place, to be completed.
    ///
    /// @param keys decides the device's keys and numbers
    public TransportOptions options(SplittableRandom keys, P port) {
        TransportOptions options = new TransportOptions(keys, port).guard(guard);
        options.settings.notices = notices;
        return options;
    }

    /// Makes the device of a place; its name and its address are its own.
    public TransportDevice open(P port, TransportOptions options) {
        requireFree(options.settings.name);
        if (byGid.containsKey(port.gid())) {
            throw new NoDeviceException(
                    scheme + " " + options.settings.name,
                    port.gid() + " is the address of another device",
                    "give each device its own");
        }
        TransportDevice device = TransportDevice.create(options);
        port.device(device);
        ports.add(port);
        byGid.put(port.gid(), port);
        return device;
    }

    /// The places of the devices that are open.
    public List<P> ports() {
        return Collections.unmodifiableList(ports);
    }

    /// The place with this address, if there is one.
    public @Nullable P at(Gid gid) {
        return byGid.get(gid);
    }

    /// The places of the devices that have joined a multicast group.
    public List<P> members(Gid group) {
        Members<P> members = groups.get(group);
        return members == null ? Collections.emptyList() : members.view;
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    /// Does all that is due at this instant, once; returns whether there was anything.
    public boolean turn() {
        guard.enter();
        if (isTurning) {
            // A listener polls; the turn that called it continues.
            guard.exit();
            return false;
        }
        isTurning = true;
        try {
            boolean any = false;
            while (link.nextNs() <= nowNs) {
                link.arrive();
                any = true;
            }
            int turns = busy.size();
            for (int i = 0; i < turns && !busy.isEmpty() && !link.isFull(); i++) {
                any |= busy.removeFirst().transmit(nowNs);
            }
            // What waits now was woken by this turn, and needs no time to pass.
            return any || (!busy.isEmpty() && !link.isFull());
        } finally {
            isTurning = false;
            guard.exit();
        }
    }

    /// Lets the time jump to the next event, at most to `deadlineNs`. Also for a listener that
    /// waits, or closes a device: the turn that called it goes on only when it returns.
    public void idle(long deadlineNs) {
        guard.enter();
        try {
            jump(deadlineNs);
        } finally {
            guard.exit();
        }
    }

    private void jump(long deadlineNs) {
        long nextNs = nextNs(deadlineNs);
        if (nextNs == Long.MAX_VALUE) {
            return;
        }
        nowNs = Math.max(nowNs, nextNs);
        // A listener may close a device meanwhile; one that is left out has its turn with the next.
        for (int i = 0; i < ports.size(); i++) {
            ports.get(i).handleTimeout(nowNs);
        }
    }

    /// When something happens next, at most this. By index: an iterator for each poll is garbage.
    private long nextNs(long deadlineNs) {
        long nextNs = Math.min(deadlineNs, link.nextNs());
        for (int i = 0; i < ports.size(); i++) {
            nextNs = Math.min(nextNs, ports.get(i).device().pollTimeout());
        }
        return nextNs;
    }

    /// Lets a thread of a program wait, at most to `deadlineNs`.
    void await(long deadlineNs, BooleanSupplier isOver) {
        Baton baton = guard.baton();
        if (baton == null) {
            idle(deadlineNs);
        } else if (isTurning) {
            throw new WrongStateException(
                    scheme + " network",
                    "a listener waits, and the time stands still until it returns",
                    "wait in the program, not in its listeners");
        } else {
            baton.await(deadlineNs, isOver);
        }
    }

    /// A poll takes a little time where something waits for it.
    void polledInVain() {
        guard.enter();
        try {
            if (isTurning) {
                return;
            }
            Baton baton = guard.baton();
            if (baton != null) {
                baton.polled();
            } else if (nextNs(Long.MAX_VALUE) != Long.MAX_VALUE) {
                jump(nowNs + POLL_NS);
            }
        } finally {
            guard.exit();
        }
    }

    @Override
    public void pass(@Nullable Baton baton) {
        guard.baton(baton);
    }

    @Override
    public @Nullable Baton baton() {
        return guard.baton();
    }

    @Override
    public boolean step(long untilNs) {
        if (turn()) {
            return true;
        }
        long next = nextNs(Long.MAX_VALUE);
        if (next > untilNs || next == Long.MAX_VALUE) {
            return false;
        }
        idle(next);
        return true;
    }

    @Override
    public void advanceTo(long untilNs) {
        boolean isMore = true;
        while (isMore) {
            isMore = step(untilNs);
        }
        idle(untilNs);
    }

    @Override
    public boolean isIdle() {
        return busy.isEmpty() && nextNs(Long.MAX_VALUE) == Long.MAX_VALUE;
    }

    void busy(P port) {
        busy.addLast(port);
    }

    void join(Gid group, P port) {
        groups.computeIfAbsent(group, _ -> Members.none()).ports.add(port);
    }

    void leave(Gid group, P port) {
        Members<P> members = groups.get(group);
        if (members != null && members.ports.remove(port) && members.ports.isEmpty()) {
            groups.remove(group);
        }
    }

    void closed(P port) {
        guard.enter();
        try {
            ports.remove(port);
            byGid.remove(port.gid(), port);
            busy.remove(port);
        } finally {
            guard.exit();
        }
    }
}
