package dev.verbena.netty;

import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// What Netty's leak detector reports at its paranoid level, while this is open.
final class LeakWatch implements AutoCloseable {
    /// The detector reports the same history once only.
    private static final AtomicInteger LEAKS = new AtomicInteger();

    private static final ResourceLeakDetector<?> DETECTOR = detector();

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

    LeakWatch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        DETECTOR.setLeakListener((type, records) -> reports.add(records));
    }

    /// The one of all buffers, which Netty keeps to itself.
    private static ResourceLeakDetector<?> detector() {
        try {
            Field field = AbstractByteBuf.class.getDeclaredField("leakDetector");
            field.setAccessible(true);
            return (ResourceLeakDetector<?>) Objects.requireNonNull(field.get(null));
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("this version of Netty has no such field", changed);
        }
    }

    /// The reports of buffers that were not released. A buffer that is leaked here on purpose shows
    /// that the detector works, and when it has looked at all before it.
    List<String> reports() {
        String mark = "leaked on purpose " + LEAKS.incrementAndGet();
        leak(mark);
        TestLoops.until(
                "the report of a leak",
                () -> {
                    System.gc();
                    // The detector reports when the next buffer is made.
                    PooledByteBufAllocator.DEFAULT.buffer(8).release();
                    return reports.stream().anyMatch(report -> report.contains(mark));
                });
        return reports.stream().filter(report -> !report.contains(mark)).toList();
    }

    private static void leak(String mark) {
        ByteBuf lost = PooledByteBufAllocator.DEFAULT.buffer(8);
        lost.touch(mark);
    }

    @Override
    public void close() {
        DETECTOR.setLeakListener(null);
        ResourceLeakDetector.setLevel(before);
    }
}
