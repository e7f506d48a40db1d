package dev.verbena.job.goal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.StringReader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalBinaryTest {
    private static Job read(byte[] bytes) {
        return GoalBinary.read("job.bin", MemorySegment.ofArray(bytes));
    }

    private static GoalFile job() {
        GoalFile file = new GoalFile(2);
        file.calc(0, 1500, 0);
        file.send(0, 4096, 1, 7, 1, 2);
        file.calc(0, 10, 0);
        file.requires(0, 1, 0);
        file.irequires(0, 2, 1);
        file.requires(0, 2, 0);
        file.receive(1, 4096, -1, -1, 0, 0);
        file.receive(1, 8192, 0, 9, 0, 0);
        file.requires(1, 0, 1);
        return file;
    }

    /// The header has 46 bytes, its block another 12, then rank 0 has nodes at 58, 97 and 136, and
    /// its appendix at 175.
    private static byte[] with(int at, int bytes, long value) {
        byte[] file = job().binary();
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        switch (bytes) {
            case 1 -> buffer.put(at, (byte) value);
            case 4 -> buffer.putInt(at, (int) value);
            default -> buffer.putLong(at, value);
        }
        return file;
    }

    @Test
    void bothFormsSayTheSame() throws IOException {
        GoalFile file = job();
        Job text = GoalText.read("job.goal", new StringReader(file.text()));
        Job binary = read(file.binary());

        for (int rank = 0; rank < 2; rank++) {
            Schedule one = text.ranks().get(rank);
            Schedule other = binary.ranks().get(rank);
            assertThat(other.nodes()).isEqualTo(one.nodes());
            for (int node = 0; node < one.nodes(); node++) {
                assertThat(other.text(node)).isEqualTo(one.text(node));
                assertThat(other.unit(node)).isEqualTo(one.unit(node));
                assertThat(other.nic(node)).isEqualTo(one.nic(node));
            }
            assertThat(other).usingRecursiveComparison().ignoringFields("source").isEqualTo(one);
        }
        assertThat(binary.ranks().getFirst().place(2)).isEqualTo("rank 0, node 2");
    }

    @Test
    void theFormIsSeenInTheFirstBytes() {
        assertThat(GoalBinary.isBinary(MemorySegment.ofArray(job().binary()))).isTrue();
        assertThat(GoalBinary.isBinary(MemorySegment.ofArray(job().text().getBytes(US_ASCII))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "0 8 2342 => job.bin: magic number 2342: a simulator has run on this file and has",
                "0 8 -1 => job.bin: magic number 18446744073709551615 where GOAL has 4223",
                "8 4 0 => job.bin: 0 ranks: use 1 to 65,536",
                "8 4 -1 => job.bin: 4294967295 ranks: use 1 to 65,536",
                "8 4 65536 => job.bin: 281 bytes, and the header alone has 1,048,590: the file is",
                "12 1 0 => job.bin, rank 0, node 1: cpu 1, nic 2: the header has 0 and 2",
                "14 8 37 => job.bin, rank 0: its block from 37 to 179 does not follow 38",
                "22 8 36 => job.bin, rank 0: its block from 38 to 36",
                "22 8 -1 => job.bin, rank 0: its block from 38 to 18446744073709551615",
                "22 8 9223372036854775807 => job.bin, rank 0: its block from 38",
                "46 4 4 => job.bin, rank 0: 4 nodes and 1 roots do not fit its block of 141",
                "46 4 -1 => job.bin, rank 0: 4,294,967,295 nodes and 1 roots do not fit",
                "50 4 -1 => job.bin, rank 0: 3 nodes and 4,294,967,295 roots do not fit",
                "54 4 1 => job.bin, rank 0: root 1 is no node that waits for nothing",
                "54 4 -1 => job.bin, rank 0: root 4294967295 is no node",
                "58 4 1 => node 0: it counts 1 dependencies, and 0 nodes of rank 0 name it",
                "62 1 4 => job.bin, rank 0, node 0: type 4: use 1 send, 2 recv, 3 calc",
                "67 8 -1 => job.bin, rank 0, node 0: a calc of 18446744073709551615 ns is too",
                "81 4 4 => job.bin, rank 0, node 0: 4 entries from 0 on in the appendix",
                "81 4 -1 => job.bin, rank 0, node 0: 4,294,967,295 entries from 0 on",
                "85 4 1 => job.bin, rank 0, node 0: 2 entries from 1 on in the appendix",
                "102 4 2 => job.bin, rank 0, node 1: there is no rank 2: the job has 2",
                "106 8 -1 => job.bin, rank 0, node 1: 18446744073709551615 bytes are too many",
                "114 4 -1 => job.bin, rank 0, node 1: a send has a tag of its own, not any",
                "175 4 3 => job.bin, rank 0, node 0: node 3 waits for it, and the rank has 3",
            })
    void aWrongNumberIsNamed(String change, String expected) {
        String[] words = change.split(" ", -1);
        byte[] file =
                with(
                        Integer.parseInt(words[0]),
                        Integer.parseInt(words[1]),
                        Long.parseLong(words[2]));

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void aCycleIsRefused() {
        GoalFile file = new GoalFile(1);
        file.calc(0, 1, 0);
        file.calc(0, 1, 0);
        file.calc(0, 1, 0);
        file.requires(0, 1, 2);
        file.irequires(0, 2, 1);

        assertThatThrownBy(() -> read(file.binary()))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.bin, rank 0, node 1: it waits for nodes that wait for it");
    }

    /// A header of 30 bytes, the counts of nodes and roots, and two roots from byte 38 on.
    @Test
    void aRootThatIsNotListedIsMissed() {
        GoalFile file = new GoalFile(1);
        file.calc(0, 1, 0);
        file.calc(0, 1, 0);
        byte[] whole = file.binary();
        byte[] less = Arrays.copyOf(whole, whole.length - 4);
        System.arraycopy(whole, 46, less, 42, less.length - 42);
        ByteBuffer buffer = ByteBuffer.wrap(less).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(22, buffer.getLong(22) - 4).putInt(34, 1);

        assertThatThrownBy(() -> read(less))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.bin, rank 0: it has 1 roots, and not all are listed");
    }

    @Test
    void aFileCutOffAnywhereIsRefused() {
        byte[] whole = job().binary();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(TraceException.class);
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(TraceException.class)
                .hasMessage("job.bin: 1 bytes after the last rank");
    }

    @Test
    void changedBytesNeverEndInAnotherException() {
        RandomGenerator random = new SplittableRandom(25);
        for (int run = 0; run < 20_000; run++) {
            byte[] file = job().binary();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                file[random.nextInt(file.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(read(file).ranks()).isNotEmpty();
            } catch (TraceException refused) {
                assertThat(refused.getMessage()).startsWith("job.bin").doesNotContain("\n");
            }
        }
    }
}
