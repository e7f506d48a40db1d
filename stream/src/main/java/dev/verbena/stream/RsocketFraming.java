package dev.verbena.stream;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.RemoteSlice;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// rsocket's protocol: WRITEs with immediate into the peer's ring, which is published in halves,
/// and credits for the receives that they take.
final class RsocketFraming implements Framing {
    /// Receives beyond the credits, for messages that need none: the peer has at most four under
    /// way.
    static final int SPARE_RECEIVES = 8;

    /// Receives of the peer that data leaves free for control messages, when it has so many.
    private static final int SPARED_CREDITS = 4;

    private static final int SEQUENCE_MASK = 0xFFFF;

    private final StreamSettings settings;
    private final QueuePair pair;
    private final long idBase;
    private final Ending ending;
    private final MemoryRegion receiveMemory;
    private final MemoryRegion sendMemory;
    private final ReceiveRing in;
    private final SendRing out;
    private final Targets targets;
    private final Controls controls;

    private @Nullable Hello peer;
    private boolean farewellPosted;
    private int receivesTaken;
    private long received;
    private long granted;
    private int sent;
    private int creditEnd;
    private int sparedCredits;
    private int requestsInFlight;

    RsocketFraming(
            StreamSettings settings,
            ProtectionDomain domain,
            QueuePair pair,
            long idBase,
            Ending ending) {
        this.settings = settings;
        this.pair = pair;
        this.idBase = idBase;
        this.ending = ending;
        receiveMemory =
                domain.allocate(settings.receiveBytes() + Targets.BYTES, Access.REMOTE_WRITE);
        sendMemory = Memory.second(domain, settings.sendBytes() + Controls.BYTES, receiveMemory);
        in = new ReceiveRing(receiveMemory, Message.filled(settings.receiveBytes()));
        out = new SendRing(sendMemory, Message.filled(settings.sendBytes()));
        targets = new Targets(receiveMemory, settings.receiveBytes());
        controls = new Controls(pair, sendMemory, settings.sendBytes(), idBase);
        receivesTaken = receivesOf(settings);
        granted = settings.credits();
    }

    static int receivesOf(StreamSettings settings) {
        return settings.credits() + SPARE_RECEIVES;
    }

    @Override
    public byte[] hello() {
        RemoteSlice all = receiveMemory.remote();
        RemoteSlice list = all.slice(settings.receiveBytes(), Targets.BYTES);
        RemoteSlice half = all.slice(in.nextHalf(), in.half());
        in.published();
        return new Hello(false, settings.credits(), list, half).toBytes();
    }

    @Override
    public void meet(byte[] privateData, boolean isClient) throws ProtocolException {
        Hello theirs = Hello.parse(privateData);
        peer = theirs;
        targets.begin(theirs.data());
        controls.begin(theirs);
        creditEnd = theirs.credits();
        sparedCredits = theirs.credits() >= 4 * SPARED_CREDITS ? SPARED_CREDITS : 0;
    }

    @Override
    public int available() {
        return in.available();
    }

    @Override
    public int read(ByteBuffer into) {
        return in.read(into);
    }

    @Override
    public boolean hasFreePart() {
        return in.hasFreeHalf();
    }

    @Override
    public int room() {
        return out.room();
    }

    @Override
    public int append(ByteBuffer from) {
        return out.append(from);
    }

    @Override
    public void complete(Completion done, int message) throws ProtocolException {
        int type = Message.type(message);
        if (type == Message.RECEIVE) {
            receivesTaken++;
            if (!done.isSuccess()) {
                ending.receiveFailed(done.status(), done.explanation());
            } else if (!done.hasImmediate()) {
                throw new ProtocolException("the peer sent a message without an immediate");
            } else {
                arrived(done.immediate());
            }
            return;
        }
        if (type == Message.DATA) {
            requestsInFlight--;
            out.acknowledged(Message.value(message));
        } else {
            controls.completed();
        }
        if (!done.isSuccess()) {
            ending.requestFailed(done.status(), done.explanation());
        }
    }

