package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A memory window of a lane, and the model of what its peer may do through it now.
///
/// The owner ends a key only when nothing that the peer posted with it is under way, since nothing
/// else orders the requests of two queue pairs.
final class Opening {
    private enum State {
        FREE,
        /// A request that binds or ends it is posted.
        CHANGING,
        BOUND
    }

    final @Nullable Area area;
    final MemoryRegion region;

    /// What is open while it is bound.
    int from;

    int length;
    int key;

    /// A key that once opened it, or never did; opens nothing now.
    int staleKey;

    /// The one that opens nothing any more once the posted change is done.
    private int endingKey;

    /// Requests of the peer's that go through it.
    int users;

    private final Lane lane;
    private final Choices choices;
    private final Set<Access> most;
    private Set<Access> rights;
    private MemoryWindow window;
    private State state = State.FREE;
    private boolean frozen;

    Opening(Lane lane, MemoryRegion region, @Nullable Area area, Set<Access> most) {
        this.lane = lane;
        this.choices = lane.choices;
        this.region = region;
        this.area = area;
        this.most = most;
        rights = most;
        window = fresh();
    }

    private MemoryWindow fresh() {
        MemoryWindow made = lane.host.domain.window(choices.pick(WindowType.class));
        staleKey = made.remoteKey();
        return made;
    }

    boolean isBound() {
        return state == State.BOUND;
    }

    /// Whether it is bound, of a type, and not to stay as it is.
    boolean isBound(WindowType type) {
        return state == State.BOUND && window.type() == type && !frozen;
    }

    boolean gives(Access right) {
        return rights.contains(right);
    }

    /// Lets it be as it is from now on.
    void freeze() {
        frozen = true;
    }

    boolean mayChange() {
        return !frozen && (state == State.FREE || (state == State.BOUND && users == 0));
    }

    /// Which request of the owner's changes it next. Now and then it is closed, and another takes
    /// its place.
    Message.Kind change() {
        if (choices.chance(0.1)) {
            closeWindow();
            window = fresh();
        }
        return state == State.BOUND && window.type() == WindowType.TYPE_2
                ? Message.Kind.LOCAL_INVALIDATE
                : Message.Kind.BIND;
    }

    private void closeWindow() {
        int old = key;
        boolean wasBound = state == State.BOUND;
        window.close();
        state = State.FREE;
        staleKey = wasBound ? old : staleKey;
    }

    /// The request is about to be posted.
    void changing(Message message) {
        if (message.kind == Message.Kind.LOCAL_INVALIDATE) {
            message.key = key;
        } else {
            boolean ends = state == State.BOUND && choices.chance(0.3);
            int bytes = (int) region.length();
            length = ends ? 0 : area == null ? bytes : choices.between(1, bytes);
            from = choices.between(0, bytes - length);
            message.openLength = length;
            rights = area == null || choices.chance(0.6) ? most : choose();
        }
        ending();
    }

    private Set<Access> choose() {
        return choices.chance(0.5)
                ? EnumSet.of(Access.REMOTE_WRITE)
                : EnumSet.of(Access.REMOTE_READ);
    }

    void bind(SendBatch batch, Message message) {
        batch.bind(window, region, from, message.openLength, rights);
        if (message.failure.isEmpty()) {
            key = window.remoteKey();
        }
    }

    /// The peer's request, or our own, will end the key.
    void ending() {
        endingKey = state == State.BOUND ? key : staleKey;
        state = State.CHANGING;
    }

    /// Our own request is done.
    void changed(Message message) {
        boolean bound = message.kind == Message.Kind.BIND && message.openLength > 0;
        staleKey = endingKey;
        state = bound ? State.BOUND : State.FREE;
    }

    /// The peer has invalidated it.
    void invalidated() {
        staleKey = endingKey;
        state = State.FREE;
    }

    void close() {
        window.close();
    }
}
