package dev.verbena.interop.matrix;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.RemoteSlice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// A side that follows the script and reports something else: bytes, words, states and the names of
/// receives are never those that they are.
final class FaultySide implements Side {
    private final Side honest;

    FaultySide(Side honest) {
        this.honest = honest;
    }

    @Override
    public String name() {
        return honest.name();
    }

    @Override
    public void open(Setup setup) {
        honest.open(setup);
    }

    @Override
    public void use(int pair) {
        honest.use(pair);
    }

    @Override
    public Endpoint endpoint() {
        return honest.endpoint();
    }

    @Override
    public RemoteSlice memory() {
        return honest.memory();
    }

    @Override
    public void connect(Endpoint peer, int mtu) {
        honest.connect(peer, mtu);
    }

    @Override
    public void fill(long offset, long length, long seed) {
        honest.fill(offset, length, seed);
    }

    @Override
    public int checksum(long offset, long length) {
        return ~honest.checksum(offset, length);
    }

    @Override
    public long word(long offset) {
        return ~honest.word(offset);
    }

    @Override
    public void word(long offset, long value) {
        honest.word(offset, value);
    }

    @Override
    public byte[] bytes(long offset, int length) {
        byte[] bytes = honest.bytes(offset, length);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return bytes;
    }

    @Override
    public void receive(long id, long offset, long length) {
        honest.receive(id, offset, length);
    }

    @Override
    public void post(List<Request> chain) {
        honest.post(chain);
    }

    @Override
    public int bind(long offset, long length, Set<Access> rights) {
        return honest.bind(offset, length, rights);
    }

    @Override
    public Optional<CompletionRecord> sent(Duration timeout) {
        return honest.sent(timeout);
    }

    @Override
    public Optional<CompletionRecord> received(Duration timeout) {
        return honest.received(timeout)
                .map(
                        it ->
                                new CompletionRecord(
                                        ~it.id(),
                                        it.status(),
                                        it.operation(),
                                        it.length(),
                                        it.immediate(),
                                        it.invalidated(),
                                        it.pair(),
                                        it.source(),
                                        it.header()));
    }

    @Override
    public void limit(int requests) {
        honest.limit(requests);
    }

    @Override
    public Optional<AsyncEvent.Type> event(Duration timeout) {
        return Optional.empty();
    }

    @Override
    public QueuePairState state() {
        return honest.state() == QueuePairState.ERROR
                ? QueuePairState.READY_TO_SEND
                : QueuePairState.ERROR;
    }

    @Override
    public SortedMap<String, Long> counters() {
        return honest.counters();
    }

    @Override
    public boolean admits(Difference difference) {
        return honest.admits(difference);
    }

    @Override
    public Set<Difference> differences() {
        return honest.differences();
    }

    @Override
    public void close() {
        honest.close();
    }
}
