package dev.verbena.fabric;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.UnsupportedException;
import dev.verbena.verbs.spi.NetworkReduction;
import dev.verbena.verbs.spi.NetworkReduction.Arithmetic;
import dev.verbena.verbs.spi.NetworkReduction.Costs;
import dev.verbena.verbs.spi.NetworkReduction.Failure;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A host in a group: cuts vectors into packets, sends them within a window, sends again what has
/// no result for long, and puts results where they belong.
final class ReductionMember implements NetworkReduction.Member {
    /// The priority or service level of all packets.
    static final int LEVEL = 0;

    private static final int PENDING_MAX = 1024;
    private static final int BACKOFF_MAX = 14;

    /// As long as a communicator waits, unless told otherwise.
    private static final long GIVE_UP_PS = 600_000_000_000_000L;

    /// An operation that is not over.
    ///
    /// @param first its first packet of the group's
    /// @param end the first packet behind it
    /// @param step bytes of each packet but the last
    private record Post(
            long number,
            long first,
            long end,
            long bytes,
            int step,
            int code,
            @Nullable MemorySegment from,
            long fromAt,
            @Nullable MemorySegment to,
            long toAt) {
        long at(long sequence) {
            return (sequence - first) * step;
        }

        int length(long sequence) {
            return (int) Math.min(step, bytes - at(sequence));
        }
    }

    private final NicReductions owner;
    private final ReductionGroup group;
    private final int index;
    private final Route route;
    private final Fabric fabric;
    private final PacketPool pool;
    private final List<Post> posts = new ArrayList<>();

    /// By packet of the window: when it was sent, whether its result is here, whether it is to be
    /// sent again.
    private final long[] sentPs;

    private final boolean[] isHere;
    private final boolean[] isAgain;
    private int again;

    /// The first packet without a result, and the first that was not sent.
    private long unanswered;

    private long next;
    private long end;
    private long posted;
    private long done;
    private long progress;
    private long repeats;

    /// When the NIC sees what the program has posted.
    private long seesPs;

    /// When the last result came, or the first packet could leave; when the last time-out was.
    private long movedPs;

    private long expiredPs;
    private int backoff;
    private boolean hasLeft;
    private Runnable listener = () -> {};
    private final BooleanSupplier isNews = this::isNews;
    private long seen;

    ReductionMember(NicReductions owner, ReductionGroup group, int index) {
        this.owner = owner;
        this.group = group;
        this.index = index;
        fabric = owner.fabric();
        pool = fabric.pool();
        route = Reductions.route(owner.nic(), group);
        sentPs = new long[group.window];
        isHere = new boolean[group.window];
        isAgain = new boolean[group.window];
    }

    int index() {
        return index;
    }

    ReductionGroup group() {
        return group;
    }

    // ---- the program

    @Override
    public long post(
            long bytes, @Nullable LocalSlice from, @Nullable LocalSlice to, Arithmetic arithmetic) {
        fabric.enter();
        try {
            return begin(bytes, from, to, arithmetic);
        } finally {
            fabric.exit();
        }
    }

    private long begin(
            long bytes, @Nullable LocalSlice from, @Nullable LocalSlice to, Arithmetic arithmetic) {
        int elementBytes = arithmetic.elementBytes();
        require(
                bytes >= 0 && bytes % elementBytes == 0 && (bytes == 0 || from != null),
                "a vector of %,d bytes with elements of %d".formatted(bytes, elementBytes),
                "use memory for a whole number of elements");
        int code = group.code(arithmetic);
        if (posts.size() == PENDING_MAX || code < 0) {
            throw new LimitExceededException(
                    toString(),
                    "%,d operations wait already, or the group knows too many kinds of them"
                            .formatted(posts.size()),
                    "wait for one of them");
        }
        boolean hasFrom = bytes > 0 && from != null;
        boolean hasTo = bytes > 0 && to != null;
        MemorySegment source = from == null || bytes == 0 ? null : memory(from, bytes, false);
        MemorySegment target = to == null || bytes == 0 ? null : memory(to, bytes, true);
        require(
                !hasFrom || !hasTo || (source == null) == (target == null),
                "phantom and real memory in one operation",
                "use one of them");
        int step = fabric.settings().mtu() / elementBytes * elementBytes;
        long packets = Math.max(1, Math.ceilDiv(bytes, step));
        long nowPs = fabric.nowPs();
        if (unanswered == end) {
            seesPs = nowPs + fabric.settings().nic().sendPs();
            movedPs = nowPs;
            backoff = 0;
        }
        posts.add(
                new Post(
                        ++posted,
                        end,
                        end + packets,
                        bytes,
                        step,
                        code,
                        source,
                        from == null ? 0 : from.offset(),
                        target,
                        to == null ? 0 : to.offset()));
        end += packets;
        group.requireAll(end);
        if (seesPs > nowPs) {
            owner.arm(seesPs);
        } else {
            owner.nic().wake();
        }
        return posted;
    }

