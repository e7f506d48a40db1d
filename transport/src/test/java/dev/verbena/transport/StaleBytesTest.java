package dev.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.BlockedRead;
import dev.verbena.testkit.Wait;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Address;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.SendBatch;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Bytes of one peer never go to another, and memory comes back, whatever a program does in
/// between.
class StaleBytesTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final byte[] SECRET = "secret for peer 0".getBytes(StandardCharsets.US_ASCII);

    private final Loopback network = new Loopback(1);
    private final TransportDevice left = network.open("left");
    private final TransportDevice right = network.open("right");
    private final ProtectionDomain here = left.protectionDomain();
    private final ProtectionDomain there = right.protectionDomain();
    private final CompletionQueue done = left.completionQueue(64);
    private final CompletionQueue arrived = right.completionQueue(64);
    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<MemoryRegion> inboxes = new ArrayList<>();

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    /// A carrier has the addresses of payload until the kernel has taken the packets.
    @Test
    void memoryThatIsClosedWhileItsAddressIsKnownIsFreedWhenItIsNot() {
        MemoryRegion region = here.allocate(100);
        MemorySegment memory = region.segment();

        left.holdMemory();
        region.close();
        assertThat(memory.scope().isAlive()).as("while it is held").isTrue();
        left.letMemoryGo();

        assertThat(memory.scope().isAlive()).as("afterwards").isFalse();
    }

    /// The last user of closed memory is its work request, which is done when the packet leaves.
    @Test
    void aDatagramArrivesWholeThoughItsMemoryIsClosedAfterThePost() {
        QueuePair near = here.queuePair(QueuePairType.UD, it -> it.completions(done));
        QueuePair far = there.queuePair(QueuePairType.UD, it -> it.completions(arrived));
        near.activate();
        far.activate();
        MemoryRegion inbox = there.allocate(104, Access.LOCAL_WRITE);
        far.postReceive(it -> it.receive(inbox.slice()));
        MemoryRegion outbox = here.allocate(64);
        outbox.segment().setString(0, "to be sent");
        AddressHandle way = here.addressHandle(Address.to(far.endpoint()));

        near.post(it -> it.send(outbox.slice()).to(way, far.endpoint()).signaled());
        outbox.close();

        assertThat(arrived.await(LIMIT, it -> {})).isOne();
        assertThat(inbox.segment().getString(40)).isEqualTo("to be sent");
    }

    private void connect() {
        QueuePair near = here.queuePair(QueuePairType.RC, it -> it.completions(done));
        QueuePair far = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
        near.connect(far.endpoint());
        far.connect(near.endpoint());
        MemoryRegion inbox = there.allocate(64, Access.LOCAL_WRITE);
        far.postReceive(it -> it.receive(inbox.slice()));
        far.postReceive(it -> it.receive(inbox.slice()));
        pairs.add(near);
        inboxes.add(inbox);
    }

    private void sendSecret() {
        connect();
        connect();
        pairs.get(0)
                .sends()
                .send()
                .inline(MemorySegment.ofArray(SECRET), 0, SECRET.length)
                .signaled()
                .post();
        assertThat(done.await(LIMIT, it -> {})).isOne();
        assertThat(arrived.await(LIMIT, it -> {})).isOne();
    }

    private String receivedByTheOther() {
        assertThat(arrived.await(LIMIT, it -> {})).isOne();
        return inboxes.get(1).segment().getString(0);
    }

    @Test
    void inlineBytesThatAreRefusedLeaveNothingBehind() throws InterruptedException {
        sendSecret();
        AtomicReference<MemorySegment> foreign = new AtomicReference<>();
        Thread owner =
                Thread.ofPlatform()
                        .start(() -> foreign.set(Arena.ofConfined().allocate(SECRET.length)));
        owner.join();

        SendBatch batch = pairs.get(1).sends().send();
        assertThatThrownBy(() -> batch.inline(foreign.get(), 0, SECRET.length))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("confined to another thread");
        batch.signaled().post();

        assertThat(receivedByTheOther()).isEmpty();
    }

    @Test
    void aBatchThatWasPostedDoesNotFillThatOfAnotherPeer() {
        sendSecret();
        SendBatch first = pairs.get(0).sends();
        first.send().signaled().post();
        SendBatch second = pairs.get(1).sends();

        assertThatThrownBy(first::send).isInstanceOf(WrongStateException.class);

        second.send().signaled().post();
        // Both messages are empty.
        assertThat(arrived.await(LIMIT, it -> {})).isPositive();
        assertThat(inboxes.get(1).segment().getString(0)).isEmpty();
    }

    @Test
    void memoryInASystemCallIsFreedWhenItIsBack() throws IOException, InterruptedException {
        MemoryRegion region = here.allocate(4096, Access.LOCAL_WRITE);
        MemorySegment memory = region.segment();
        try (BlockedRead read = new BlockedRead(memory)) {
            region.close();
            left.close();
            assertThat(memory.scope().isAlive()).isTrue();
            read.end();
        }

        Wait.until("it is freed", LIMIT, () -> !memory.scope().isAlive());
    }
}
