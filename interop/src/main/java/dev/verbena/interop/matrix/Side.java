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

/// One end of a conversation that does what a script says and tells what it sees.
///
/// Places in its memory are offsets from the start.
interface Side extends AutoCloseable {
    /// Who this is, in results and messages.
    String name();

    /// Memory, zeroed, and queue pairs that take receives; what was open before is closed.
    void open(Setup setup);

    /// Chooses the queue pair, from 0, that all the rest is about; the first until then.
    void use(int pair);

    /// What the peer needs to connect.
    Endpoint endpoint();

    /// All of the memory, as the peer names it.
    RemoteSlice memory();

    /// Connects, with this payload per packet at most.
    void connect(Endpoint peer, int mtu);

    /// Fills bytes with the pattern of a seed.
    void fill(long offset, long length, long seed);

    /// CRC-32 of bytes.
    int checksum(long offset, long length);

    /// Eight bytes, as this side's processor orders them.
    long word(long offset);

    void word(long offset, long value);

    /// Up to 64 bytes as they lie in memory.
    byte[] bytes(long offset, int length);

    /// Posts a receive request, into the shared queue where there is one.
    void receive(long id, long offset, long length);

    /// Posts requests as one chain.
    void post(List<Request> chain);

    /// Opens bytes to the peer through a window of type 2 and returns its key.
    int bind(long offset, long length, Set<Access> rights);

    /// The next completion of a request, or none within the time.
    Optional<CompletionRecord> sent(Duration timeout);

    /// The next completion of a receive, or none within the time.
    Optional<CompletionRecord> received(Duration timeout);

    /// Asks for an event when fewer requests than this are left in the shared queue.
    void limit(int requests);

    /// The next asynchronous event, or none within the time.
    Optional<AsyncEvent.Type> event(Duration timeout);

    QueuePairState state();

    /// The device's counters as they stand.
    SortedMap<String, Long> counters();

    /// Whether this side is known to differ so; if it is, the difference is noted.
    boolean admits(Difference difference);

    /// The differences noted since [#open].
    Set<Difference> differences();

    /// Closes what [#open] made.
    @Override
    void close();

    default void post(Request request) {
        post(List.of(request));
    }
}
