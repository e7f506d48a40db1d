package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Choices;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.SendBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/// One direction of random work, and the model of its effects on the other side.
///
/// | part of each side's memory | who changes it |
/// |---|---|
/// | [#SOURCE] | not changed: the source of sends, writes and reads |
/// | [#TARGET] | the peer's WRITEs, in their order |
/// | [#RECEIVED] | the peer's messages, a slot each |
/// | [#RESULTS] | answers to READs and atomics, a slot each |
/// | [#COUNTER] | the peer's atomics |
final class Mix {
    static final int MEMORY = 1 << 20;

    private static final int SOURCE = 0;
    private static final int TARGET = 1 << 18;
    private static final int RECEIVED = 2 << 18;
    private static final int RESULTS = 3 << 18;
    private static final int COUNTER = MEMORY - 8;

    private static final int AREA = 16_384;
    private static final int LONGEST = 4_000;
    private static final int SLOTS = 48;

    /// The expected content of a completion, and of its slot when it arrives.
    private static final class Expected {
        private final long id;
        private final CompletedOperation operation;
        private final long slot;
        private final byte[] bytes;

        Expected(long id, CompletedOperation operation, long slot, byte[] bytes) {
            this.id = id;
            this.operation = operation;
            this.slot = slot;
            this.bytes = bytes;
        }
    }

    private final Side from;
    private final Side to;
    private final Choices choices;
    private final byte[] source;
    private final byte[] target = new byte[AREA];
    private final Queue<Expected> sent = new ArrayDeque<>();
    private final Queue<Expected> received = new ArrayDeque<>();
    private long counter;
    private long posted;

    Mix(Side from, Side to, Choices choices) {
        this.from = from;
        this.to = to;
        this.choices = choices;
        source = choices.bytes(AREA);
    }

    /// Fills the source and posts all receives for the messages of this direction.
    void prepare() {
        MemorySegment.copy(source, 0, from.memory().segment(), ValueLayout.JAVA_BYTE, SOURCE, AREA);
        for (int slot = 0; slot < SLOTS; slot++) {
            to.receive(slot, RECEIVED + slot * (long) LONGEST, LONGEST);
        }
    }

    /// Posts one operation; waits for earlier ones when there is no room for it.
    void post() {
        if (sent.size() == SLOTS || received.size() == SLOTS) {
            check();
        }
        long slot = posted % SLOTS;
        int length = choices.chance(0.1) ? 0 : choices.between(1, LONGEST);
        int at = choices.between(0, AREA - length);
        byte[] bytes = Arrays.copyOfRange(source, at, at + length);
        from.post(
                batch -> {
                    switch (choices.between(0, 5)) {
                        case 0 -> {
                            gather(batch.send(), at, length);
                            expectMessage(bytes);
                        }
                        case 1 -> {
                            batch.send().inline(MemorySegment.ofArray(bytes), 0, shortest(length));
                            expectMessage(Arrays.copyOf(bytes, shortest(length)));
                        }
                        case 2 -> write(batch, at, bytes, false);
                        case 3 -> write(batch, at, bytes, true);
                        case 4 -> read(batch, slot);
                        default -> add(batch, slot);
                    }
                    batch.id(posted).signaled();
                    if (choices.chance(0.2)) {
                        batch.fence();
                    }
                });
        posted++;
    }

    private int shortest(int length) {
        return Math.min(length, from.device().limits().inlineBytes());
    }

    private void expectMessage(byte[] bytes) {
        expectSent(CompletedOperation.SEND, -1, new byte[0]);
        expectReceived(CompletedOperation.RECEIVE, bytes);
    }

    private void write(SendBatch batch, int at, byte[] bytes, boolean immediate) {
        int into = choices.between(0, AREA - bytes.length);
        long address = to.memory().address() + TARGET + into;
        int key = to.memory().remoteKey();
        gather(
                immediate
                        ? batch.writeImmediate(address, key, bytes.length)
                        : batch.write(address, key),
                at,
                bytes.length);
        System.arraycopy(bytes, 0, target, into, bytes.length);
        expectSent(CompletedOperation.WRITE, -1, new byte[0]);
        if (immediate) {
            expectReceived(CompletedOperation.RECEIVE_WRITE_IMMEDIATE, bytes);
        }
    }

    private void read(SendBatch batch, long slot) {
        int length = choices.between(0, LONGEST);
        int at = choices.between(0, AREA - length);
        batch.read(to.memory().address() + SOURCE + at, to.memory().remoteKey())
                .local(from.memory(), RESULTS + slot * LONGEST, length);
        expectSent(CompletedOperation.READ, slot, to.bytes(SOURCE + (long) at, length));
    }

    private void add(SendBatch batch, long slot) {
        long addend = choices.bits(64);
        batch.fetchAndAdd(to.memory().address() + COUNTER, to.memory().remoteKey(), addend)
                .local(from.memory(), RESULTS + slot * LONGEST, 8);
        byte[] before = new byte[8];
        MemorySegment.ofArray(before).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, counter);
        counter += addend;
        expectSent(CompletedOperation.FETCH_ADD, slot, before);
    }

    /// Adds the bytes of the source in one to three pieces.
    private void gather(SendBatch batch, int at, int length) {
        int first = choices.between(0, length);
        int second = choices.between(0, length - first);
        batch.local(from.memory(), SOURCE + (long) at, first)
                .local(from.memory(), SOURCE + (long) at + first, second)
                .local(from.memory(), SOURCE + (long) at + first + second, length - first - second);
    }

    private void expectSent(CompletedOperation operation, long slot, byte[] bytes) {
        sent.add(new Expected(posted, operation, slot, bytes));
    }

    private void expectReceived(CompletedOperation operation, byte[] bytes) {
        received.add(new Expected(posted, operation, -1, bytes));
    }

    /// Waits for all that was posted so far, and compares it; the receives are posted again.
    void check() {
        while (!sent.isEmpty()) {
            Expected expected = sent.remove();
            Seen seen = from.sent().next().succeeded();
            assertThat(seen.id()).isEqualTo(expected.id);
            assertThat(seen.operation()).isEqualTo(expected.operation);
            if (expected.slot >= 0) {
                from.holds(RESULTS + expected.slot * LONGEST, expected.bytes);
            }
        }
        while (!received.isEmpty()) {
            Expected expected = received.remove();
            Seen seen = to.received().next().succeeded();
            seen.of(expected.operation, expected.bytes.length);
            long at = RECEIVED + seen.id() * LONGEST;
            if (expected.operation == CompletedOperation.RECEIVE) {
                to.holds(at, expected.bytes);
            } else {
                assertThat(seen.immediate()).hasValue(expected.bytes.length);
            }
            to.receive(seen.id(), at, LONGEST);
        }
    }

    /// Compares the peer's memory with the model.
    void checkMemory() {
        to.holds(TARGET, target);
        assertThat(to.memory().segment().get(ValueLayout.JAVA_LONG, COUNTER)).isEqualTo(counter);
        from.holds(SOURCE, source);
    }
}
