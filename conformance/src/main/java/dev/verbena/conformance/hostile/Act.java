package dev.verbena.conformance.hostile;

import java.util.random.RandomGenerator;

/// What a thread of an episode does next, and how often compared to the others.
enum Act {
    WRITE(100),
    READ(70),
    SEND(50),
    RECEIVE(70),
    ATOMIC(30),
    INLINE(30),
    WRONG_KEY(5),
    ABANDONED_BATCH(5),
    POLL(100),
    POLL_AND_THROW(5),
    POLL_AND_CLOSE(5),
    AWAIT(40),
    PROGRESS(60),
    ARM(20),
    THROWING_LISTENER(5),
    ENDING_LISTENER(5),
    POISON(60),
    INTERRUPT(10),
    REGISTER(10),
    CUT_FILE(3),
    CONNECT(10),
    ACCEPT(10),
    DISCONNECT(5),
    COUNTERS(5),
    FAIL_PAIR(5),
    RESET_PAIR(5),
    CLOSE_ARENA(15),
    CLOSE_REGION(5),
    CLOSE_PAIR(5),
    CLOSE_QUEUE(1),
    CLOSE_LISTENER(1),
    CLOSE_DEVICE(1);

    private static final int ALL = all();

    private final int weight;

    Act(int weight) {
        this.weight = weight;
    }

    private static int all() {
        int sum = 0;
        for (Act act : values()) {
            sum += act.weight;
        }
        return sum;
    }

    static Act pick(RandomGenerator random) {
        int at = random.nextInt(ALL);
        for (Act act : values()) {
            at -= act.weight;
            if (at < 0) {
                return act;
            }
        }
        throw new AssertionError("the weights add up");
    }
}
