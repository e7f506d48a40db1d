package dev.verbena.transport;

import dev.verbena.transport.carrier.Counter;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.WindowType;
import dev.verbena.wire.Operation;
import java.util.List;
import java.util.function.Consumer;

/// Windows that were revoked, are too narrow, or belong to another queue pair.
final class WindowAttacks {
    private WindowAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack("the key of an earlier bind", WindowAttacks::rebound),
                attack("a window that was invalidated", WindowAttacks::invalidated),
                attack("a window that was never bound", WindowAttacks::neverBound),
                attack("a window that was closed", WindowAttacks::closed),
                attack("a window on a closed region", WindowAttacks::closedRegion),
                attack("a window of another queue pair", WindowAttacks::otherPair),
                attack("a window of another domain", WindowAttacks::otherDomain),
                attack("bytes of its region beside it", WindowAttacks::beside),
                attack("a right that it does not give", WindowAttacks::right),
                attack("its region, without the window", WindowAttacks::region),
                attack("invalidating what a peer may not", WindowAttacks::invalidate));
    }

    private static Attack attack(String name, Consumer<AttackRun> strike) {
        return new Attack("windows", name, strike);
    }

    private static void tried(AttackRun s, Target target, AttackRegion area, int key, Counter by) {
        s.peer.oneSided(target, area, key);
        s.fire();
        s.refused(by);
    }

    private static void rebound(AttackRun s) {
        AttackRegion area = s.pick(s.world.wide, s.world.peephole);
        int old = s.peer.bind(s.world.open, area);
        tried(s, s.world.open, area, old, Counter.DENIED_KEY);
    }

    private static void invalidated(AttackRun s) {
        AttackRegion area = s.world.personal;
        s.peer.sendInvalidate(s.world.open, area);
        tried(s, s.world.open, area, area.key, Counter.DENIED_KEY);
        s.reconnect(s.world.open);
        s.peer.bind(s.world.open, area);
    }

    private static void neverBound(AttackRun s) {
        try (MemoryWindow window =
                s.world.domain.window(s.pick(WindowType.TYPE_1, WindowType.TYPE_2))) {
            tried(s, s.world.open, s.world.wide, window.remoteKey(), Counter.DENIED_KEY);
        }
    }

    private static void closed(AttackRun s) {
        DeviceUnderAttack w = s.world;
        MemoryWindow window = w.domain.window(s.pick(WindowType.TYPE_1, WindowType.TYPE_2));
        w.open.pair.sends().bind(window, w.pane.region, 0, s.mtu, DeviceUnderAttack.ALL).post();
        s.drain();
        int key = window.remoteKey();
        window.close();
        tried(s, w.open, w.wide, key, Counter.DENIED_KEY);
    }

    private static void closedRegion(AttackRun s) {
        DeviceUnderAttack w = s.world;
        MemoryRegion region =
                w.domain.register(
                        w.shared.region.segment(), Access.WINDOW_BIND, Access.LOCAL_WRITE);
        try (MemoryWindow window = w.domain.window(WindowType.TYPE_1)) {
            w.open.pair
                    .sends()
                    .bind(window, region, 0, region.length(), DeviceUnderAttack.ALL)
                    .post();
            s.drain();
            region.close();
            tried(s, w.open, w.shared, window.remoteKey(), Counter.DENIED_KEY);
        }
    }

    private static void otherPair(AttackRun s) {
        AttackRegion area = s.world.personal;
        tried(s, s.world.limited, area, area.key, Counter.DENIED_PAIR);
    }

    private static void otherDomain(AttackRun s) {
        AttackRegion area = s.pick(s.world.personal, s.world.wide);
        tried(s, s.world.tenant, area, area.key, Counter.DENIED_DOMAIN);
    }

    private static void beside(AttackRun s) {
        AttackRegion area = s.pick(s.world.personal, s.world.wide);
        boolean write = s.random.nextBoolean();
        int length = s.between(1, s.mtu);
        long before = area.address - s.between(1, s.mtu / 2);
        long behind = area.address + area.length - length + s.between(1, s.mtu / 2);
        s.peer.access(s.world.open, write, s.pick(before, behind), area.key, length);
        s.fire();
        s.refused(Counter.DENIED_BOUNDS);
    }

    private static void right(AttackRun s) {
        AttackRegion area = s.world.peephole;
        if (s.random.nextBoolean()) {
            s.peer.access(s.world.open, true, area.address, area.key, s.between(1, s.mtu));
        } else {
            s.forge(s.world.open, Operation.FETCH_ADD)
                    .remote(area.address, area.key, 0)
                    .operands(1, 0);
        }
        s.fire();
        s.refused(Counter.DENIED_RIGHT);
    }

    private static void region(AttackRun s) {
        AttackRegion area = s.world.pane;
        tried(s, s.world.open, area, area.key, Counter.DENIED_RIGHT);
    }

    /// Type 1 is never the peer's to end; type 2 only of its own queue pair; no region under
    /// windows.
    private static void invalidate(AttackRun s) {
        DeviceUnderAttack w = s.world;
        Target target = s.random.nextBoolean() ? w.open : w.limited;
        AttackRegion area = target == w.open ? s.pick(w.wide, w.peephole, w.pane) : w.personal;
        target.reconnect();
        s.peer.receive(target, s.mtu);
        s.forge(target, Operation.SEND_ONLY_INVALIDATE).payload(8).invalidate(area.key);
        s.fire();
        s.allow(w.receives.address, 8);
        s.refused(Counter.DENIED_INVALIDATE);
        s.completed(CompletionStatus.REMOTE_INVALID_REQUEST);
        // It still gives the same access to the same queue pairs.
        s.reconnect(w.open);
        if (area != w.pane) {
            s.peer.read(w.open, area, 0, 16);
        }
    }
}
