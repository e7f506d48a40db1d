package dev.verbena.ibverbs.driver;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// A lock that is never handed to a thread which waits. Virtual threads that wait within a call
/// from native code keep their carriers; were the lock handed to one that has no carrier, it would
/// never run, and the others would wait for it.
final class DriverLock extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private static final long REST_NS = 5_000;

    @Override
    public void lock() {
        while (!tryLock()) {
            LockSupport.parkNanos(this, REST_NS);
        }
    }
}
