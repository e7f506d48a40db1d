package dev.verbena.verbs.spi;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Resolution;
import dev.verbena.verbs.WrongStateException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The question for a datagram queue pair that every provider has: its states, its answer, and the
/// explanation when there is none. A provider asks the peer, waits, and reports the answer.
///
/// The provider calls [#resolved], [#failed] and [#givenUp] with its lock held, one of them, once.
public abstract class DatagramQuestion implements Resolution {
    private static final byte[] NOTHING = {};

    private final String device;
    private final Address address;
    private final String target;

    // Written before the state, by which other threads see them.
    private int queuePair;
    private int queueKey;
    private byte[] data = NOTHING;
    private Reason reason = Reason.OTHER;
    private Supplier<String> problem = () -> "";
    private volatile State state = State.ASKING;

    /// @param device its name, for messages
    protected DatagramQuestion(String device, Address address, int port) {
        this.device = device;
        this.address = address;
        this.target = ObjectNames.datagramPort(address.gid(), port);
    }

    /// Waits until something is so; returns whether it came to that in time.
    protected abstract boolean awaitDecision(Duration timeout, BooleanSupplier isDecided);

    /// The state is another: lets the waiting threads check again.
    protected abstract void decided();

    /// The peer named a queue pair.
    protected final void resolved(int number, int key, byte[] privateData) {
        queuePair = number;
        queueKey = key;
        data = privateData;
        leave(State.RESOLVED);
    }

    /// The peer refused, or did not reply.
    ///
    /// @param explanation in the words of [ConnectionRefusals#ofQuestion] or of the provider; made
    ///   when a program asks
    /// @param privateData of the peer's program; empty without a reply
    protected final void failed(Reason why, Supplier<String> explanation, byte[] privateData) {
        reason = why;
        problem = explanation;
        data = privateData;
        leave(State.FAILED);
    }

    /// The program closed it before there was a reply.
    protected final void givenUp() {
        leave(State.GIVEN_UP);
    }

    private void leave(State last) {
        state = last;
        decided();
    }

    @Override
    public final State state() {
        return state;
    }

    @Override
    public final boolean await(Duration timeout) throws ConnectionFailedException {
        if (!awaitDecision(timeout, () -> state != State.ASKING)) {
            return false;
        }
        if (state == State.GIVEN_UP) {
            throw new WrongStateException(toString(), ObjectRules.CLOSED, "ask again");
        }
        if (state == State.FAILED) {
            // Without a program that listens the bytes are no program's.
            throw new ConnectionFailedException(
                    device + " to " + target + ": " + problem.get(),
                    reason,
                    reason == Reason.NOBODY_LISTENS ? NOTHING : data.clone());
        }
        return true;
    }

    @Override
    public final Address address() {
        return address;
    }

    /// The port that it asks at, for messages.
    protected final String target() {
        return target;
    }

    @Override
    public final int queuePair() {
        requireResolved();
        return queuePair;
    }

    @Override
    public final int queueKey() {
        requireResolved();
        return queueKey;
    }

    private void requireResolved() {
        if (state != State.RESOLVED) {
            throw new WrongStateException(toString(), "it is " + state, "wait for the answer");
        }
    }

    @Override
    public final byte[] privateData() {
        return state == State.ASKING ? NOTHING : data.clone();
    }

    @Override
    public final String toString() {
        return ObjectNames.resolution(target);
    }
}
