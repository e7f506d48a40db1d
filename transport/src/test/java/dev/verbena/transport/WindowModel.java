package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A memory window, and the model of what a peer may do through it now.
///
/// On a reliable connection its owner ends a key only when nothing that the peer posted with it is
/// under way, since nothing else orders the requests of two queue pairs.
final class WindowModel {
    /// What a key opens: bytes of the region, for these rights.
    record Binding(int key, int from, int length, Set<Access> rights) {
        boolean covers(long offset, long bytes) {
            return offset >= from && offset + bytes <= (long) from + length;
        }
    }

    final @Nullable Area area;
    final MemoryRegion region;

    /// What is in force, until the change that is posted is known to be done.
    @Nullable Binding inForce;

    /// A key that once opened it, or never did; opens nothing now.
    int staleKey;

    /// Requests of the peer's that go through it.
    int users;

    private final Host host;
    private final Choices choices;
    private final Set<Access> most;
    private MemoryWindow window;

    /// What will be in force after the change that is posted.
    private @Nullable Binding next;

    private boolean changing;
    private boolean frozen;

    WindowModel(
            Host host,
            Choices choices,
            MemoryRegion region,
            @Nullable Area area,
            Set<Access> most) {
        this.host = host;
        this.choices = choices;
        this.region = region;
        this.area = area;
        this.most = most;
        window = fresh();
    }

    private MemoryWindow fresh() {
        MemoryWindow made = host.domain.window(choices.pick(WindowType.class));
        staleKey = made.remoteKey();
        return made;
    }

    /// Whether the peer may use it.
    boolean isBound() {
        return inForce != null && !changing;
    }

    /// Whether it is bound, of a type, and not to stay as it is.
    boolean isBound(WindowType type) {
        return isBound() && window.type() == type && !frozen;
    }

    boolean gives(Access right) {
        return inForce != null && inForce.rights.contains(right);
    }

    Binding binding() {
        return Objects.requireNonNull(inForce);
    }

    /// Lets it be as it is from now on.
    void freeze() {
        frozen = true;
    }

    boolean mayChange() {
        return !frozen && !changing && users == 0;
    }

    /// Which request of the owner's changes it next. Now and then it is closed, and another takes
    /// its place.
    Message.Kind change() {
        if (choices.chance(0.1)) {
            close();
            inForce = null;
            window = fresh();
        }
        return inForce != null && window.type() == WindowType.TYPE_2
                ? Message.Kind.LOCAL_INVALIDATE
                : Message.Kind.BIND;
    }

    /// The request is about to be posted.
    void changing(Message message) {
        if (message.kind == Message.Kind.LOCAL_INVALIDATE) {
            message.key = binding().key;
        } else if (inForce == null || choices.chance(0.7)) {
            int bytes = (int) region.length();
            int length = area == null ? bytes : choices.between(1, bytes);
            int from = choices.between(0, bytes - length);
            next = new Binding(0, from, length, area == null ? most : rights());
        }
        changing = true;
    }

    private Set<Access> rights() {
        return choices.chance(0.6)
                ? most
                : EnumSet.of(choices.chance(0.5) ? Access.REMOTE_WRITE : Access.REMOTE_READ);
    }

    void bind(SendBatch batch, Message message) {
        if (!message.failure.isEmpty()) {
            batch.bind(window, region, 0, Math.min(8, region.length()), most);
            return;
        }
        Binding wanted = next;
        if (wanted == null) {
            batch.bind(window, region, 0, 0, most);
            return;
        }
        batch.bind(window, region, wanted.from, wanted.length, wanted.rights);
        next = new Binding(window.remoteKey(), wanted.from, wanted.length, wanted.rights);
    }

    /// A request of the peer's is posted that will end the key.
    void ending() {
        changing = true;
    }

    /// The change is done: our own request, or the peer's.
    void changed() {
        staleKey = inForce == null ? staleKey : inForce.key;
        inForce = next;
        next = null;
        changing = false;
    }

    /// The change will not be made.
    void cancel() {
        next = null;
        changing = false;
    }

    void close() {
        window.close();
    }
}
