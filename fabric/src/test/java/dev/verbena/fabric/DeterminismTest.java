package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeterminismTest {
    private static long[] times(FabricSettings settings) {
        Fabric fabric = new Fabric(Anchor.tree128(), settings);
        return Anchor.run(fabric, Patterns.permutation(128, 30 * Anchor.PAYLOAD, 5)).timesPs();
    }

    @Test
    void theSameSeedGivesTheSameRunAndAnotherOneAnother() {
        for (FabricSettings settings : List.of(Anchor.ethernet(), Anchor.infiniBand())) {
            long[] first = times(settings);
            assertThat(times(settings)).isEqualTo(first);
        }
        assertThat(times(Anchor.ethernet().withSeed(2))).isNotEqualTo(times(Anchor.ethernet()));
    }

    @Test
    void theRunIsTheOneThatOtherJvmsHad() {
        assertThat(Arrays.hashCode(times(Anchor.ethernet()))).isEqualTo(-1388829503);
        assertThat(Arrays.hashCode(times(Anchor.infiniBand()))).isEqualTo(-2065566495);
    }

    @Test
    void peersKnowMemoryByAddressesThatTheFabricMadeUp() {
        Fabric fabric = new Fabric(FatTree.single(2).topology(), FabricSettings.ROCE);
        MemoryRegion region = fabric.open(0).protectionDomain().allocate(64, Access.REMOTE_READ);

        assertThat(region.remote().address()).isNotEqualTo(region.segment().address());
    }
}
