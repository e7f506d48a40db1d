package dev.verbena.easy;

import dev.verbena.easy.Calls.Call;
import dev.verbena.verbs.ClosedException;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrongStateException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The state of a channel: credits, what waits to be taken, requests without a reply.
///
/// A side posts receives for `window` messages and requests, for a reply to each of its own
/// requests, and [#CONTROL] for the rest. A message or a request costs the sender one credit, and
/// it gets credits back as the peer's program takes messages: with the next frame, or in a frame of
/// their own once half the window is owed. So at most two such frames are under way, a receive is
/// always there, and a slow reader stops the sender.
///
/// All calls come with the gate's lock held, and none waits.
final class Protocol implements LaneUser {
    /// Receives for frames that cost no credit: two that give credits back, one [Frame#BYE], one
    /// [Frame#LOOKUP] and its answer; the others are reserve.
    static final int CONTROL = 8;

    static final int NAME_BYTES_MAX = 60;

    final Gate gate;
    final Calls calls;

    /// Threads that wait for credits or for a place to send from.
    final ArrayDeque<Thread> senders = new ArrayDeque<>();

    final ArrayDeque<Thread> takers = new ArrayDeque<>();
    final ArrayDeque<Thread> servers = new ArrayDeque<>();
    final ArrayDeque<Thread> callers = new ArrayDeque<>();
    final ArrayDeque<Thread> lookers = new ArrayDeque<>();

    final IntRing messages;
    final IntRing requests;

    private final int window;
    private final Slab slab;
    private final Function<String, @Nullable RemoteSlice> exports;
    private final int[] lengths;
    private final IntRing freeSends;
    private @Nullable Lane lane;
    private int peerMessageBytes;
    private int peerWindow;
    private int credits;
    private int owed;
    private int held;
    private byte @Nullable [] answerToLookup;
    private @Nullable RemoteSlice found;
    private boolean isLookingUp;
    private boolean isFoundHere;
    private boolean isLookupGivenUp;
    private boolean hasPeerLeft;
    private boolean hasSaidBye;
    private @Nullable ChannelException failure;

    Protocol(
            Gate gate,
            NodeSettings settings,
            Slab slab,
            Function<String, @Nullable RemoteSlice> exports) {
        this.gate = gate;
        this.slab = slab;
        this.exports = exports;
        window = settings.window();
        calls = new Calls(settings.requests());
        messages = new IntRing(slab.receives);
        requests = new IntRing(slab.receives);
        lengths = new int[slab.receives];
        freeSends = IntRing.full(slab.sends);
    }

    void attach(Lane moving) {
        lane = moving;
    }

    /// The peer can be sent to.
    void begin(Greeting peer) {
        peerMessageBytes = Math.min(peer.messageBytes(), slab.messageBytes);
        peerWindow = peer.window();
        credits = peerWindow;
        gate.wake(senders);
    }

    Lane lane() {
        assert gate.isHeld();
        if (lane == null) {
            throw new AssertionError("a protocol has its lane before it is used");
        }
        return lane;
    }

    int messageBytes() {
        return peerMessageBytes;
    }

    // ---- what ended

    boolean isOver() {
        return failure != null || hasPeerLeft;
    }

    boolean hasPeerLeft() {
        return hasPeerLeft;
    }

    @Nullable ChannelException failure() {
        return failure;
    }

    /// Nothing more is sent or received; all threads that wait see it.
    void end(ChannelException why) {
        if (failure == null) {
            failure = why;
        }
        wakeAll();
    }

    void wakeAll() {
        gate.wake(senders);
        gate.wake(takers);
        gate.wake(servers);
        gate.wake(callers);
        gate.wake(lookers);
        for (Call call : calls.all()) {
            gate.wake(call.waiter);
        }
    }

    @Override
    public void failed(ChannelException why) {
        end(why);
    }

    private void violated(String what) {
        end(
                new ChannelException(
                        "%s broke the protocol: %s; the channel has ended"
                                .formatted(lane().peer(), what)));
    }

    // ---- sending

    /// Whether a message or a request can leave now.
    boolean hasRoom() {
        return credits > 0 && !freeSends.isEmpty();
    }

    boolean hasFreeSend() {
        return !freeSends.isEmpty();
    }

    boolean areAllSent() {
        return freeSends.size() == slab.sends;
    }

    /// Sends a frame; there must be a place for it, and credit if it costs one. The program's
    /// memory may be closed, or another thread's: then nothing has changed.
    void put(int kind, int flag, long number, MemorySegment payload) {
        int slot = freeSends.peek();
        long at = slab.ofSend(slot);
        long bytes = payload.byteSize();
        MemorySegment memory = lane().memory();
        MemorySegment.copy(payload, 0, memory, at + Frame.LENGTH, bytes);
        Frame.write(memory, at, kind, flag, owed, number);
        owed = 0;
        freeSends.take();
        if (kind == Frame.MESSAGE || kind == Frame.REQUEST) {
            credits--;
        }
        try {
            lane().send(slot, (int) (Frame.LENGTH + bytes));
        } catch (WrongStateException | ClosedException over) {
            // The queue pair has failed, and its completion is not here yet.
            end(gone(over));
        }
    }

    ChannelException gone(VerbsException over) {
        return new ChannelException(
                "the channel to %s has ended: %s".formatted(lane().peer(), over.getMessage()),
                null,
                over);
    }

