package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairAttributes;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One side of a reliable connection: its queue pair, its memory, and its faults.
final class RcEndpoint {
    static final int WORDS = 4;

    private static final Set<Access> WINDOW_RIGHTS =
            Set.of(Access.REMOTE_WRITE, Access.REMOTE_READ);

    final CampaignRun run;
    final Host host;
    final int index;
    final Choices choices;
    final QueuePair queuePair;
    final int number;
    final int mtu;
    final int longest;
    final double lateReceives;
    final long lateNs;

    /// What the peer's WRITEs go to, by a key that stays and by one that it can invalidate.
    final Area written;

    final Area lent;
    private boolean lentOpen = true;

    /// What the peer reaches through windows only.
    final Area windowed;

    /// Windows onto that and onto the words; none in some seeds.
    final List<WindowModel> windowModels = new ArrayList<>();

    /// Words for the peer's atomics alone.
    final MemoryRegion wordsRegion;

    private final MemorySegment words;
    final long[] wordsPosted = new long[WORDS];
    final long[] wordsConfirmed = new long[WORDS];

    final MemoryRegion receiveRegion;
    final MemorySegment landing;
    final MemoryRegion landingRegion;

    /// For faults: memory that is closed, or whose key ends.
    final MemoryRegion spare;

    private final MemoryRegion own;
    private boolean ownFree = true;
    private @Nullable Arena going;
    @Nullable MemoryRegion goingRegion;

    final Sender sender;
    final Receiver receiver;
    private @Nullable RcEndpoint peer;

    /// What goes wrong on this endpoint's initiative, and when; on the other endpoint of the
    /// connection it is null.
    @Nullable Fault fault;

    int faultAt;
    private boolean faultDone;
    int drainAt = -1;
    int retryCount;
    int rnrRetry = 7;

    /// What is left to set once the first packet has come.
    @Nullable QueuePairAttributes whenEstablished;

    /// How it stood when nothing moved any more.
    boolean wasHealthy;

    /// A request or a receive of this endpoint failed.
    boolean broken;

    /// There is a reason for this queue pair to have failed.
    boolean flushable;

    /// The program closed or reset the queue pair.
    boolean gone;

    boolean closed;

    /// Events that say that it has let go of a shared receive queue.
    int lastRequests;

    final boolean sharesReceives;

    private final List<MemoryRegion> regions = new ArrayList<>();

    RcEndpoint(
            CampaignRun run, Host host, int index, int mtu, int longest, int quota, boolean reads) {
        this.run = run;
        this.host = host;
        this.index = index;
        this.mtu = mtu;
        this.longest = longest;
        choices = run.plan.choices.split();
        lateReceives = choices.chance(0.3) ? 0.3 : 0;
        lateNs = choices.between(1, 200_000);
        int depth = longest > 10_000 ? choices.between(1, 4) : choices.between(1, 24);
        written = area(2 * longest + 4096, Access.REMOTE_WRITE, Access.REMOTE_READ);
        lent = area(longest + 64, Access.REMOTE_WRITE, Access.INVALIDATE);
        windowed = area(longest + 512, Access.LOCAL_WRITE, Access.WINDOW_BIND, Access.INVALIDATE);
        words = host.hostMemory.cut(WORDS * 8).fill((byte) 0);
        wordsRegion = keep(host.domain.register(words, Access.REMOTE_ATOMIC, Access.WINDOW_BIND));
        SharedPool shared = run.takesOwnReceives(index) || choices.chance(0.3) ? null : host.shared;
        ReceivePool pool =
                shared != null
                        ? shared.pool
                        : new ReceivePool(host, choices, depth, 0, longest, receiveId(0));
        if (shared == null) {
            keep(pool.region);
        }
        receiveRegion = pool.region;
        landing = host.hostMemory.cut(landingBytes(longest));
        landingRegion = keep(host.domain.register(landing, Access.LOCAL_WRITE));
        spare =
                keep(
                        host.domain.register(
                                host.hostMemory.cut(128),
                                Access.REMOTE_WRITE,
                                Access.REMOTE_READ,
                                Access.REMOTE_ATOMIC,
                                Access.WINDOW_BIND,
                                Access.INVALIDATE));
        own = keep(host.domain.register(host.hostMemory.cut(64), Access.INVALIDATE));
        Set<Access> access = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        if (reads) {
            access.add(Access.REMOTE_READ);
        }
        int partition = run.partitionOf(host, index);
        queuePair =
                host.domain.queuePair(
                        QueuePairType.RC,
                        options -> {
                            options.completions(host.completions)
                                    .sendDepth(choices.between(16, 64))
                                    .receiveDepth(depth + 2)
                                    .partitionIndex(partition)
                                    .access(access);
                            if (shared != null) {
                                options.sharedReceives(shared.queue);
                            }
                        });
        number = queuePair.number();
        sharesReceives = shared != null;
        if (run.plan.windows) {
            windowModels.add(windowModel(windowed.region, windowed, WINDOW_RIGHTS));
            windowModels.add(windowModel(wordsRegion, null, Set.of(Access.REMOTE_ATOMIC)));
        }
        sender = new Sender(this, quota);
        receiver = new Receiver(this, shared, pool);
    }

