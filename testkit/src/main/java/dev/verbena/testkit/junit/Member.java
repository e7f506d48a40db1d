package dev.verbena.testkit.junit;

import dev.verbena.verbs.baton.Runner;

/// A thread of a test.
final class Member extends Thread {
    final RdmaThreads threads;
    final RdmaThreads.Body body;
    final Runner runner;

    Member(RdmaThreads threads, String name, RdmaThreads.Body body) {
        super(name);
        this.threads = threads;
        this.body = body;
        runner = new Runner(name);
        runner.thread(this);
        // Whatever the thread is that makes it: JUnit's own are some of both kinds.
        setDaemon(false);
    }

    /// Where the thread that starts it is in the order of threads, this one comes in too: the seed
    /// decides when it runs first, and not the operating system.
    @Override
    public void start() {
        if (getState() != State.NEW) {
            throw new IllegalThreadStateException("thread " + getName() + " was started already");
        }
        threads.starts(this);
        super.start();
    }

    @Override
    public void run() {
        threads.run(this);
    }
}
