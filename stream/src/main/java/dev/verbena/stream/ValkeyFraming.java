package dev.verbena.stream;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveBatch;
import dev.verbena.verbs.RemoteSlice;
import dev.verbena.verbs.UnsupportedException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;

/// The protocol of Valkey's RDMA transport: WRITEs with immediate into a buffer of the peer, which
/// it gives again when it is full and was read, and commands of 32 bytes by SEND.
///
/// The protocol has no credits. Each side has 1,024 receives, and one that is late with them makes
/// the peer's connection fail when it allows no retry, as Valkey's server does. So a client counts:
/// the server answers a question for features when it has taken all messages before it. Without
/// such an answer no more than [#UNCONFIRMED_MAX] messages are under way.
final class ValkeyFraming implements Framing {
    /// As many as Valkey has.
    static final int RECEIVES = 1024;

    /// Messages that the server may not have taken yet; the rest of its receives is for those that
    /// it has taken and not posted again.
    static final int UNCONFIRMED_MAX = 896;

    /// A question costs the server little and a message each way.
    private static final int ASK_AFTER = 256;

    /// Receives are posted again by so many at a time.
    private static final int RECEIVES_AT_A_TIME = 32;

    private final QueuePair pair;
    private final long idBase;
    private final Ending ending;
    private final MemoryRegion receiveMemory;
    private final MemoryRegion sendMemory;
    private final ByteBuffer in;
    private final int inSize;
    private final SendRing out;
    private final long commandsAt;
    private final long receivesAt;

    private boolean isClient;
    private boolean isGiven;
    private int arrived;
    private int read;

    private long address;
    private int key;
    private long targetRoom;

    private long receivesPosted;
    private long receivesOver;
    private int requestsInFlight;
    private long commandsPosted;
    private long commandsOver;
    private int answersOwed;

    private int unconfirmed;
    private int askedAbout;
    private boolean isAsking;

    ValkeyFraming(
            StreamSettings settings,
            ProtectionDomain domain,
            QueuePair pair,
            long idBase,
            Ending ending) {
        this.pair = pair;
        this.idBase = idBase;
        this.ending = ending;
        inSize = settings.receiveBytes();
        receiveMemory = domain.allocate(inSize, Access.REMOTE_WRITE);
        commandsAt = settings.sendBytes();
        receivesAt = commandsAt + (long) ByteStream.CONTROLS_MAX * ValkeyCommand.BYTES;
        long bytes = receivesAt + (long) RECEIVES * ValkeyCommand.BYTES;
        sendMemory = Memory.second(domain, bytes, receiveMemory, Access.LOCAL_WRITE);
        in = receiveMemory.segment().asByteBuffer();
        out = new SendRing(sendMemory, Message.filled(settings.sendBytes()));
    }

    @Override
    public byte[] hello() {
        return new byte[0];
    }

    @Override
    public void meet(byte[] theirs, boolean asked) {
        isClient = asked;
    }

    @Override
    public int available() {
        return arrived - read;
    }

    @Override
    public int read(ByteBuffer into) {
        int count = Math.min(available(), into.remaining());
        into.put(into.position(), in, read, count);
        into.position(into.position() + count);
        read += count;
        return count;
    }

    @Override
    public boolean hasFreePart() {
        return read == inSize;
    }

    @Override
    public int room() {
        return out.room();
    }

    @Override
    public int append(ByteBuffer from) {
        return out.append(from);
    }

    /// Receives complete in the order in which they were posted, so their memory is used in turn.
    @Override
    public boolean postReceives() {
        long taken = RECEIVES - (receivesPosted - receivesOver);
        if (taken < RECEIVES_AT_A_TIME) {
            return true;
        }
        ReceiveBatch batch = pair.receives();
        long id = idBase | Integer.toUnsignedLong(Message.of(Message.RECEIVE, 0));
        for (int i = 0; i < taken; i++) {
            batch.receive()
                    .local(sendMemory, receiveAt(receivesPosted + i), ValkeyCommand.BYTES)
                    .id(id);
        }
        if (!batch.post()) {
            return false;
        }
        receivesPosted += taken;
        return true;
    }

    private long receiveAt(long receive) {
        return receivesAt + receive % RECEIVES * ValkeyCommand.BYTES;
    }

    @Override
    public boolean post(boolean isEnding, boolean isLast) {
        boolean posted = give() && answer() && ask();
        while (posted && out.pending() > 0 && targetRoom > 0 && mayWrite()) {
            posted = postData() && ask();
        }
        return posted;
    }

    /// Gives the peer the buffer, at first and when it was filled and read.
    private boolean give() {
        if ((isGiven && read < inSize) || !mayCommand()) {
            return true;
        }
        ValkeyCommand.writeBuffer(sendMemory.segment(), commandAt(), receiveMemory, inSize);
        if (!postCommand()) {
            return false;
        }
        isGiven = true;
        arrived = 0;
        read = 0;
        return true;
    }

    private boolean answer() {
        while (answersOwed > 0 && mayCommand()) {
            ValkeyCommand.write(sendMemory.segment(), commandAt(), ValkeyCommand.GET_FEATURES);
            if (!postCommand()) {
                return false;
            }
            answersOwed--;
        }
        return true;
    }