    static int landingBytes(int longest) {
        return 3 * longest + 256;
    }

    private Area area(int bytes, Access... rights) {
        MemorySegment memory = host.hostMemory.cut((bytes + 7) & -8);
        return new Area(memory, keep(host.domain.register(memory, rights)));
    }

    WindowModel windowModel(MemoryRegion region, @Nullable Area area, Set<Access> most) {
        return new WindowModel(host, choices, region, area, most);
    }

    private MemoryRegion keep(MemoryRegion region) {
        regions.add(region);
        return region;
    }

    RcEndpoint peer() {
        return Objects.requireNonNull(peer);
    }

    void join(RcEndpoint other) {
        peer = other;
    }

    long sendId(long count) {
        return ((long) index << 40) | count;
    }

    long receiveId(long count) {
        return ((long) index << 40) | (1L << 39) | count;
    }

    static boolean isReceive(long id) {
        return (id >> 39 & 1) != 0;
    }

    boolean hasLentKey() {
        return lentOpen;
    }

    /// The peer is about to end the key; it gets a new one once the program here hears of it.
    int takeLentKey() {
        lentOpen = false;
        return lent.region.remoteKey();
    }

    void renewForPeer() {
        int before = lent.region.remoteKey();
        int key = lent.region.renew();
        require(key != before && key == lent.region.remoteKey(), "renew gave the same key");
        lentOpen = true;
    }

    /// A SEND of the peer's has ended one of our keys.
    void invalidated(Message message) {
        WindowModel windowModel = message.windowModel;
        if (windowModel == null) {
            renewForPeer();
        } else {
            windowModel.changed();
        }
    }

    /// A window of ours that is bound and gives a right, or null.
    @Nullable WindowModel opened(Access right) {
        for (WindowModel windowModel : windowModels) {
            if (windowModel.isBound() && windowModel.gives(right)) {
                return windowModel;
            }
        }
        return null;
    }

    /// A window of ours that is bound and of a type, or null.
    @Nullable WindowModel opened(WindowType type) {
        for (WindowModel windowModel : windowModels) {
            if (windowModel.isBound(type)) {
                return windowModel;
            }
        }
        return null;
    }

    boolean hasOwnKey() {
        return ownFree;
    }

    int takeOwnKey() {
        ownFree = false;
        return own.remoteKey();
    }

    void renewOwn() {
        own.renew();
        ownFree = true;
    }

    boolean isForbidden(Message.Kind kind) {
        return kind == Message.Kind.READ && run.readsForbidden(index);
    }

    /// No more work is posted: one side of the connection failed or went away.
    boolean isOver() {
        return broken || gone || peer().broken || peer().gone;
    }

    boolean isReady() {
        return queuePair.state().takesSends();
    }

