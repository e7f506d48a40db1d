package dev.verbena.verbs;

import static dev.verbena.verbs.QueuePairAttribute.ACCESS;
import static dev.verbena.verbs.QueuePairAttribute.ADDRESS;
import static dev.verbena.verbs.QueuePairAttribute.CURRENT_STATE;
import static dev.verbena.verbs.QueuePairAttribute.DRAIN_NOTIFY;
import static dev.verbena.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static dev.verbena.verbs.QueuePairAttribute.PARTITION_INDEX;
import static dev.verbena.verbs.QueuePairAttribute.PATH_MTU;
import static dev.verbena.verbs.QueuePairAttribute.PEER_QUEUE_PAIR;
import static dev.verbena.verbs.QueuePairAttribute.PORT;
import static dev.verbena.verbs.QueuePairAttribute.QUEUE_KEY;
import static dev.verbena.verbs.QueuePairAttribute.RATE_LIMIT;
import static dev.verbena.verbs.QueuePairAttribute.READS_AS_INITIATOR;
import static dev.verbena.verbs.QueuePairAttribute.READS_AS_RESPONDER;
import static dev.verbena.verbs.QueuePairAttribute.RECEIVE_PSN;
import static dev.verbena.verbs.QueuePairAttribute.RETRY_COUNT;
import static dev.verbena.verbs.QueuePairAttribute.RNR_RETRY;
import static dev.verbena.verbs.QueuePairAttribute.SEND_PSN;
import static dev.verbena.verbs.QueuePairAttribute.TIMEOUT;
import static dev.verbena.verbs.QueuePairState.ERROR;
import static dev.verbena.verbs.QueuePairState.INIT;
import static dev.verbena.verbs.QueuePairState.READY_TO_RECEIVE;
import static dev.verbena.verbs.QueuePairState.READY_TO_SEND;
import static dev.verbena.verbs.QueuePairState.RESET;
import static dev.verbena.verbs.QueuePairState.SEND_QUEUE_DRAINED;
import static dev.verbena.verbs.QueuePairState.SEND_QUEUE_ERROR;
import static dev.verbena.verbs.QueuePairType.RC;
import static dev.verbena.verbs.QueuePairType.UC;
import static dev.verbena.verbs.QueuePairType.UD;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The complete state machine of a queue pair (IBA 10.3.1, figure of the states).
///
/// ```
///              modify              modify             modify
///   RESET ───────────▶ INIT ───────────▶ RTR ───────────▶ RTS ◀──────────┐
///     ▲                 │ ▲               │                │ │ ▲          │ modify
///     │ modify,         │ │ modify        │         modify │ │ │ modify   │ (UC, UD)
///     │ from any        └─┘               │                ▼ │ │          │
///     │                                   │               SQD─┼─┘   send error   SQE
///     │                                   │                │  └──(UC, UD)──────▶ │
///     └──────── ERR ◀─────────────────────┴────────────────┴─────────────────────┘
///                     modify, or by itself when a work request or the peer fails
/// ```
///
/// [#rows] lists every row; a test compares them with a stored copy.
public final class QueuePairTransitions {
    /// The attributes that a transition requires and those that it allows, for one type of queue
    /// pair.
    ///
    /// @param byItself true when an event makes the transition, and a program cannot request it
    public record Row(
            QueuePairState from,
            QueuePairState to,
            QueuePairType type,
            boolean byItself,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {}

    private static final List<Row> ROWS = new ArrayList<>();

    /// By type and states, the row of a transition that a program requests: every connection asks
    /// for some.
    private static final Map<QueuePairType, Map<QueuePairState, Map<QueuePairState, Row>>>
            BY_REQUEST = new EnumMap<>(QueuePairType.class);

    static {
        Set<QueuePairAttribute> none = Set.of();
        Set<QueuePairAttribute> join = Set.of(PARTITION_INDEX, PORT, ACCESS);
        Set<QueuePairAttribute> joinUd = Set.of(PARTITION_INDEX, PORT, QUEUE_KEY);
        for (QueuePairType type : QueuePairType.values()) {
            row(RESET, INIT, type, type == UD ? joinUd : join, none);
            row(INIT, INIT, type, none, type == UD ? joinUd : join);
        }
        Set<QueuePairAttribute> late = Set.of(ACCESS, PARTITION_INDEX);
        row(
                INIT,
                READY_TO_RECEIVE,
                RC,
                Set.of(
                        ADDRESS,
                        PATH_MTU,
                        PEER_QUEUE_PAIR,
                        RECEIVE_PSN,
                        READS_AS_RESPONDER,
                        MIN_RNR_TIMER),
                late);
        row(
                INIT,
                READY_TO_RECEIVE,
                UC,
                Set.of(ADDRESS, PATH_MTU, PEER_QUEUE_PAIR, RECEIVE_PSN),
                late);
        row(INIT, READY_TO_RECEIVE, UD, none, Set.of(PARTITION_INDEX, QUEUE_KEY));
        row(
                READY_TO_RECEIVE,
                READY_TO_SEND,
                RC,
                Set.of(SEND_PSN, TIMEOUT, RETRY_COUNT, RNR_RETRY, READS_AS_INITIATOR),
                Set.of(CURRENT_STATE, ACCESS, MIN_RNR_TIMER, RATE_LIMIT));
        row(
                READY_TO_RECEIVE,
                READY_TO_SEND,
                UC,
                Set.of(SEND_PSN),
                Set.of(CURRENT_STATE, ACCESS, RATE_LIMIT));
        row(
                READY_TO_RECEIVE,
                READY_TO_SEND,
                UD,
                Set.of(SEND_PSN),
                Set.of(CURRENT_STATE, QUEUE_KEY, RATE_LIMIT));
        Set<QueuePairAttribute> liveRc = Set.of(CURRENT_STATE, ACCESS, MIN_RNR_TIMER, RATE_LIMIT);
        Set<QueuePairAttribute> liveUc = Set.of(CURRENT_STATE, ACCESS, RATE_LIMIT);
        Set<QueuePairAttribute> liveUd = Set.of(CURRENT_STATE, QUEUE_KEY, RATE_LIMIT);
        for (QueuePairState from : List.of(READY_TO_SEND, SEND_QUEUE_DRAINED)) {
            row(from, READY_TO_SEND, RC, none, liveRc);
            row(from, READY_TO_SEND, UC, none, liveUc);
            row(from, READY_TO_SEND, UD, none, liveUd);
        }
        row(SEND_QUEUE_ERROR, READY_TO_SEND, UC, none, liveUc);
        row(SEND_QUEUE_ERROR, READY_TO_SEND, UD, none, liveUd);
        for (QueuePairType type : QueuePairType.values()) {
            row(READY_TO_SEND, SEND_QUEUE_DRAINED, type, none, Set.of(DRAIN_NOTIFY));
        }
        row(
                SEND_QUEUE_DRAINED,
                SEND_QUEUE_DRAINED,
                RC,
                none,
                Set.of(
                        PORT,
                        ADDRESS,
                        TIMEOUT,
                        RETRY_COUNT,
                        RNR_RETRY,
                        READS_AS_INITIATOR,
                        READS_AS_RESPONDER,
                        ACCESS,
                        PARTITION_INDEX,
                        MIN_RNR_TIMER));
        row(
                SEND_QUEUE_DRAINED,
                SEND_QUEUE_DRAINED,
                UC,
                none,
                Set.of(ADDRESS, ACCESS, PARTITION_INDEX));
        row(SEND_QUEUE_DRAINED, SEND_QUEUE_DRAINED, UD, none, Set.of(PARTITION_INDEX, QUEUE_KEY));
        byItself(READY_TO_SEND, SEND_QUEUE_ERROR, UC);
        byItself(READY_TO_SEND, SEND_QUEUE_ERROR, UD);
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairState.values()) {
                if (type == RC && from == SEND_QUEUE_ERROR) {
                    continue; // IBA 10.3.1.6: a failed send of RC leads to ERR, never here.
                }
                row(from, RESET, type, none, none);
                if (from != RESET) {
                    row(from, ERROR, type, none, none);
                    if (from != ERROR) {
                        // This row includes INIT: a queue pair can lose its completion queue
                        // through other queue pairs.
                        byItself(from, ERROR, type);
                    }
                }
            }
        }
    }

    private QueuePairTransitions() {}

    /// All transitions.
    public static List<Row> rows() {
        return Collections.unmodifiableList(ROWS);
    }

    /// The row of a transition that a program requests, or null when there is none.
    public static @Nullable Row find(QueuePairType type, QueuePairState from, QueuePairState to) {
        return BY_REQUEST.getOrDefault(type, Map.of()).getOrDefault(from, Map.of()).get(to);
    }

    /// Whether a queue pair may make the transition without a request.
    public static boolean happensByItself(
            QueuePairType type, QueuePairState from, QueuePairState to) {
        for (Row row : ROWS) {
            if (row.byItself() && row.type() == type && row.from() == from && row.to() == to) {
                return true;
            }
        }
        return false;
    }

    /// Checks the request of a program and reports everything that is wrong with it.
    ///
    /// @param object the name of the queue pair, such as `qp 0x1a`
    public static void check(
            String object,
            QueuePairType type,
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> given) {
        Row row = find(type, from, to);
        if (row == null) {
            throw new WrongStateException(
                    object,
                    "no transition from " + from.symbol() + " to " + to.symbol() + " for " + type,
                    "from " + from.symbol() + " it can change to " + reachable(type, from));
        }
        boolean isComplete = given.containsAll(row.required());
        boolean isTaken = true;
        for (QueuePairAttribute attribute : given) {
            isTaken &= row.required().contains(attribute) || row.optional().contains(attribute);
        }
        if (!isComplete || !isTaken) {
            EnumSet<QueuePairAttribute> missing = EnumSet.noneOf(QueuePairAttribute.class);
            missing.addAll(row.required());
            missing.removeAll(given);
            EnumSet<QueuePairAttribute> wrong = EnumSet.noneOf(QueuePairAttribute.class);
            wrong.addAll(given);
            wrong.removeAll(row.required());
            wrong.removeAll(row.optional());
            boolean both = !missing.isEmpty() && !wrong.isEmpty();
            String and = both ? " and " : "";
            throw new InvalidRequestException(
                    object,
                    from.symbol()
                            + " to "
                            + to.symbol()
                            + (missing.isEmpty() ? "" : " needs " + missing)
                            + (both ? " and" : "")
                            + (wrong.isEmpty() ? "" : " does not take " + wrong),
                    (missing.isEmpty() ? "" : "set the missing attributes")
                            + and
                            + (wrong.isEmpty() ? "" : "remove those that it does not take"));
        }
    }

    private static String reachable(QueuePairType type, QueuePairState from) {
        return ROWS.stream()
                .filter(row -> row.type() == type && row.from() == from && !row.byItself())
                .map(row -> row.to().symbol())
                .distinct()
                .toList()
                .toString();
    }

    private static void row(
            QueuePairState from,
            QueuePairState to,
            QueuePairType type,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {
        Row row = new Row(from, to, type, false, fast(required), fast(optional));
        ROWS.add(row);
        BY_REQUEST
                .computeIfAbsent(type, _ -> new EnumMap<>(QueuePairState.class))
                .computeIfAbsent(from, _ -> new EnumMap<>(QueuePairState.class))
                .put(to, row);
    }

    /// Every connection asks these sets, some hundred times.
    private static Set<QueuePairAttribute> fast(Set<QueuePairAttribute> few) {
        EnumSet<QueuePairAttribute> all = EnumSet.noneOf(QueuePairAttribute.class);
        all.addAll(few);
        return Collections.unmodifiableSet(all);
    }

    private static void byItself(QueuePairState from, QueuePairState to, QueuePairType type) {
        ROWS.add(new Row(from, to, type, true, Set.of(), Set.of()));
    }
}
