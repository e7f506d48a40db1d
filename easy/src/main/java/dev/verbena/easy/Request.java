package dev.verbena.easy;

import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A request of the peer. Every request must be answered, by [#reply] or [#fail]: until then it
/// takes one of the peer's places for requests.
public final class Request {
    private final MessageChannel channel;
    private final long number;
    private final byte[] bytes;
    private final AtomicBoolean isAnswered = new AtomicBoolean();

    Request(MessageChannel channel, long number, byte[] bytes) {
        this.channel = channel;
        this.number = number;
        this.bytes = bytes;
    }

    /// What the peer sent. The array belongs to the caller.
    public byte[] bytes() {
        return bytes;
    }

    /// The channel that it came from.
    public MessageChannel channel() {
        return channel;
    }

    /// Sends the reply.
    ///
    /// @throws WrongStateException when the request was answered already
    public void reply(byte[] reply) throws IOException {
        answer(0, reply);
    }

    /// Lets the peer's call fail, with a sentence for its log.
    ///
    /// @throws WrongStateException when the request was answered already
    public void fail(String why) throws IOException {
        answer(Frame.FAILED, RequestFailedException.bytes(why, channel.messageBytes()));
    }

    private void answer(int flag, byte[] reply) throws IOException {
        channel.requireFits(reply.length);
        if (!isAnswered.compareAndSet(false, true)) {
            throw new WrongStateException(
                    "request of " + channel, "it was answered already", "answer each request once");
        }
        channel.answer(flag, number, reply);
    }
}
