package dev.verbena.subnet;

import java.util.function.IntConsumer;

/// Runs the tasks of a route computation, one for each destination switch. Tasks do not depend on
/// each other and may run at the same time; the result is the same in any order.
@FunctionalInterface
public interface RouteRunner {
    /// Runs the tasks one after the other in the calling thread.
    RouteRunner IN_PLACE =
            (tasks, task) -> {
                for (int i = 0; i < tasks; i++) {
                    task.accept(i);
                }
            };

    /// Runs tasks 0 to `tasks - 1`, and returns when all of them are done.
    void run(int tasks, IntConsumer task);
}