    boolean isFaultDue() {
        Fault present = fault;
        if (present == null || faultDone || !present.isRequest()) {
            return false;
        }
        boolean byReceive = present == Fault.SMALL_RECEIVE || present == Fault.RECEIVE_MEMORY_GONE;
        boolean due =
                byReceive
                        ? sender.consuming == peer().receiver.faultyReceive
                        : sender.posted >= faultAt && isPossible(present);
        if (due) {
            faultDone = true;
            sender.quota = Math.min(sender.quota, sender.posted + choices.between(1, 6));
            peer().flushable |= !present.isLocal();
            if (present == Fault.WRONG_INVALIDATE) {
                peer().receiver.faultyReceive = sender.consuming;
            }
        }
        return due;
    }

    /// Faults of windows wait for one that is bound, as long as there is time.
    private boolean isPossible(Fault present) {
        if (!present.isAboutWindows() || sender.posted >= sender.quota - 1) {
            return true;
        }
        if (present == Fault.OTHER_PAIRS_WINDOW) {
            return peer().host.endpoints.stream()
                    .anyMatch(other -> other != peer() && other.opened(WindowType.TYPE_2) != null);
        }
        List<WindowModel> needed = present == Fault.WRONG_BIND ? windowModels : peer().windowModels;
        return needed.stream().anyMatch(WindowModel::isBound);
    }

    /// What the program does besides posting work.
    void afterPost() {
        Arena arena = going;
        if (arena != null && faultDone && fault == Fault.SOURCE_MEMORY_GONE) {
            going = null;
            arena.close();
        }
        if (drainAt >= 0 && sender.posted >= drainAt) {
            drainAt = -1;
            queuePair.modify(QueuePairState.SEND_QUEUE_DRAINED, a -> a.drainNotify(true));
        }
        if (fault != null && !faultDone && !fault.isRequest() && sender.posted >= faultAt) {
            faultDone = true;
            run.strike(this, fault);
        }
    }

    /// Memory that will be gone when it is needed.
    void prepareGoing() {
        Arena arena = Arena.ofShared();
        going = arena;
        goingRegion = keep(host.domain.register(arena.allocate(64), Access.LOCAL_WRITE));
    }

    void postFaultyReceive(ReceiveBatch batch, long id) {
        if (peer().fault == Fault.SMALL_RECEIVE) {
            batch.receive().local(receiveRegion, 0, 4).id(id);
            return;
        }
        MemoryRegion region = Objects.requireNonNull(goingRegion);
        batch.receive().local(region, 0, 64).id(id);
        Arena arena = Objects.requireNonNull(going);
        run.pair.at(run.pair.nowNs(), arena::close);
        going = null;
    }

    /// Whether the fault of the connection lies in a receive that is posted here.
    boolean hasFaultyReceive() {
        return peer().fault == Fault.SMALL_RECEIVE || peer().fault == Fault.RECEIVE_MEMORY_GONE;
    }

    boolean withholdsReceives() {
        return peer().fault == Fault.NO_RECEIVES && peer().faultDone;
    }

    boolean mayFailReceive(long index, CompletionStatus status) {
        if (disagrees(Fault.MTU_MISMATCH)) {
            return status == CompletionStatus.LOCAL_LENGTH_ERROR;
        }
        return index == receiver.faultyReceive
                && status
                        == switch (peer().fault) {
                            case SMALL_RECEIVE -> CompletionStatus.LOCAL_LENGTH_ERROR;
                            case RECEIVE_MEMORY_GONE -> CompletionStatus.LOCAL_PROTECTION_ERROR;
                            case null, default -> CompletionStatus.REMOTE_INVALID_REQUEST;
                        };
    }

    boolean mayFlush() {
        return flushable
                || sender.failed
                || disagrees(Fault.MTU_MISMATCH)
                || disagrees(Fault.MORE_READS);
    }

    /// Whether the two were connected with settings that do not fit.
    private boolean disagrees(Fault about) {
        return fault == about || peer().fault == about;
    }

