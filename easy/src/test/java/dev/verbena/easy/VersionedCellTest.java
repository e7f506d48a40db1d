package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.Choices;
import dev.verbena.testkit.junit.RdmaGroup;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.testkit.junit.RdmaThreads;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// A cell under a writer, where packets of a READ are lost and read again later.
class VersionedCellTest {
    private static final int WORDS = 1500; // several packets

    @RdmaTest(loss = 0.05, reorder = 0.1, seeds = 10)
    void noValueIsEverAMixture(
            RdmaGroup group, Device left, Device right, RdmaThreads threads, Choices choices)
            throws IOException {
        boolean[] isOver = {false};
        int[] mixtures = {0};
        try (Two two = new Two(left, right, threads);
                Arena arena = Arena.ofShared()) {
            ExportedMemory owned = two.rightNode.export("cells", 20_000);
            VersionedCell.Writer writer = VersionedCell.writer(owned, 64, 8 * WORDS);
            Thread owner =
                    threads.start(
                            "owner",
                            () -> {
                                MemorySegment value = arena.allocate(8L * WORDS, 8);
                                for (long version = 1; !isOver[0]; version++) {
                                    fill(value, version);
                                    assertThat(writer.write(value)).isEqualTo(version);
                                    group.advance(Duration.ofNanos(choices.between(1, 100_000)));
                                }
                            });
            RemoteMemory memory = two.left.memory("cells");
            VersionedCell cell = new VersionedCell(memory, 64, 8 * WORDS);
            MemorySegment value = arena.allocate(8L * WORDS, 8);
            long last = 0;
            for (int i = 0; i < 20; i++) {
                long version = cell.read(value, Two.LIMIT);
                assertThat(version).isGreaterThanOrEqualTo(last);
                if (version > 0) {
                    assertWhole(value, version);
                }
                last = version;
                memory.read(64 + VersionedCell.HEADER, value);
                mixtures[0] += isWhole(value) ? 0 : 1;
            }
            isOver[0] = true;
            threads.join(owner);
        }
        // The test shows something only where READs without the check are mixtures.
        seen += mixtures[0];
        if (++runs == 10) {
            assertThat(seen).isPositive();
        }
    }

    private static int runs;
    private static int seen;

    private static void fill(MemorySegment value, long version) {
        for (int i = 0; i < WORDS; i++) {
            value.setAtIndex(ValueLayout.JAVA_LONG, i, version);
        }
    }

    private static boolean isWhole(MemorySegment value) {
        long first = value.get(ValueLayout.JAVA_LONG, 0);
        for (int i = 1; i < WORDS; i++) {
            if (value.getAtIndex(ValueLayout.JAVA_LONG, i) != first) {
                return false;
            }
        }
        return true;
    }

    private static void assertWhole(MemorySegment value, long version) {
        assertThat(isWhole(value)).as("whole").isTrue();
        assertThat(value.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(version);
    }

    @RdmaTest
    void aCellIsEmptyBeforeTheFirstWrite(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            ExportedMemory owned = two.rightNode.export("cells", VersionedCell.bytes(5));
            VersionedCell cell = new VersionedCell(two.left.memory("cells"), 0, 5);
            byte[] into = {9, 9, 9, 9, 9};
            assertThat(cell.read(MemorySegment.ofArray(into), Two.LIMIT)).isZero();
            assertThat(into).containsOnly(9);
            VersionedCell.writer(owned, 0, 5)
                    .write(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5}));
            assertThat(cell.read(MemorySegment.ofArray(into), Two.LIMIT)).isEqualTo(1);
            assertThat(into).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @RdmaTest
    void aCellOfWhichOneBitIsAnothersIsNoValue(Device left, Device right, RdmaThreads threads)
            throws IOException {
        try (Two two = new Two(left, right, threads)) {
            int bytes = 8 * 5;
            ExportedMemory owned = two.rightNode.export("cells", VersionedCell.bytes(bytes));
            VersionedCell.writer(owned, 0, bytes).write(MemorySegment.ofArray(new byte[bytes]));
            MemorySegment cell = owned.segment();
            for (long at = 0; at < cell.byteSize(); at++) {
                byte kept = cell.get(ValueLayout.JAVA_BYTE, at);
                for (int bit = 0; bit < 8; bit++) {
                    cell.set(ValueLayout.JAVA_BYTE, at, (byte) (kept ^ 1 << bit));
                    assertThat(VersionedCell.version(cell))
                            .as("bit %d of byte %d", bit, at)
                            .isEqualTo(-1);
                }
                cell.set(ValueLayout.JAVA_BYTE, at, kept);
            }
            assertThat(VersionedCell.version(cell)).isEqualTo(1);
        }
    }
}
