package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferViewsTest {
    private final BufferViews views = new BufferViews();

    @Test
    void showsTheBytesOfEachOfManySegments() {
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            segments.add(MemorySegment.ofArray(new byte[] {0, (byte) i, 0}));
        }
        for (int step = 0; step < 50; step++) {
            int i = step * step % segments.size();
            ByteBuffer buffer = views.of(segments.get(i), 1, 1);
            assertThat(buffer.remaining()).isEqualTo(1);
            assertThat(buffer.get()).isEqualTo((byte) i);
        }
    }

    @Test
    void makesOneBufferForAFewSegmentsInTurn() {
        MemorySegment headers = MemorySegment.ofArray(new byte[28]);
        MemorySegment payload = MemorySegment.ofArray(new byte[64]);
        ByteBuffer first = views.of(headers, 0, 28);
        ByteBuffer second = views.of(payload, 0, 64);
        assertThat(views.of(headers, 4, 8)).isSameAs(first);
        assertThat(views.of(payload, 4, 8)).isSameAs(second);
    }

    @Test
    void segmentsUsedInTurnWithAThirdDoNotReplaceEachOther() {
        MemorySegment headers = MemorySegment.ofArray(new byte[28]);
        MemorySegment left = MemorySegment.ofArray(new byte[64]);
        MemorySegment right = MemorySegment.ofArray(new byte[64]);
        views.of(headers, 0, 28);
        ByteBuffer first = views.of(left, 0, 64);
        views.of(headers, 0, 28);
        ByteBuffer second = views.of(right, 0, 64);
        for (int i = 0; i < 5; i++) {
            views.of(headers, 0, 28);
            assertThat(views.of(left, 0, 64)).isSameAs(first);
            views.of(headers, 0, 28);
            assertThat(views.of(right, 0, 64)).isSameAs(second);
        }
    }

    @Test
    void tellsEqualSegmentsApart() {
        MemorySegment whole = MemorySegment.ofArray(new byte[16]);
        MemorySegment again = whole.asSlice(0);
        assertThat(again).isEqualTo(whole);
        assertThat(views.of(again, 0, 16)).isNotSameAs(views.of(whole, 0, 16));
    }

    @Test
    void memoryThatMakesNoBufferIsRefusedEveryTime() {
        MemorySegment longs = MemorySegment.ofArray(new long[4]);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> views.of(longs, 0, 8))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void bytesOutsideTheSegmentAreRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16);
            assertThatThrownBy(() -> views.of(segment, 8, 9))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> views.of(segment, -1, 4))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