    /// Null when a request may end so, else why it may not.
    @Nullable String mayFail(Message message, CompletionStatus status) {
        if (message.failure.contains(status)
                || (disagrees(Fault.MTU_MISMATCH) && Fault.MTU_MISMATCH.statuses.contains(status))
                || (fault == Fault.MORE_READS && fault.statuses.contains(status))) {
            return null;
        }
        QueuePairLog log = run.pair.log(host.index, number);
        return switch (status) {
            case FLUSHED -> mayFlush() ? null : "nothing failed before it";
            case RETRY_EXCEEDED -> {
                boolean deaf = peer().gone || !peer().queuePair.state().answers();
                boolean tried = log.resends >= retryCount;
                // A responder remembers no more READs than agreed, so it cannot repeat all answers.
                boolean lost = deaf || run.isDisconnected(index) || run.hasTooManyReads(index);
                yield (lost && tried) || log.earnedRetryExceeded(retryCount)
                        ? null
                        : "retry count %d, peer %s, %s".formatted(retryCount, peer().state(), log);
            }
            case RNR_RETRY_EXCEEDED ->
                    log.earnedRnrExceeded(rnrRetry)
                            ? null
                            : "rnr retry %d, %s".formatted(rnrRetry, log);
            default -> "it must not";
        };
    }

    String state() {
        return gone ? "gone" : queuePair.state().symbol();
    }

    boolean isHealthy() {
        return !broken && !gone && !peer().broken && !peer().gone;
    }

    /// Everything that must hold when nothing moves any more.
    void checkEnd() {
        boolean healthy = isHealthy();
        require(
                !healthy || sender.posted == sender.quota,
                "stuck: %d of %d posted, %d outstanding, state %s, %s",
                sender.posted,
                sender.quota,
                sender.outstanding.size(),
                state(),
                run.pair.log(host.index, number));
        if (healthy) {
            require(
                    sender.outstanding.isEmpty(),
                    "stuck: %s, state %s, %s",
                    sender.outstanding.peek(),
                    state(),
                    run.pair.log(host.index, number));
        }
        sender.checkEnd();
    }

    /// The memory that the peer worked on, once it is known how all requests ended.
    void checkMemory() {
        RcEndpoint from = peer();
        if (from.sender.failed) {
            written.checkWith(from.sender.unresolved, run.sourceBytes, "written area");
            lent.checkWith(from.sender.unresolved, run.sourceBytes, "lent area");
            windowed.checkWith(from.sender.unresolved, run.sourceBytes, "windowed area");
        } else {
            written.checkAll("written area");
            lent.checkAll("lent area");
            windowed.checkAll("windowed area");
        }
        for (int i = 0; i < WORDS; i++) {
            checkWord(i, from);
        }
    }

    private void checkWord(int word, RcEndpoint from) {
        long now = words.get(ValueLayout.JAVA_LONG, word * 8L);
        boolean right = now == wordsConfirmed[word];
        for (Message atomic : from.sender.unresolved) {
            right |= atomic.kind.isAtomic() && atomic.counter == word && atomic.after == now;
        }
        require(right, "word %d is 0x%x, confirmed 0x%x", word, now, wordsConfirmed[word]);
    }

    /// A queue pair that failed says once that it takes no more from a shared queue.
    void checkLastRequest() {
        int due = sharesReceives && !gone ? 1 : 0;
        require(lastRequests == due, "%d events of the last request", lastRequests);
    }

    void closeRegions() {
        windowModels.forEach(WindowModel::close);
        regions.forEach(MemoryRegion::close);
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
    void require(boolean condition, String otherwise, @Nullable Object... values) {
        if (!condition) {
            throw failure(otherwise, values);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
    AssertionError failure(String what, @Nullable Object... values) {
        return new AssertionError(
                "endpoint %d.%d qp 0x%x at %d ns%s: %s"
                        .formatted(
                                host.index,
                                index,
                                number,
                                run.pair.nowNs(),
                                fault == null ? "" : " (" + fault + ")",
                                what.formatted(values)));
    }
}