    void bye() {
        hasSaidBye = true;
        put(Frame.BYE, 0, 0, MemorySegment.NULL);
    }

    /// Sends what is due and costs no credit, as far as there are places.
    private void flush() {
        while (!isOver() && !hasSaidBye && !freeSends.isEmpty()) {
            byte[] answer = answerToLookup;
            if (answer != null) {
                answerToLookup = null;
                put(Frame.FOUND, 0, 0, MemorySegment.ofArray(answer));
            } else if (owed >= (window + 1) / 2) {
                put(Frame.CREDIT, 0, 0, MemorySegment.NULL);
            } else {
                return;
            }
        }
    }

    @Override
    public void sent(int slot) {
        freeSends.add(slot);
        flush();
        gate.wake(senders);
        gate.wake(lookers);
    }

    // ---- receiving

    @Override
    public void arrived(int slot, long bytes) {
        if (failure != null) {
            return;
        }
        if (bytes < Frame.LENGTH || bytes > Frame.LENGTH + slab.messageBytes) {
            violated("a frame of %d bytes".formatted(bytes));
            return;
        }
        MemorySegment memory = lane().memory();
        long at = slab.ofReceive(slot);
        int granted = Frame.credits(memory, at);
        if (granted < 0 || granted > peerWindow - credits) {
            violated("it gave back %d receives".formatted(granted));
            return;
        }
        if (granted > 0) {
            credits += granted;
            gate.wake(senders);
        }
        int length = (int) bytes - Frame.LENGTH;
        int kind = Frame.kind(memory, at);
        if (kind == Frame.MESSAGE || kind == Frame.REQUEST) {
            keep(slot, length, kind);
            return;
        }
        control(kind, at, length);
        if (failure == null) {
            lane().receive(slot);
        }
    }

    /// The message stays where it is until the program takes it, and its receive with it.
    private void keep(int slot, int length, int kind) {
        if (held + owed >= window) {
            violated("more than %d messages that were not taken".formatted(window));
            return;
        }
        held++;
        lengths[slot] = length;
        boolean isMessage = kind == Frame.MESSAGE;
        (isMessage ? messages : requests).add(slot);
        gate.wake(isMessage ? takers : servers);
    }

    private void control(int kind, long at, int length) {
        MemorySegment memory = lane().memory();
        byte[] payload = slab.payload(memory, at, length).toArray(ValueLayout.JAVA_BYTE);
        switch (kind) {
            case Frame.REPLY -> reply(Frame.number(memory, at), Frame.flag(memory, at), payload);
            case Frame.CREDIT -> {
                // It brought what its header says.
            }
            case Frame.BYE -> {
                hasPeerLeft = true;
                wakeAll();
            }
            case Frame.LOOKUP -> lookup(payload);
            case Frame.FOUND -> found(payload);
            default -> violated("a frame of kind %d".formatted(kind));
        }
    }

    private void reply(long number, int flag, byte[] payload) {
        Call call = calls.answered(number, flag != 0, payload);
        if (call == null) {
            violated("a reply to no request");
            return;
        }
        gate.wake(call.waiter);
        gate.wake(callers);
    }

    /// Where a message lies that was taken from [#messages] or [#requests].
    MemorySegment at(int slot) {
        return slab.payload(lane().memory(), slab.ofReceive(slot), lengths[slot]);
    }

    /// The number of a request.
    long number(int slot) {
        return Frame.number(lane().memory(), slab.ofReceive(slot));
    }

    /// The program has a message; its receive is posted again, and owed to the peer.
    void taken(int slot) {
        held--;
        if (failure == null) {
            lane().receive(slot);
            owed++;
            flush();
        }
    }

    // ---- memory by name

    private void lookup(byte[] name) {
        if (answerToLookup != null || name.length > NAME_BYTES_MAX) {
            violated("two questions for memory at a time, or a name that is too long");
            return;
        }
        RemoteSlice slice = exports.apply(new String(name, StandardCharsets.UTF_8));
        answerToLookup = slice == null ? new byte[0] : slice.toBytes();
        flush();
    }

    private void found(byte[] slice) {
        boolean isSound = slice.length == 0 || slice.length == RemoteSlice.LENGTH;
        if (!isLookingUp || isFoundHere || !isSound) {
            violated("an answer for memory that does not fit");
            return;
        }
        if (isLookupGivenUp) {
            takeFound();
            return;
        }
        try {
            found = slice.length == 0 ? null : RemoteSlice.of(slice);
        } catch (InvalidRequestException unsound) {
            violated(String.valueOf(unsound.getMessage()));
            return;
        }
        isFoundHere = true;
        gate.wake(lookers);
    }

    /// Whether another thread asks the peer for memory, or has not taken its answer.
    boolean isLookingUp() {
        return isLookingUp;
    }

    void ask(byte[] name) {
        isLookingUp = true;
        isLookupGivenUp = false;
        isFoundHere = false;
        put(Frame.LOOKUP, 0, 0, MemorySegment.ofArray(name));
    }

    /// The thread that asked waits no longer; others may ask when the answer has come.
    void giveLookupUp() {
        isLookupGivenUp = true;
    }

    boolean isFoundHere() {
        return isFoundHere;
    }

    @Nullable RemoteSlice takeFound() {
        isLookingUp = false;
        isFoundHere = false;
        gate.wake(lookers);
        return found;
    }
}
