package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.WindowType;
import java.util.List;
import java.util.Set;

/// Requests that are posted to fail: which kind each fault needs, and where it is aimed.
final class FaultyRequests {
    private static final List<Message.Kind> ONE_SIDED =
            List.of(
                    Message.Kind.WRITE,
                    Message.Kind.WRITE_IMMEDIATE,
                    Message.Kind.READ,
                    Message.Kind.COMPARE_SWAP,
                    Message.Kind.FETCH_ADD);

    private FaultyRequests() {}

    static Message.Kind kind(Fault fault, Choices choices) {
        return switch (fault) {
            case BAD_KEY,
                    MISSING_RIGHT,
                    CLOSED_REGION,
                    INVALIDATED_KEY,
                    OTHER_DOMAIN,
                    STALE_WINDOW,
                    OTHER_PAIRS_WINDOW,
                    OUTSIDE_WINDOW,
                    WINDOW_WITHOUT_RIGHT ->
                    choices.pick(ONE_SIDED);
            case OUT_OF_BOUNDS -> choices.chance(0.5) ? Message.Kind.WRITE : Message.Kind.READ;
            case WRONG_INVALIDATE -> Message.Kind.SEND_INVALIDATE;
            case OPERATION_NOT_ALLOWED -> Message.Kind.READ;
            case MISALIGNED_ATOMIC -> Message.Kind.FETCH_ADD;
            case WRONG_LOCAL_INVALIDATE -> Message.Kind.LOCAL_INVALIDATE;
            case WRONG_BIND -> Message.Kind.BIND;
            case SMALL_RECEIVE, RECEIVE_MEMORY_GONE, SOURCE_MEMORY_GONE -> Message.Kind.SEND;
            default -> throw new AssertionError(fault + " is not about a request");
        };
    }

    static void aim(Message message, Fault fault, Lane lane) {
        Lane peer = lane.peer();
        switch (fault) {
            case BAD_KEY -> aim(message, peer.wordsRegion, ~peer.wordsRegion.remoteKey());
            case OUT_OF_BOUNDS -> {
                Area area = peer.written;
                aim(message, area.region, area.region.remoteKey());
                boolean before = lane.choices.chance(0.3);
                message.address = area.address(before ? -1 : area.length() - 3);
            }
            case MISSING_RIGHT -> {
                // The source may be read only, the counters are for atomics only.
                MemoryRegion region =
                        message.kind == Message.Kind.READ
                                ? peer.host.counters
                                : peer.host.sourceRegion;
                aim(message, region, region.remoteKey());
            }
            case CLOSED_REGION -> {
                MemoryRegion spare = peer.spare;
                aim(message, spare, spare.remoteKey());
                spare.close();
            }
            case INVALIDATED_KEY -> {
                int old = peer.spare.remoteKey();
                peer.spare.renew();
                aim(message, peer.spare, old);
            }
            case OTHER_DOMAIN -> aim(message, peer.host.elsewhere, peer.host.elsewhere.remoteKey());
            case STALE_WINDOW -> {
                Opening opening = lane.choices.pick(peer.openings);
                aim(message, opening.region, opening.staleKey);
            }
            case OTHER_PAIRS_WINDOW, OUTSIDE_WINDOW, WINDOW_WITHOUT_RIGHT ->
                    aimThrough(message, fault, lane);
            case WRONG_INVALIDATE -> message.key = untouchable(peer, lane.choices);
            case WRONG_BIND -> bindInVain(message, lane);
            case MISALIGNED_ATOMIC -> {
                aim(message, peer.wordsRegion, peer.wordsRegion.remoteKey());
                message.address += lane.choices.between(1, 7);
            }
            case WRONG_LOCAL_INVALIDATE -> message.key = untouchable(lane, lane.choices);
            case OPERATION_NOT_ALLOWED -> {
                MemoryRegion region = peer.host.sourceRegion;
                aim(message, region, region.remoteKey());
            }
            default -> {
                // A plain SEND: what is wrong is elsewhere.
            }
        }
    }

    /// A key that no work request of a lane or its peer may end.
    private static int untouchable(Lane owner, Choices choices) {
        Opening first = owner.opened(WindowType.TYPE_1);
        Opening any = owner.openings.isEmpty() ? null : owner.openings.getFirst();
        if (first != null && choices.chance(0.5)) {
            first.freeze();
            return first.binding().key();
        }
        if (any != null && any.isBound() && choices.chance(0.5)) {
            any.freeze();
            return any.region.remoteKey();
        }
        int key = owner.wordsRegion.remoteKey();
        return choices.chance(0.5) ? key : ~key;
    }

    /// Through a window that is not for this request; where there is none, with a wrong key.
    private static void aimThrough(Message message, Fault fault, Lane lane) {
        Lane peer = lane.peer();
        if (fault == Fault.OTHER_PAIRS_WINDOW) {
            for (Lane other : peer.host.lanes) {
                Opening opening = other == peer ? null : other.opened(WindowType.TYPE_2);
                if (opening != null) {
                    opening.freeze();
                    aim(message, opening.region, opening.binding().key());
                    message.address += aligned(message, opening.binding().from());
                    return;
                }
            }
        }
        for (Opening opening : peer.openings) {
            boolean wrong =
                    fault == Fault.OUTSIDE_WINDOW
                            ? opening.area != null && opening.gives(rightOf(message))
                            : fault == Fault.WINDOW_WITHOUT_RIGHT
                                    && !opening.gives(rightOf(message));
            if (opening.isBound() && wrong) {
                opening.freeze();
                Opening.Binding open = opening.binding();
                aim(message, opening.region, open.key());
                boolean behind = fault == Fault.OUTSIDE_WINDOW && lane.choices.chance(0.5);
                message.address += aligned(message, open.from());
                message.address += behind ? open.length() - 1 : 0;
                message.address -= fault == Fault.OUTSIDE_WINDOW && !behind ? 1 : 0;
                return;
            }
        }
        aim(message, peer.wordsRegion, ~peer.wordsRegion.remoteKey());
    }

    /// Atomics elsewhere are refused for another reason.
    private static int aligned(Message message, int at) {
        return message.kind.isAtomic() ? at & -8 : at;
    }

    private static Access rightOf(Message message) {
        return message.kind.isWrite()
                ? Access.REMOTE_WRITE
                : message.kind == Message.Kind.READ ? Access.REMOTE_READ : Access.REMOTE_ATOMIC;
    }

    /// A window that is bound already, or closed before it can be; or a region that is.
    private static void bindInVain(Message message, Lane lane) {
        Opening bound = lane.opened(WindowType.TYPE_2);
        if (bound != null) {
            bound.freeze();
            message.opening = bound;
            return;
        }
        Opening fresh = lane.opening(lane.spare, null, Set.of(Access.REMOTE_READ));
        lane.openings.add(fresh);
        fresh.freeze();
        message.opening = fresh;
        boolean window = lane.choices.chance(0.5);
        lane.sender.afterwards(window ? fresh::close : lane.spare::close);
    }

    private static void aim(Message message, MemoryRegion region, int key) {
        message.address = region.address();
        message.key = key;
    }
}
