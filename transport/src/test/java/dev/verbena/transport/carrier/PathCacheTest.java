package dev.verbena.transport.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathCacheTest {
    private final List<Path> asked = new ArrayList<>();
    private final PathCache<String> cache =
            new PathCache<>(
                    path -> {
                        asked.add(path);
                        return path.address().gid().toString();
                    });

    private static Path path(int index, String peer) {
        return new Path.Roce(index, Address.to(Gid.parse(peer)), Gid.parse("192.0.2.1"), 0);
    }

    @Test
    void aPathIsWorkedOutOnce() {
        Path path = path(40, "192.0.2.2");
        assertThat(cache.of(path)).isEqualTo("192.0.2.2");
        assertThat(cache.of(path(40, "192.0.2.2"))).isEqualTo("192.0.2.2");
        assertThat(asked).containsExactly(path);
    }

    @Test
    void aNumberThatIsUsedAgainStandsForTheNewPath() {
        assertThat(cache.of(path(3, "192.0.2.2"))).isEqualTo("192.0.2.2");
        assertThat(cache.of(path(3, "192.0.2.3"))).isEqualTo("192.0.2.3");
    }

    @Test
    void whatIsForgottenIsWorkedOutAgain() {
        Path path = path(3, "192.0.2.2");
        cache.of(path);
        cache.forget(path);
        cache.forget(path(500, "192.0.2.9"));
        cache.of(path);
        assertThat(asked).hasSize(2);
    }
}
