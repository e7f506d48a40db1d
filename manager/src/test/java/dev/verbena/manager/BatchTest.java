package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.subnet.state.Command;
import dev.verbena.testkit.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final Batch BATCH =
            new Batch(
                    List.of(
                            new Batch.Item(7, new Command.BeginTerm(3, 99)),
                            new Batch.Item(8, new Command.GiveLid(0x11, 5)),
                            new Batch.Item(9, new Command.SetPartitions("a=1:ALL;", 8))));

    @Test
    void isTheSameAfterItWasWrittenAndRead() {
        assertThat(Batch.parse(BATCH.bytes())).isEqualTo(BATCH);
    }

    @Test
    void refusesAnEntryThatIsTooLong() {
        assertThatThrownBy(() -> Batch.parse(new byte[Batch.BYTES_MAX + 1]))
                .hasMessageContaining("at most");
    }

    @Test
    void refusesEveryPartOfAnEntry() {
        byte[] bytes = BATCH.bytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Batch.parse(part))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Batch.parse(Arrays.copyOf(bytes, bytes.length + 1)))
                .hasMessageContaining("behind");
    }

    @Test
    void anyBytesAreAnEntryOrRefused() {
        SplittableRandom random = Seed.forTest("entries", 0xBA7C).random();
        byte[] bytes = BATCH.bytes();
        long count = Seed.campaign(20_000);
        for (int i = 0; i < count; i++) {
            byte[] changed = bytes.clone();
            for (int j = 0; j <= random.nextInt(4); j++) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                Batch read = Batch.parse(changed);
                assertThat(read.items()).isNotEmpty();
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageMatching(".+");
            }
        }
    }
}
