package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairTransitions;
import dev.verbena.verbs.QueuePairType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/// The three transitions that make a queue pair ready, and the rules for [QueuePair#connect] and
/// [QueuePair#activate].
public final class ReadySteps {
    private static final List<QueuePairState> READY =
            List.of(QueuePairState.READY_TO_RECEIVE, QueuePairState.READY_TO_SEND);

    /// By type, what the transitions on the way can set.
    private static final Map<QueuePairType, Set<QueuePairAttribute>> TAKEN = taken();

    private ReadySteps() {}

    private static Map<QueuePairType, Set<QueuePairAttribute>> taken() {
        Map<QueuePairType, Set<QueuePairAttribute>> byType = new EnumMap<>(QueuePairType.class);
        for (var row : QueuePairTransitions.rows()) {
            boolean isOnTheWay =
                    row.to() == QueuePairState.INIT
                            || row.from() == QueuePairState.INIT
                            || row.from() == QueuePairState.READY_TO_RECEIVE;
            if (!row.byItself() && row.from() != row.to() && isOnTheWay) {
                Set<QueuePairAttribute> taken =
                        byType.computeIfAbsent(
                                row.type(), _ -> EnumSet.noneOf(QueuePairAttribute.class));
                taken.addAll(row.required());
                taken.addAll(row.optional());
            }
        }
        return byType;
    }

    /// Datagrams are not connected.
    public static void requireConnects(QueuePair pair) {
        if (pair.type() == QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(),
                    AttributeRules.NO_PEER,
                    "use activate(), and name the receiver of each request with to()");
        }
    }

    /// Only datagrams do without a peer.
    public static void requireActivates(QueuePair pair) {
        if (pair.type() != QueuePairType.UD) {
            throw new InvalidRequestException(
                    pair.toString(), pair.type() + " needs a peer", "use connect(endpoint)");
        }
    }

    /// Refuses attributes that none of the transitions can set.
    public static void requireTaken(QueuePair pair, Set<QueuePairAttribute> given) {
        Set<QueuePairAttribute> taken = TAKEN.getOrDefault(pair.type(), Set.of());
        if (!taken.containsAll(given)) {
            EnumSet<QueuePairAttribute> unused = EnumSet.noneOf(QueuePairAttribute.class);
            unused.addAll(given);
            unused.removeAll(taken);
            throw new InvalidRequestException(
                    pair.toString(), "connecting does not take " + unused, "leave them out");
        }
    }

    /// Makes the transitions from RESET or INIT to ready to send.
    ///
    /// @param all attributes, with default values where the program has none
    /// @param changed attributes of the program's
    /// @param modify makes one transition
    public static void take(
            QueuePair pair,
            QueuePairAttributes all,
            QueuePairAttributes changed,
            BiConsumer<QueuePairState, QueuePairAttributes> modify) {
        if (pair.state() == QueuePairState.RESET) {
            modify.accept(QueuePairState.INIT, of(pair, QueuePairState.INIT, all, changed));
        }
        for (QueuePairState target : READY) {
            modify.accept(target, of(pair, target, all, changed));
        }
    }

    /// The attributes that one transition sets.
    private static QueuePairAttributes of(
            QueuePair pair,
            QueuePairState target,
            QueuePairAttributes all,
            QueuePairAttributes changed) {
        QueuePairState from = pair.state();
        var row = QueuePairTransitions.find(pair.type(), from, target);
        if (row == null) {
            throw StateRules.in(
                    pair,
                    from,
                    " and cannot be connected",
                    "connect a new queue pair, or move this one to RESET first");
        }
        EnumSet<QueuePairAttribute> wanted = EnumSet.noneOf(QueuePairAttribute.class);
        for (QueuePairAttribute attribute : row.optional()) {
            if (changed.has(attribute)) {
                wanted.add(attribute);
            }
        }
        wanted.addAll(row.required());
        return all.only(wanted);
    }
}