    private void arrived(int message) throws ProtocolException {
        int value = Message.value(message);
        switch (Message.type(message)) {
            case Message.DATA -> {
                received++;
                if (ending.isInputEnded() || received > granted || !in.arrive(value)) {
                    throw new ProtocolException("the peer sent bytes that it had no room for");
                }
            }
            case Message.CREDIT -> credit(value);
            case Message.CONTROL -> {
                if (value == Message.SHUTDOWN) {
                    ending.shutdown();
                } else if (value == Message.DISCONNECT) {
                    ending.disconnect();
                }
                // Any other one asks for nothing; rsocket ignores it too.
            }
            default -> throw new ProtocolException("unknown message 0x%x".formatted(message));
        }
    }

    /// The value is the number of the last data message that the peer has a receive for.
    private void credit(int end) throws ProtocolException {
        int credits = (end - sent) & SEQUENCE_MASK;
        int announced = peer == null ? 0 : peer.credits();
        if (credits > announced) {
            throw new ProtocolException(
                    "the peer gives %d credits and has %d".formatted(credits, announced));
        }
        creditEnd = end;
    }

    @Override
    public boolean post(boolean isEnding, boolean isLast) {
        if (!ending.isInputEnded()) {
            grant();
        }
        boolean posted = true;
        while (posted && out.pending() > 0 && hasCredit() && targets.room() > 0) {
            posted = postData();
        }
        if (isEnding && !farewellPosted && out.pending() == 0 && controls.hasRoom()) {
            boolean isAll = isLast || ending.isInputEnded();
            farewellPosted = controls.farewell(isAll ? Message.DISCONNECT : Message.SHUTDOWN);
        }
        return posted;
    }

    private boolean hasCredit() {
        return requestsInFlight < ByteStream.REQUESTS_MAX
                && ((creditEnd - sent) & SEQUENCE_MASK) > sparedCredits;
    }

    private boolean postData() {
        int count = Message.dataOf(Math.min(targets.room(), out.pending()));
        int message = Message.of(Message.DATA, count);
        var request = pair.sends().writeImmediate(targets.address(), targets.key(), message);
        out.gather(request, count);
        if (!request.id(idBase | Integer.toUnsignedLong(message)).signaled().post()) {
            return false;
        }
        out.posted(count);
        targets.written(count);
        sent = (sent + 1) & SEQUENCE_MASK;
        requestsInFlight++;
        return true;
    }

    private void grant() {
        boolean hasFreeHalf = in.hasFreeHalf();
        boolean hasCredits = granted - received <= settings.credits() / 2;
        if (!(hasFreeHalf || hasCredits) || !controls.hasRoom()) {
            return;
        }
        int end = (int) (received + settings.credits()) & SEQUENCE_MASK;
        boolean posted =
                hasFreeHalf
                        ? controls.publish(
                                receiveMemory.address() + in.nextHalf(),
                                receiveMemory.remoteKey(),
                                in.half(),
                                end)
                        : controls.credit(end);
        if (posted) {
            granted = received + settings.credits();
            if (hasFreeHalf) {
                in.published();
            }
        }
    }

    @Override
    public boolean postReceives() {
        if (receivesTaken == 0) {
            return true;
        }
        ReceiveBatch batch = pair.receives();
        long id = idBase | Integer.toUnsignedLong(Message.of(Message.RECEIVE, 0));
        for (int i = 0; i < receivesTaken; i++) {
            batch.receive().id(id);
        }
        if (!batch.post()) {
            return false;
        }
        receivesTaken = 0;
        return true;
    }

    @Override
    public boolean isDataAcknowledged() {
        return requestsInFlight == 0;
    }

    @Override
    public boolean isDelivered() {
        return farewellPosted && controls.isIdle() && requestsInFlight == 0;
    }

    @Override
    public void requireHalfClose() {
        // A SHUTDOWN ends one direction.
    }

    @Override
    public void close() {
        receiveMemory.close();
        sendMemory.close();
    }
}
