package dev.verbena.verbs.spi;

import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairAttribute;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.WrongStateException;

/// What a queue pair cannot do in its state. `who` is the queue pair, for the message.
public final class StateRules {
    private StateRules() {}

    /// Checks that the state takes send requests.
    public static void requireSends(Object who, QueuePairState state) {
        if (!state.takesSends()) {
            throw cannotSend(who, state);
        }
    }

    /// The state takes no send requests.
    public static WrongStateException cannotSend(Object who, QueuePairState state) {
        return in(who, state, " and cannot send", "connect it first");
    }

    /// Checks that the state takes receive requests.
    public static void requireReceives(Object who, QueuePairState state) {
        if (!state.takesReceives()) {
            throw in(who, state, " and cannot receive", "move it to INIT first");
        }
    }

    /// Receive requests for a queue pair that takes them from a shared queue.
    public static InvalidRequestException receivesElsewhere(Object who, Object shared) {
        return new InvalidRequestException(
                who.toString(), "it takes its receives from " + shared, "post them there");
    }

    /// Checks the state that a program names along with other attributes.
    public static void requireCurrentState(
            Object who, QueuePairAttributes values, QueuePairState state) {
        if (values.has(QueuePairAttribute.CURRENT_STATE) && values.currentState() != state) {
            throw in(who, state, "", "it was taken to be in " + values.currentState().symbol());
        }
    }

    static WrongStateException in(
            Object who, QueuePairState state, String consequence, String remedy) {
        return new WrongStateException(
                who.toString(), "it is in " + state.symbol() + consequence, remedy);
    }
}
