package dev.verbena.interop.suite;

import java.time.Duration;

/// Ends the process when the suite does not end itself: a caller has no other way to learn where it
/// stands.
final class Deadline {
    private static final int OVER = 3;

    private Deadline() {}

    static void start(int seconds, Progress progress) {
        Thread.ofPlatform().daemon().name("deadline").start(() -> end(seconds, progress));
    }

    private static void end(int seconds, Progress progress) {
        try {
            Thread.sleep(Duration.ofSeconds(seconds));
        } catch (InterruptedException interrupted) {
            return;
        }
        System.err.printf("suite: not over after %d s, at %s%n", seconds, progress.running());
        Thread.getAllStackTraces()
                .forEach(
                        (thread, stack) -> {
                            System.err.println(thread);
                            for (StackTraceElement frame : stack) {
                                System.err.println("    at " + frame);
                            }
                        });
        // Hooks might hang where the test does.
        Runtime.getRuntime().halt(OVER);
    }
}