    /// Asks whether the server has taken all messages up to this one.
    private boolean ask() {
        if (!isClient || isAsking || unconfirmed < ASK_AFTER || !mayCommand()) {
            return true;
        }
        ValkeyCommand.write(sendMemory.segment(), commandAt(), ValkeyCommand.GET_FEATURES);
        if (!postCommand()) {
            return false;
        }
        isAsking = true;
        askedAbout = unconfirmed;
        return true;
    }

    /// Commands find room where data leaves some.
    private boolean mayCommand() {
        return commandsPosted - commandsOver < ByteStream.CONTROLS_MAX;
    }

    private boolean mayWrite() {
        return requestsInFlight < ByteStream.REQUESTS_MAX && unconfirmed < UNCONFIRMED_MAX;
    }

    private long commandAt() {
        return commandsAt + commandsPosted % ByteStream.CONTROLS_MAX * ValkeyCommand.BYTES;
    }

    private boolean postCommand() {
        boolean isPosted =
                pair.sends()
                        .send()
                        .local(sendMemory, commandAt(), ValkeyCommand.BYTES)
                        .id(idBase | Integer.toUnsignedLong(Message.of(Message.CONTROL, 0)))
                        .signaled()
                        .post();
        if (isPosted) {
            commandsPosted++;
            counted();
        }
        return isPosted;
    }

    private boolean postData() {
        int count = Message.dataOf(Math.min(targetRoom, out.pending()));
        var request = pair.sends().writeImmediate(address, key, count);
        out.gather(request, count);
        long id = idBase | Integer.toUnsignedLong(Message.of(Message.DATA, count));
        if (!request.id(id).signaled().post()) {
            return false;
        }
        out.posted(count);
        address += count;
        targetRoom -= count;
        requestsInFlight++;
        counted();
        return true;
    }

    /// A server is never asked back, so it does not count: its client lets it try again.
    private void counted() {
        if (isClient) {
            unconfirmed++;
        }
    }

    @Override
    public void complete(Completion done, int message) throws ProtocolException {
        switch (Message.type(message)) {
            case Message.RECEIVE -> received(done);
            case Message.DATA -> {
                requestsInFlight--;
                out.acknowledged(Message.value(message));
                requestOver(done);
            }
            default -> {
                commandsOver++;
                requestOver(done);
            }
        }
    }

    private void requestOver(Completion done) {
        if (!done.isSuccess()) {
            ending.requestFailed(done.status(), done.explanation());
        }
    }

    private void received(Completion done) throws ProtocolException {
        long at = receiveAt(receivesOver);
        receivesOver++;
        if (!done.isSuccess()) {
            if (done.status() == CompletionStatus.FLUSHED && ending.failure() == null) {
                // The only end that the protocol has.
                ending.disconnect();
            }
            ending.receiveFailed(done.status(), done.explanation());
        } else if (done.hasImmediate()) {
            wrote(done.immediate());
        } else if (done.byteLength() == ValkeyCommand.BYTES) {
            command(at);
        } else {
            throw new ProtocolException(
                    "the peer sent a command of %d bytes; it has %d"
                            .formatted(done.byteLength(), ValkeyCommand.BYTES));
        }
    }

    private void wrote(int count) throws ProtocolException {
        if (!isGiven || count <= 0 || count > inSize - arrived) {
            throw new ProtocolException("the peer sent bytes that it had no room for");
        }
        arrived += count;
    }

    private void command(long at) throws ProtocolException {
        int code = ValkeyCommand.code(sendMemory.segment(), at);
        switch (code) {
            case ValkeyCommand.GET_FEATURES -> features();
            case ValkeyCommand.SET_FEATURES -> {
                if (ValkeyCommand.features(sendMemory.segment(), at) != 0) {
                    throw new ProtocolException("the peer wants features, and there are none");
                }
            }
            case ValkeyCommand.KEEP_ALIVE -> {
                // The server says that it is alive, and wants no answer.
            }
            case ValkeyCommand.REGISTER -> {
                RemoteSlice buffer = ValkeyCommand.buffer(sendMemory.segment(), at);
                address = buffer.address();
                key = buffer.key();
                targetRoom = buffer.length();
            }
            default -> throw new ProtocolException("unknown command " + code);
        }
    }

    private void features() throws ProtocolException {
        if (!isClient) {
            if (answersOwed == RECEIVES) {
                throw new ProtocolException("the peer asks and takes no answer");
            }
            answersOwed++;
        } else if (isAsking) {
            isAsking = false;
            unconfirmed -= askedAbout;
        } else {
            throw new ProtocolException("the peer answers what it was not asked");
        }
    }

    @Override
    public boolean isDataAcknowledged() {
        return requestsInFlight == 0;
    }

    @Override
    public boolean isDelivered() {
        return out.pending() == 0 && requestsInFlight == 0 && commandsPosted == commandsOver;
    }

    @Override
    public void requireHalfClose() {
        throw new UnsupportedException(
                "a stream of Valkey's protocol",
                "one direction cannot be ended alone",
                "close the stream");
    }

    @Override
    public void close() {
        receiveMemory.close();
        sendMemory.close();
    }
}
