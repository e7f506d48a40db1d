package dev.verbena.verbs;

import java.util.function.Consumer;

/// Lets the caller fill a batch, then posts it; cancels the batch when the caller throws.
final class Filling {
    private Filling() {}

    static boolean post(SendBatch batch, Consumer<? super SendBatch> work) {
        try {
            work.accept(batch);
        } catch (RuntimeException | Error failure) {
            giveUp(failure, batch::abort);
            throw failure;
        }
        return batch.post();
    }

    static boolean post(ReceiveBatch batch, Consumer<? super ReceiveBatch> work) {
        try {
            work.accept(batch);
        } catch (RuntimeException | Error failure) {
            giveUp(failure, batch::abort);
            throw failure;
        }
        return batch.post();
    }

    private static void giveUp(Throwable failure, Runnable abort) {
        try {
            abort.run();
        } catch (WrongStateException | ClosedException over) {
            failure.addSuppressed(over);
        }
    }
}