    /// The bytes of a slice, or null when they have a length alone.
    private @Nullable MemorySegment memory(LocalSlice slice, long bytes, boolean isWritten) {
        MemoryRegion region = slice.region();
        require(
                slice.length() == bytes,
                "%,d bytes in a slice of %,d".formatted(bytes, slice.length()),
                "use slices as long as the vector");
        require(
                region.domain().device().equals(owner.nic().device()),
                region + " is another device's",
                "use memory of this device");
        require(
                !isWritten || region.rights().contains(Access.LOCAL_WRITE),
                region + " may not be written",
                "register it with LOCAL_WRITE");
        try {
            return region.segment();
        } catch (UnsupportedException phantom) {
            return null;
        }
    }

    private void require(boolean holds, String problem, String remedy) {
        if (!holds) {
            throw new InvalidRequestException(toString(), problem, remedy);
        }
    }

    @Override
    public long done() {
        return done;
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public @Nullable Failure failure() {
        return group.failure();
    }

    @Override
    public void fail(int culprit, String why) {
        fabric.enter();
        try {
            group.fail(culprit, why);
        } finally {
            fabric.exit();
        }
    }

    @Override
    public int awaited() {
        return posts.isEmpty() ? -1 : group.missing(unanswered);
    }

    @Override
    public String refusal(Arithmetic arithmetic) {
        Set<String> types = fabric.settings().reduction().types();
        return types.isEmpty() || types.contains(arithmetic.type())
                ? ""
                : "switches do not combine elements of type %s".formatted(arithmetic.type());
    }

    /// Packets before which all results are here: behind them it will send nothing when it leaves.
    long answered() {
        return posts.isEmpty() ? end : unanswered;
    }

    long end() {
        return end;
    }

    @Override
    public boolean await(Duration atMost) {
        seen = done;
        return owner.await(atMost, isNews);
    }

    private boolean isNews() {
        return done != seen || group.failure() != null;
    }

    @Override
    public void onDone(Runnable called) {
        listener = called;
    }

    void failed() {
        changed();
    }

    private void changed() {
        owner.rouse();
        listener.run();
    }

    @Override
    public Costs costs() {
        return group.costs;
    }

    @Override
    public String description() {
        return "%s, %,d %s under way"
                .formatted(group.tree, group.window, group.window == 1 ? "packet" : "packets");
    }

    @Override
    public void close() {
        fabric.enter();
        try {
            if (!hasLeft) {
                hasLeft = true;
                owner.leave(this);
                posts.clear();
            }
        } finally {
            fabric.exit();
        }
    }

    // ---- packets

    private int place(long sequence) {
        return (int) (sequence % group.window);
    }

    boolean hasPacket(long nowPs) {
        if (group.failure() != null || posts.isEmpty() || seesPs > nowPs) {
            return false;
        }
        return again > 0 || (next < end && next < unanswered + group.window);
    }

    /// Puts its next packet at the port.
    void send(OutPort out, int lane, long nowPs) {
        long sequence = again > 0 ? firstAgain() : next++;
        sentPs[place(sequence)] = nowPs;
        Post post = post(sequence);
        int length = post.length(sequence);
        int handle = pool.take();
        ReductionHeader.put(
                pool.headers(handle),
                PacketPool.headersAt(handle),
                true,
                group.number,
                sequence,
                post.code,
                length);
        MemorySegment from = alive(post.from);
        pool.fill(
                handle,
                ReductionHeader.LENGTH,
                from,
                post.fromAt + post.at(sequence),
                length,
                route);
        int wire = fabric.wireBytes(handle, route);
        out.add(lane, handle, Tag.of(Reductions.DESTINATION, wire, LEVEL), 0);
        owner.arm(deadlinePs());
    }

    private long firstAgain() {
        long sequence = unanswered;
        while (!isAgain[place(sequence)]) {
            sequence++;
        }
        isAgain[place(sequence)] = false;
        again--;
        repeats++;
        return sequence;
    }

    private Post post(long sequence) {
        int i = 0;
        while (sequence >= posts.get(i).end) {
            i++;
        }
        return posts.get(i);
    }

    /// Memory that is closed too early has no bytes any more.
    private @Nullable MemorySegment alive(@Nullable MemorySegment memory) {
        if (memory != null && !memory.scope().isAlive()) {
            group.fail(index, owner.nic() + " has closed memory of an operation that was not over");
            return null;
        }
        return memory;
    }

    /// A result has come.
    void arrived(int handle, long nowPs) {
        MemorySegment headers = pool.headers(handle);
        long sequence = ReductionHeader.sequence(headers, PacketPool.headersAt(handle));
        boolean isAwaited = sequence >= unanswered && sequence < next;
        if (!isAwaited || group.failure() != null || isHere[place(sequence)]) {
            return;
        }
        Post post = post(sequence);
        MemorySegment to = alive(post.to);
        if (to != null && pool.hasBytes(handle)) {
            long at = post.toAt + post.at(sequence);
            MemorySegment.copy(pool.payload(handle), 0, to, at, post.length(sequence));
        }
        int place = place(sequence);
        isHere[place] = true;
        if (isAgain[place]) {
            isAgain[place] = false;
            again--;
        }
        progress++;
        movedPs = nowPs;
        backoff = 0;
        while (unanswered < next && isHere[place(unanswered)]) {
            isHere[place(unanswered)] = false;
            unanswered++;
        }
        finish();
        owner.arm(deadlinePs());
    }

    private void finish() {
        boolean any = false;
        while (!posts.isEmpty() && posts.getFirst().end <= unanswered) {
            done = posts.removeFirst().number;
            any = true;
        }
        if (any) {
            changed();
        }
    }

    /// When it does something though no packet comes.
    long deadlinePs() {
        if (group.failure() != null || posts.isEmpty()) {
            return EventQueue.NEVER;
        }
        if (unanswered == next) {
            return seesPs > fabric.nowPs() ? seesPs : EventQueue.NEVER;
        }
        long sincePs = Math.max(sentPs[place(unanswered)], movedPs);
        return Math.max(sincePs, expiredPs) + (group.timeoutPs << backoff);
    }

    /// No result has come for long. When that happens again, one packet is enough to ask whether
    /// the others are there.
    void expired(long nowPs) {
        if (unanswered == next) {
            return;
        }
        if (nowPs - movedPs > GIVE_UP_PS) {
            int missing = group.missing(unanswered);
            // Where all parts have come through, the result does not come to this host.
            int culprit = missing < 0 ? index : missing;
            group.fail(
                    culprit,
                    "%s for 600 seconds"
                            .formatted(
                                    missing < 0
                                            ? "no result has reached " + owner.nic()
                                            : "nothing has come from " + group.hostOf(missing)));
            return;
        }
        long last = backoff == 0 ? next : unanswered + 1;
        for (long sequence = unanswered; sequence < last; sequence++) {
            int place = place(sequence);
            boolean isLate = sentPs[place] + group.timeoutPs <= nowPs;
            if (isLate && !isHere[place] && !isAgain[place]) {
                isAgain[place] = true;
                again++;
            }
        }
        expiredPs = nowPs;
        backoff = Math.min(backoff + 1, BACKOFF_MAX);
    }

    /// Packets that it has sent once more.
    long repeats() {
        return repeats;
    }

    @Override
    public String toString() {
        return "member %d of reduction group %d".formatted(index, group.number);
    }
}
