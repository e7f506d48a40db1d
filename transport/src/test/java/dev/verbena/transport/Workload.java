package dev.verbena.transport;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WindowType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Draws the requests of one endpoint and keeps the model of what they will have done.
///
/// No two requests in flight touch the same bytes unless their order is certain.
final class Workload {
    static final int INLINE_MAX = 200;
    private static final List<Message.Kind> KINDS = List.of(Message.Kind.values());

    private final Sender sender;
    private final RcEndpoint endpoint;
    private final Choices choices;
    private final int[] weights = new int[KINDS.size()];
    private final MemorySegment scratch = Arena.ofAuto().allocate(INLINE_MAX);

    private long count;
    private int landingNext;

    /// READs and atomics without an answer; READs among them of what this endpoint wrote before.
    private int landingBusy;

    private int readBacks;

    /// The window that the request being drawn changes.
    private @Nullable WindowModel changing;

    Workload(Sender sender) {
        this.sender = sender;
        endpoint = sender.endpoint;
        choices = sender.choices;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = choices.chance(0.25) ? 0 : choices.between(1, 10);
        }
        weights[0]++;
        if (endpoint.run.hasTooManyReads(endpoint.index)) {
            weights[KINDS.indexOf(Message.Kind.READ)] = 20;
        }
    }

    Message next() {
        boolean first = count == 0 && endpoint.fault == Fault.MTU_MISMATCH;
        Message.Kind kind = first ? Message.Kind.READ : KINDS.get(choices.weighted(weights));
        Message message = new Message(possible(kind), endpoint.sendId(count++));
        message.solicited = message.kind.received && choices.chance(0.3);
        message.fenced = choices.chance(0.1);
        switch (message.kind) {
            case SEND, SEND_IMMEDIATE -> gather(message, length());
            case SEND_INVALIDATE -> {
                gather(message, length());
                invalidate(message);
            }
            case WRITE, WRITE_IMMEDIATE -> write(message);
            case READ -> read(message);
            case COMPARE_SWAP, FETCH_ADD, FETCH_ADD_SHARED -> atomic(message);
            case LOCAL_INVALIDATE, BIND -> {
                if (changing == null) {
                    message.key = endpoint.takeOwnKey();
                } else {
                    message.windowModel = changing;
                    changing.changing(message);
                }
            }
        }
        if (message.kind == Message.Kind.SEND_IMMEDIATE
                || message.kind == Message.Kind.WRITE_IMMEDIATE) {
            message.immediate = (int) choices.interesting(32);
        }
        return message;
    }

    /// A change of one of our windows, if one can be changed now.
    private Message.Kind change() {
        if (endpoint.windowModels.isEmpty()) {
            return Message.Kind.SEND;
        }
        WindowModel windowModel = choices.pick(endpoint.windowModels);
        if (!windowModel.mayChange()) {
            return Message.Kind.SEND;
        }
        changing = windowModel;
        return windowModel.change();
    }

    /// Ends a key of the peer's: of memory that it lent us, or of a window.
    private void invalidate(Message message) {
        RcEndpoint peer = endpoint.peer();
        WindowModel windowModel = peer.opened(WindowType.TYPE_2);
        if (windowModel == null || (peer.hasLentKey() && choices.chance(0.5))) {
            message.key = peer.takeLentKey();
            return;
        }
        message.windowModel = windowModel;
        message.key = windowModel.binding().key();
        // IBA 10.8.3.3: nothing else keeps it behind the answers to READs and atomics.
        message.fenced = true;
        windowModel.ending();
    }

    private Message.Kind possible(Message.Kind kind) {
        changing = null;
        if (endpoint.isForbidden(kind) || (kind.wantsData() && !makeLandingRoom())) {
            return Message.Kind.SEND;
        }
        return switch (kind) {
            case SEND_INVALIDATE ->
                    endpoint.peer().hasLentKey()
                                    || endpoint.peer().opened(WindowType.TYPE_2) != null
                            ? kind
                            : Message.Kind.SEND;
            case LOCAL_INVALIDATE -> endpoint.hasOwnKey() ? kind : Message.Kind.SEND;
            case BIND -> change();
            default -> kind;
        };
    }

    private int length() {
        int most = endpoint.longest;
        if (endpoint.fault == Fault.MTU_MISMATCH) {
            return most;
        }
        return switch (choices.weighted(1, 12, 4, 2)) {
            case 0 -> 0;
            case 1 -> choices.between(1, Math.min(64, most));
            case 2 -> choices.between(0, Math.min(endpoint.mtu, most));
            default -> most - choices.between(0, Math.min(most, 3));
        };
    }

    /// One to four pieces of the source.
    private void gather(Message message, int length) {
        gather(message, length, choices);
    }

    static void gather(Message message, int length, Choices choices) {
        int pieces = choices.chance(0.7) ? 1 : choices.between(1, Message.MAX_PIECES);
        int left = length;
        for (int i = pieces; i > 0; i--) {
            int bytes = i == 1 ? left : choices.between(0, left);
            message.piece(choices.between(0, Host.SOURCE_BYTES - bytes), bytes);
            left -= bytes;
        }
        message.inline = length <= INLINE_MAX && choices.chance(0.2);
    }

    /// Mostly to fresh bytes; sometimes over what was written before, since order is certain. Where
    /// bytes land in any order, not over those of a WRITE in flight.
    private void write(Message message) {
        WindowModel windowModel =
                choices.chance(0.3) ? endpoint.peer().opened(Access.REMOTE_WRITE) : null;
        if (windowModel != null && writeThrough(message, windowModel)) {
            return;
        }
        if (endpoint.run.plan.phantoms && choices.chance(0.1)) {
            gather(message, length());
            message.phantom = true;
            MemoryRegion nowhere = endpoint.peer().host.phantom;
            message.key = nowhere.remoteKey();
            message.address =
                    nowhere.address() + choices.between(0, Host.PHANTOM_BYTES - message.length);
            return;
        }
        Area target =
                endpoint.peer().hasLentKey() && choices.chance(0.2)
                        ? endpoint.peer().lent
                        : endpoint.peer().written;
        gather(message, Math.min(length(), target.length()));
        boolean mayGoBack = readBacks == 0 || target == endpoint.peer().lent;
        int at = mayGoBack && choices.chance(0.2) ? target.last : target.next;
        if (at + message.length > target.length()) {
            if (mayGoBack) {
                at = 0;
            } else {
                // Earlier bytes are still being read: write nothing, which is a case too.
                message.pieces = 0;
                message.length = 0;
            }
        }
        if (meetsWrite(target, at, message.length)) {
            message.pieces = 0;
            message.length = 0;
        }
        message.target = target;
        message.targetAt = at;
        message.key = target.region.remoteKey();
        target.last = at;
        target.next = at + message.length;
        target.post(message, endpoint.run.sourceBytes);
    }

    private boolean meetsWrite(Area target, int at, int length) {
        if (!endpoint.run.plan.selective) {
            return false;
        }
        for (Message other : sender.outstanding) {
            if (other.target == target
                    && other.kind.isWrite()
                    && at < other.targetAt + other.length
                    && other.targetAt < at + length) {
                return true;
            }
        }
        return false;
    }

    private boolean writeThrough(Message message, WindowModel windowModel) {
        Area area = Objects.requireNonNull(windowModel.area);
        if (area.reads > 0) {
            return false;
        }
        WindowModel.Binding open = windowModel.binding();
        gather(message, Math.min(length(), open.length()));
        message.target = area;
        message.targetAt = open.from() + choices.between(0, open.length() - message.length);
        if (meetsWrite(area, message.targetAt, message.length)) {
            message.pieces = 0;
            message.length = 0;
        }
        through(message, windowModel);
        area.post(message, endpoint.run.sourceBytes);
        return true;
    }

    private static void through(Message message, WindowModel windowModel) {
        message.windowModel = windowModel;
        message.key = windowModel.binding().key();
        windowModel.users++;
    }

    private void read(Message message) {
        int length = Math.min(length(), RcEndpoint.landingBytes(endpoint.longest) - landingNext);
        Area written = endpoint.peer().written;
        WindowModel windowModel =
                choices.chance(0.3) ? endpoint.peer().opened(Access.REMOTE_READ) : null;
        if (windowModel != null) {
            Area area = Objects.requireNonNull(windowModel.area);
            WindowModel.Binding open = windowModel.binding();
            length = Math.min(length, open.length());
            message.target = area;
            message.targetAt = open.from() + choices.between(0, open.length() - length);
            area.reads++;
            through(message, windowModel);
        } else if (endpoint.run.plan.phantoms && choices.chance(0.1)) {
            message.phantom = true;
            MemoryRegion nowhere = endpoint.peer().host.phantom;
            message.key = nowhere.remoteKey();
            message.address = nowhere.address() + choices.between(0, Host.PHANTOM_BYTES - length);
        } else if (written.next > 0 && choices.chance(0.4)) {
            length = Math.min(length, written.next);
            message.target = written;
            message.targetAt = choices.between(0, written.next - length);
            message.key = written.region.remoteKey();
            readBacks++;
        } else {
            message.targetAt = choices.between(0, Host.SOURCE_BYTES - length);
            message.key = endpoint.peer().host.sourceRegion.remoteKey();
        }
        int left = length;
        while (left > 0 && message.pieces < Message.MAX_PIECES - 1 && choices.chance(0.3)) {
            int bytes = choices.between(0, left);
            message.piece(landingNext, bytes);
            landingNext += bytes;
            left -= bytes;
        }
        message.piece(landingNext, left);
        landingNext += left;
        landingBusy++;
    }

    private void atomic(Message message) {
        landingNext = (landingNext + 7) & -8;
        message.piece(landingNext, 8);
        landingNext += 8;
        landingBusy++;
        if (message.kind == Message.Kind.FETCH_ADD_SHARED) {
            message.counter = choices.between(0, Host.COUNTERS - 1);
            message.key = endpoint.peer().host.counters.remoteKey();
            return;
        }
        int word = choices.between(0, RcEndpoint.WORDS - 1);
        long[] words = endpoint.peer().wordsPosted;
        message.counter = word;
        message.key = endpoint.peer().wordsRegion.remoteKey();
        WindowModel windowModel =
                choices.chance(0.4) ? endpoint.peer().opened(Access.REMOTE_ATOMIC) : null;
        if (windowModel != null) {
            through(message, windowModel);
        }
        message.before = words[word];
        message.after =
                message.kind == Message.Kind.FETCH_ADD
                        ? words[word] + choices.interesting(64)
                        : choices.chance(0.7) ? choices.interesting(64) : words[word];
        words[word] = message.after;
    }

    /// The landing area is used in a circle; it starts anew when nothing is under way to it.
    private boolean makeLandingRoom() {
        int room = RcEndpoint.landingBytes(endpoint.longest) - landingNext;
        if (room < endpoint.longest + 16 && landingBusy == 0) {
            landingNext = 0;
            room = RcEndpoint.landingBytes(endpoint.longest);
        }
        return room >= endpoint.longest + 16;
    }

    void landed(Message message) {
        landingBusy--;
        Area target = message.kind == Message.Kind.READ ? message.target : null;
        if (target != null && message.windowModel != null) {
            target.reads--;
        } else if (target != null) {
            readBacks--;
        }
    }

    /// Puts a message into a batch.
    void begin(SendBatch batch, Message message) {
        long address = addressOf(message);
        switch (message.kind) {
            case SEND -> batch.send();
            case SEND_IMMEDIATE -> batch.sendImmediate(message.immediate);
            case SEND_INVALIDATE -> batch.sendInvalidate(message.key);
            case WRITE -> batch.write(address, message.key);
            case WRITE_IMMEDIATE -> batch.writeImmediate(address, message.key, message.immediate);
            case READ -> batch.read(address, message.key);
            case COMPARE_SWAP -> {
                // A swap that leaves the word alone is one whose comparison fails.
                boolean swaps = message.after != message.before;
                long compare = swaps ? message.before : ~message.before;
                long replacement = swaps ? message.after : message.before + 1;
                batch.compareAndSwap(address, message.key, compare, replacement);
            }
            case FETCH_ADD ->
                    batch.fetchAndAdd(address, message.key, message.after - message.before);
            case FETCH_ADD_SHARED -> batch.fetchAndAdd(address, message.key, 1);
            case LOCAL_INVALIDATE -> batch.localInvalidate(message.key);
            case BIND -> Objects.requireNonNull(message.windowModel).bind(batch, message);
        }
        pieces(batch, message);
    }

    private long addressOf(Message message) {
        if (message.address != 0) {
            return message.address;
        }
        RcEndpoint peer = endpoint.peer();
        if (message.target != null) {
            return message.target.address(message.targetAt);
        }
        return switch (message.kind) {
            case COMPARE_SWAP, FETCH_ADD -> peer.wordsRegion.address() + 8L * message.counter;
            case FETCH_ADD_SHARED -> peer.host.counters.address() + 8L * message.counter;
            default -> peer.host.sourceRegion.address() + message.targetAt;
        };
    }

    private void pieces(SendBatch batch, Message message) {
        MemoryRegion whole = wholeOf(message);
        if (whole != null) {
            batch.local(whole, 0, message.length);
            return;
        }
        if (message.inline) {
            inline(batch, message, endpoint.host.source, scratch);
            return;
        }
        MemoryRegion region =
                message.kind.wantsData() ? endpoint.landingRegion : endpoint.host.sourceRegion;
        for (int i = 0; i < message.pieces; i++) {
            batch.local(region, message.at[i], message.lengths[i]);
        }
    }

    static void inline(
            SendBatch batch, Message message, MemorySegment source, MemorySegment scratch) {
        message.copyTo(source, scratch);
        batch.inline(scratch, 0, message.length);
        // They were copied: what becomes of them now must not matter.
        scratch.fill((byte) 0xDD);
    }

    /// Now and then memory of the message's own, which is closed or gone once it is posted.
    private @Nullable MemoryRegion wholeOf(Message message) {
        if (!message.failure.isEmpty()) {
            return endpoint.fault == Fault.SOURCE_MEMORY_GONE ? endpoint.goingRegion : null;
        }
        boolean possible = !message.inline && !message.kind.wantsData() && message.pieces > 0;
        if (possible && message.kind.isSend() && phantom(message)) {
            return endpoint.host.phantom;
        }
        return possible && choices.chance(0.01) ? sender.orphan(message) : null;
    }

    /// Whether what is sent is a length only.
    private boolean phantom(Message message) {
        message.phantom = endpoint.run.plan.phantoms && choices.chance(0.1);
        return message.phantom;
    }

    /// The request that the fault of this endpoint is about.
    Message faulty() {
        Fault fault = Objects.requireNonNull(endpoint.fault);
        Message message =
                new Message(FaultyRequests.kind(fault, choices), endpoint.sendId(count++));
        message.failure = fault.statuses;
        if (message.kind.wantsData()) {
            // Whatever lies there: nothing will land.
            message.piece(0, 8);
        } else if (!message.kind.isLocal()) {
            message.piece(choices.between(0, 1024), choices.between(9, 64));
        }
        FaultyRequests.aim(message, fault, endpoint);
        return message;
    }
}
