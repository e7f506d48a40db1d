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

    static void aim(Message message, Fault fault, RcEndpoint endpoint) {
        RcEndpoint peer = endpoint.peer();
        switch (fault) {
            case BAD_KEY -> aim(message, peer.wordsRegion, ~peer.wordsRegion.remoteKey());
            case OUT_OF_BOUNDS -> {
                Area area = peer.written;
                aim(message, area.region, area.region.remoteKey());
                boolean before = endpoint.choices.chance(0.3);
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
                WindowModel windowModel = endpoint.choices.pick(peer.windowModels);
                aim(message, windowModel.region, windowModel.staleKey);
            }
            case OTHER_PAIRS_WINDOW, OUTSIDE_WINDOW, WINDOW_WITHOUT_RIGHT ->
                    aimThrough(message, fault, endpoint);
            case WRONG_INVALIDATE -> message.key = untouchable(peer, endpoint.choices);
            case WRONG_BIND -> bindInVain(message, endpoint);
            case MISALIGNED_ATOMIC -> {
                aim(message, peer.wordsRegion, peer.wordsRegion.remoteKey());
                message.address += endpoint.choices.between(1, 7);
            }
            case WRONG_LOCAL_INVALIDATE -> message.key = untouchable(endpoint, endpoint.choices);
            case OPERATION_NOT_ALLOWED -> {
                MemoryRegion region = peer.host.sourceRegion;
                aim(message, region, region.remoteKey());
            }
            default -> {
                // A plain SEND: what is wrong is elsewhere.
            }
        }
    }

    /// A key that no work request of an endpoint or its peer may end.
    private static int untouchable(RcEndpoint owner, Choices choices) {
        WindowModel first = owner.opened(WindowType.TYPE_1);
        WindowModel any = owner.windowModels.isEmpty() ? null : owner.windowModels.getFirst();
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
    private static void aimThrough(Message message, Fault fault, RcEndpoint endpoint) {
        RcEndpoint peer = endpoint.peer();
        if (fault == Fault.OTHER_PAIRS_WINDOW) {
            for (RcEndpoint other : peer.host.endpoints) {
                WindowModel windowModel = other == peer ? null : other.opened(WindowType.TYPE_2);
                if (windowModel != null) {
                    windowModel.freeze();
                    aim(message, windowModel.region, windowModel.binding().key());
                    message.address += aligned(message, windowModel.binding().from());
                    return;
                }
            }
        }
        for (WindowModel windowModel : peer.windowModels) {
            boolean wrong =
                    fault == Fault.OUTSIDE_WINDOW
                            ? windowModel.area != null && windowModel.gives(rightOf(message))
                            : fault == Fault.WINDOW_WITHOUT_RIGHT
                                    && !windowModel.gives(rightOf(message));
            if (windowModel.isBound() && wrong) {
                windowModel.freeze();
                WindowModel.Binding open = windowModel.binding();
                aim(message, windowModel.region, open.key());
                boolean behind = fault == Fault.OUTSIDE_WINDOW && endpoint.choices.chance(0.5);
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
    private static void bindInVain(Message message, RcEndpoint endpoint) {
        WindowModel bound = endpoint.opened(WindowType.TYPE_2);
        if (bound != null) {
            bound.freeze();
            message.windowModel = bound;
            return;
        }
        WindowModel fresh = endpoint.windowModel(endpoint.spare, null, Set.of(Access.REMOTE_READ));
        endpoint.windowModels.add(fresh);
        fresh.freeze();
        message.windowModel = fresh;
        boolean window = endpoint.choices.chance(0.5);
        endpoint.sender.afterwards(window ? fresh::close : endpoint.spare::close);
    }

    private static void aim(Message message, MemoryRegion region, int key) {
        message.address = region.address();
        message.key = key;
    }
}
