package dev.verbena.simulation;

import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.Fabrics;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.baton.BatonFailure;
import dev.verbena.verbs.baton.BatonScheduler;
import dev.verbena.verbs.baton.Runner;
import dev.verbena.verbs.baton.Stopped;
import dev.verbena.verbs.baton.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs programs on the hosts of a fabric, each on a thread of its own, in virtual time.
///
/// ```
/// Fabric fabric = new Fabric(FatTree.threeTiers(4, 4).topology(), FabricSettings.ROCE);
/// new Simulation(fabric)
///         .everyHost(
///                 host -> {
///                     try (Device device = host.open()) {
///                         … // as on a real host
///                     }
///                 })
///         .run();
/// ```
///
/// One program runs at a time. It gives the baton on when it waits in a call of verbs: `await`,
/// `connect`, a poll that finds nothing, `close` of a device with connections. When all programs
/// wait, the clock moves to the next event. So programs may share objects of Java without locks,
/// and a run is decided by the fabric, the programs and the seed.
///
/// A program must not block elsewhere while it has the baton: see [#patience].
public final class Simulation {
    /// Programs of one simulation.
    public static final int PROGRAMS_MAX = 100_000;

    private static final String DEFAULT_NAME = "simulation";
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);
    private static final Words WORDS =
            new Words(
                    "simulation",
                    "program",
                    "call devices from the threads of programs: Simulation.program starts one more",
                    "block nowhere else (a lock, a queue, Thread.sleep), sleep with Host.sleep, or"
                            + " raise the limit with Simulation.patience",
                    "Simulation.virtualLimit");

    private record Planned(String name, int host, Program program) {}

    /// How a simulation went.
    ///
    /// @param time virtual time from its start to its end
    /// @param switches how often the baton was given on
    /// @param events events of the fabric
    public record Outcome(Duration time, long switches, long events) {}

    private final Fabric fabric;
    private final List<Planned> programs = new ArrayList<>();
    private String name = DEFAULT_NAME;
    private long seed;
    private Duration patience = Duration.ofSeconds(10);
    private Duration virtualLimit = Duration.ofSeconds(60);
    private boolean usesPlatformThreads;

    public Simulation(Fabric fabric) {
        this.fabric = fabric;
        seed = fabric.settings().seed();
    }

    /// The name by which programs open devices, `fabric://NAME/host-7`: `simulation` unless set.
    public Simulation name(String value) {
        name = value;
        return this;
    }

    /// Decides which of the programs that could run does; that of the fabric unless set.
    public Simulation seed(long value) {
        seed = value;
        return this;
    }

    /// The real time for which a program may have the baton without a call that waits, 10 s unless
    /// set. Afterwards the simulation fails, and shows where the program is.
    public Simulation patience(Duration value) {
        patience = value;
        return this;
    }

    /// The virtual time after which the simulation fails, 60 s unless set.
    public Simulation virtualLimit(Duration value) {
        virtualLimit = value;
        return this;
    }

    /// Runs programs on threads of the operating system instead of virtual threads.
    public Simulation platformThreads() {
        usesPlatformThreads = true;
        return this;
    }

    /// Adds a program on every host, called as the host is.
    public Simulation everyHost(Program program) {
        for (int host = 0; host < fabric.topology().hosts(); host++) {
            program(fabric.topology().hostName(host), host, program);
        }
        return this;
    }

    /// Adds a program on a host. A host may have several; they share what they give each other.
    public Simulation program(String called, int host, Program program) {
        int hosts = fabric.topology().hosts();
        if (host < 0 || host >= hosts) {
            throw new InvalidRequestException(
                    "program " + called,
                    "the fabric has no host " + host,
                    "use 0 to " + (hosts - 1));
        }
        if (programs.size() == PROGRAMS_MAX) {
            throw new InvalidRequestException(
                    "program " + called,
                    "the simulation has %,d programs already".formatted(PROGRAMS_MAX),
                    "let one program do the work of several");
        }
        programs.add(new Planned(called, host, program));
        return this;
    }

    /// Runs all programs to their end.
    ///
    /// @throws SimulationException when a program throws, or the simulation cannot go on
    public Outcome run() {
        if (programs.isEmpty()) {
            throw new InvalidRequestException(
                    "simulation", "it has no program", "add some with everyHost or program");
        }
        long startNs = fabric.nowPs() / 1000;
        long startEvents = fabric.events();
        BatonScheduler scheduler = new BatonScheduler(fabric.time(), seed, virtualLimit, WORDS);
        List<Thread> threads = new ArrayList<>();
        for (Planned planned : programs) {
            threads.add(thread(planned, scheduler));
        }
        try (var _ = Fabrics.register(name, fabric)) {
            fabric.pass(scheduler);
            try {
                threads.forEach(Thread::start);
                scheduler.begin();
                if (!scheduler.watch(patience)) {
                    join(threads);
                }
            } finally {
                fabric.pass(null);
            }
        }
        BatonFailure failure = scheduler.failure();
        if (failure != null) {
            throw SimulationException.of(failure);
        }
        Duration time = Duration.ofNanos(scheduler.nowNs() - startNs);
        return new Outcome(time, scheduler.switches(), fabric.events() - startEvents);
    }

    private Thread thread(Planned planned, BatonScheduler scheduler) {
        Runner runner = new Runner(planned.name);
        Host host = new Host(fabric, name, scheduler, planned.host);
        Runnable body = () -> run(planned, runner, host, scheduler);
        Thread thread =
                usesPlatformThreads
                        ? Thread.ofPlatform().daemon().name(planned.name).unstarted(body)
                        : Thread.ofVirtual().name(planned.name).unstarted(body);
        runner.thread(thread);
        scheduler.add(runner);
        return thread;
    }

    private static void run(Planned planned, Runner runner, Host host, BatonScheduler scheduler) {
        @Nullable Throwable thrown = null;
        try {
            scheduler.start(runner);
            planned.program.run(host);
        } catch (Stopped stopped) {
            // Another program has failed.
        } catch (Throwable failure) {
            thrown = failure;
        }
        scheduler.ended(runner, thrown);
    }

    /// A program that is blocked may never end.
    private static void join(List<Thread> threads) {
        long endNs = System.nanoTime() + STOP_LIMIT.toNanos();
        for (Thread thread : threads) {
            try {
                Duration left = Duration.ofNanos(endNs - System.nanoTime());
                thread.join(left.isPositive() ? left : Duration.ZERO);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
