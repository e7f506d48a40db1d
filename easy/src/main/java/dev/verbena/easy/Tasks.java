package dev.verbena.easy;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The threads of a node. An operation with a future is the blocking one on a thread of its own, so
/// that stages behind the future may wait.
final class Tasks {
    /// Operations with a future that may be under way.
    static final int FUTURES_MAX = 1024;

    private static final ThreadFactory VIRTUAL = Thread.ofVirtual().name("verbena-easy").factory();
    private static final ThreadFactory SYSTEM =
            Thread.ofPlatform().daemon().name("verbena-completions").factory();

    private final @Nullable ThreadFactory given;
    private final AtomicInteger futures = new AtomicInteger();

    Tasks(@Nullable ThreadFactory given) {
        this.given = given;
    }

    /// Starts a thread that ends with its node.
    void start(Runnable body) {
        daemon(given == null ? VIRTUAL : given, body);
    }

    /// Starts the thread that waits for completions: a system call in it would pin a virtual one.
    void startPoller(Runnable body) {
        daemon(given == null ? SYSTEM : given, body);
    }

    private static void daemon(ThreadFactory factory, Runnable body) {
        Thread thread = factory.newThread(body);
        if (!thread.isVirtual() && !thread.isDaemon()) {
            thread.setDaemon(true);
        }
        thread.start();
    }

    <T extends @Nullable Object> CompletableFuture<T> run(Callable<T> work) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (futures.incrementAndGet() > FUTURES_MAX) {
            futures.decrementAndGet();
            future.completeExceptionally(
                    new ChannelException(
                            "%d operations with a future are under way; wait for some of them"
                                    .formatted(FUTURES_MAX)));
            return future;
        }
        start(() -> run(work, future));
        return future;
    }

    private <T extends @Nullable Object> void run(Callable<T> work, CompletableFuture<T> future) {
        try {
            T result;
            try {
                result = work.call();
            } finally {
                futures.decrementAndGet();
            }
            future.complete(result);
        } catch (Throwable failure) {
            // An error as well: a future that never ends would hide it.
            future.completeExceptionally(failure);
        }
    }
}
