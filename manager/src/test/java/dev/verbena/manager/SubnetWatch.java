package dev.verbena.manager;

import dev.verbena.fabric.manage.Subnet;
import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.SmpBlocks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Watches the agents of a simulated subnet on the thread that serves it: which manager's writes
/// they obey, under which key, and when all ports and routes are right.
///
/// A manager is known by the number that the server gave it, which is in its transaction IDs. A
/// term is known by the key with which it was begun. So this takes no manager's word for anything.
final class SubnetWatch {
    private static final int SLOT_AT = 8;
    private static final int ACTIVE = 4;
    private static final int HOPS_MAX = 32;
    private static final int VIOLATIONS_MAX = 20;

    /// Before any manager leads.
    static final int NO_MANAGER = -1;

    private final Subnet subnet;
    private final int hosts;
    private final int[] termOf;
    private final Map<Long, Integer> terms = new HashMap<>();
    private final List<Integer> leaders = new ArrayList<>(List.of(NO_MANAGER));
    private final List<String> violations = new ArrayList<>();
    private final Map<Integer, Integer> refused = new HashMap<>();
    private long sets;
    private long killAfter = Long.MAX_VALUE;
    private @Nullable Runnable kill;
    private boolean isWaiting;
    private int without = NO_MANAGER;
    private long takenNs;
    private long wholeNs;

    SubnetWatch(Subnet subnet, int hosts) {
        this.subnet = subnet;
        this.hosts = hosts;
        termOf = new int[subnet.nodes()];
        subnet.observe(this::seen);
    }

    private synchronized void seen(int node, MemorySegment mad, boolean isObeyed) {
        int slot = BigEndian.u16(mad, SLOT_AT);
        if (!isObeyed) {
            refused.merge(slot, 1, Integer::sum);
            return;
        }
        sets++;
        int attribute = Mad.attributeId(mad, 0);
        int port = Mad.attributeModifier(mad, 0) & 0xFF;
        boolean isOwn = attribute == PortInfo.ATTRIBUTE_ID && port == (node < hosts ? 1 : 0);
        if (isOwn) {
            taken(node, slot, PortInfo.M_KEY.read(mad, Smp.DATA));
        } else if (leaders.get(termOf[node]) != slot) {
            violation(node, slot, "obeys it, though it does not lead this term");
        }
        if (attribute == SmpBlocks.LINEAR_FORWARDING) {
            for (int other = 0; other < termOf.length; other++) {
                if (termOf[other] != termOf[node]) {
                    violation(node, slot, "gets a route, and node " + other + " has another key");
                }
            }
        }
        if (sets >= killAfter) {
            killNow();
        }
    }

    private void taken(int node, int slot, long key) {
        Integer known = terms.get(key);
        if (known == null) {
            leaders.add(slot);
            known = leaders.size() - 1;
            terms.put(key, known);
            if (takenNs == 0 && slot != without) {
                takenNs = System.nanoTime();
            }
        }
        if (leaders.get(known) != slot) {
            violation(node, slot, "gets a key of another manager from it");
        }
        if (known < termOf[node]) {
            violation(node, slot, "gets an older key back");
        }
        termOf[node] = known;
    }

    private void violation(int node, int slot, String what) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(
                    "node %d of term %d, manager %d: %s".formatted(node, termOf[node], slot, what));
        }
    }

    private void killNow() {
        killAfter = Long.MAX_VALUE;
        Runnable now = kill;
        if (now != null) {
            now.run();
        }
    }

    /// Runs something after so many more writes, on the thread that serves, so that no write comes
    /// between; 0: at once, on this thread.
    synchronized void after(long writes, Runnable what) {
        kill = what;
        killAfter = sets + writes;
        if (writes == 0) {
            killNow();
        }
    }

    synchronized boolean hasKilled() {
        return killAfter == Long.MAX_VALUE;
    }

    synchronized void killInAnyCase() {
        if (!hasKilled()) {
            killNow();
        }
    }

    /// The manager of the newest term.
    synchronized int leader() {
        return leaders.getLast();
    }

    synchronized int terms() {
        return leaders.size() - 1;
    }

    synchronized long sets() {
        return sets;
    }

    /// Writes of a manager that nodes have refused.
    synchronized int refused(int slot) {
        return refused.getOrDefault(slot, 0);
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /// Waits from now on for a whole subnet that another manager has.
    ///
    /// @param slot of the manager that is gone, or [#NO_MANAGER]
    synchronized void awaitWhole(int slot) {
        isWaiting = true;
        without = slot;
        takenNs = 0;
        wholeNs = 0;
    }

    /// When the first node took the key of another manager than the one that is gone; 0: none yet.
    synchronized long takenNs() {
        return takenNs;
    }

    /// When the subnet was whole; 0: not yet.
    synchronized long wholeNs() {
        return wholeNs;
    }

    /// In each turn of the server.
    synchronized void look() {
        if (isWaiting && isWhole()) {
            isWaiting = false;
            wholeNs = System.nanoTime();
        }
    }

    private boolean isWhole() {
        int term = leaders.size() - 1;
        if (term == 0 || leaders.get(term) == without) {
            return false;
        }
        for (int node = 0; node < termOf.length; node++) {
            if (termOf[node] != term) {
                return false;
            }
            for (int port = 1; port <= subnet.ports(node); port++) {
                if (subnet.isLinked(node, port) && subnet.portState(node, port) != ACTIVE) {
                    return false;
                }
            }
        }
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                if (from != to && !isRouted(from, to)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isRouted(int from, int to) {
        int lid = subnet.lid(to);
        int node = from;
        for (int hop = 0; hop < HOPS_MAX && node != to; hop++) {
            int out = node < hosts ? 1 : subnet.forwardingPort(node, lid);
            boolean isWay = (node == from) == (node < hosts) || node >= hosts;
            if (!isWay || lid == 0 || out < 1 || out > subnet.ports(node)) {
                return false;
            }
            if (!subnet.isLinked(node, out)) {
                return false;
            }
            node = subnet.peer(node, out);
        }
        return node == to;
    }

    /// Where it is stuck, for a failure.
    @Override
    public synchronized String toString() {
        return "terms %d of managers %s, nodes in terms %s, %d writes, refused %s"
                .formatted(leaders.size() - 1, leaders, Arrays.toString(termOf), sets, refused);
    }
}
