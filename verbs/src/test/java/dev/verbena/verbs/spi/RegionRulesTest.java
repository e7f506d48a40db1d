package dev.verbena.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Memory that becomes a region, and memory that does not.
class RegionRulesTest {
    private static final String WHO = "protection domain 1";

    @Test
    void aRegionHasALargestSize() {
        RegionRules.requireSize(WHO, 0, 10);
        RegionRules.requireSize(WHO, 10, 10);
        assertThatThrownBy(() -> RegionRules.requireSize(WHO, 11, 10))
                .hasMessage("protection domain 1: no region of 11 bytes; use 0 to 10");
        assertThatThrownBy(() -> RegionRules.requireSize(WHO, -1, 10))
                .hasMessageContaining("-1 bytes");
    }

    @Test
    void aPeerThatWritesNeedsTheLocalRight() {
        assertThat(RegionRules.rights(Access.REMOTE_WRITE))
                .containsExactlyInAnyOrder(Access.REMOTE_WRITE, Access.LOCAL_WRITE);
        assertThat(RegionRules.rights(Access.REMOTE_ATOMIC)).contains(Access.LOCAL_WRITE);
        assertThat(RegionRules.rights(Access.REMOTE_READ)).containsExactly(Access.REMOTE_READ);
    }

    @Test
    void theMemoryIsNativeSharedAndOpen() {
        assertThatThrownBy(() -> RegionRules.requireNative(WHO, MemorySegment.ofArray(new byte[8])))
                .hasMessageContaining("a heap segment can move under the device");
        Arena shared = Arena.ofShared();
        MemorySegment segment = shared.allocate(8);
        RegionRules.requireNative(WHO, segment);
        RegionRules.requireShared(WHO, segment);
        shared.close();
        assertThatThrownBy(() -> RegionRules.requireShared(WHO, segment))
                .hasMessageContaining("the segment's arena is closed");
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment ours = confined.allocate(8);
            assertThatThrownBy(() -> RegionRules.requireShared(WHO, ours))
                    .hasMessageContaining("the segment is confined to one thread");
        }
    }

    @Test
    void aReadOnlySegmentIsNotWritten() {
        MemorySegment segment = Arena.ofAuto().allocate(8);
        RegionRules.requireWritable(WHO, segment, Set.of(Access.LOCAL_WRITE));
        RegionRules.requireWritable(WHO, segment.asReadOnly(), Set.of(Access.REMOTE_READ));
        assertThatThrownBy(
                        () ->
                                RegionRules.requireWritable(
                                        WHO, segment.asReadOnly(), Set.of(Access.LOCAL_WRITE)))
                .hasMessageContaining("the segment is read-only and the rights include writing");
    }
}
