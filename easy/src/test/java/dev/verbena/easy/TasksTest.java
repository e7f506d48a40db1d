package dev.verbena.easy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TasksTest {
    @Test
    void aFutureEndsWithTheErrorOfItsOperation() {
        CompletableFuture<Void> future =
                new Tasks(null)
                        .run(
                                () -> {
                                    throw new AssertionError("on purpose");
                                });
        assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(AssertionError.class);
    }
}
