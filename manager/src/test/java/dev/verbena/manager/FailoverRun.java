package dev.verbena.manager;

import dev.verbena.cli.ibsim.IbsimOptions;
import dev.verbena.cli.ibsim.IbsimServer;
import dev.verbena.fabric.CableFault;
import dev.verbena.fabric.Fabric;
import dev.verbena.fabric.FabricSettings;
import dev.verbena.fabric.FatTree;
import dev.verbena.fabric.Topology;
import dev.verbena.testkit.Wait;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// One subnet with three managers, of which the leader fails once.
final class FailoverRun implements AutoCloseable {
    /// When the leader fails.
    enum Moment {
        BRING_UP,
        RE_ROUTE,
        REST
    }

    /// How it fails.
    enum Failure {
        /// `kill -9`.
        KILLED,
        /// SIGSTOP, and SIGCONT when another one leads.
        STOPPED,
        /// The other managers do not hear it, and the subnet does.
        CUT_OFF
    }

    /// What a run is to do.
    ///
    /// @param writes of the manager after which it fails, of a bring-up or a change of routes
    record Case(Moment moment, Failure failure, int writes, long seed) {}

    /// What it found.
    ///
    /// @param takenMillis from the failure to the time when the first node had a new leader's key
    /// @param millis from the failure to the time when another manager had the whole subnet
    /// @param lost groups, services and subscriptions that were lost
    /// @param refusedWrites of the old leader, by nodes
    /// @param longestWriteMs simulated milliseconds of the longest write of a host's program
    record Result(
            double takenMillis,
            double millis,
            int lost,
            int refusedWrites,
            double longestWriteMs,
            List<String> violations) {}

    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(40);
    private static final int HOSTS = 24;
    private static final int RADIX = 8;
    private static final int MEMBERS = 4;
    private static final double PS_PER_S = 1e12;

    private final Fabric fabric;
    private final SubnetWatch watch;
    private final HostPrograms programs;
    private final IbsimServer server;
    private final InetSocketAddress address;
    private final Thread serving;
    private final Group group;
    private final List<ManagerProcess> managers = new ArrayList<>();
    private final List<HostClient> clients = new ArrayList<>();
    private final SplittableRandom random;
    private final Path place;

    FailoverRun(Group group, Path place, int port, long seed) throws IOException {
        this.group = group;
        random = new SplittableRandom(seed);
        Topology topology = FatTree.ofRadix(HOSTS, RADIX, 1).topology();
        fabric = new Fabric(topology, FabricSettings.INFINIBAND);
        watch = new SubnetWatch(fabric.subnet(), HOSTS);
        programs = new HostPrograms(fabric);
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        PrintWriter silent = new PrintWriter(Writer.nullWriter());
        server =
                new IbsimServer(
                        fabric, new IbsimOptions(address, 64, 1, 0, Long.MAX_VALUE / 4), silent);
        server.watch(this::turn);
        serving =
                Thread.ofPlatform()
                        .daemon()
                        .name("subnet")
                        .start(
                                () -> {
                                    try {
                                        server.serve();
                                    } catch (IOException failed) {
                                        throw new IllegalStateException("the server", failed);
                                    }
                                });
        this.place = place;
    }

    /// A cable that is to be unplugged by the thread that serves.
    private volatile int unplug = -1;

    private volatile boolean isTrafficDue;

    private void turn() {
        if (isTrafficDue) {
            isTrafficDue = false;
            programs.begin();
        }
        programs.look();
        int cable = unplug;
        if (cable >= 0) {
            unplug = -1;
            fabric.fault(CableFault.down(cable, fabric.nowPs(), (long) (1e6 * PS_PER_S)));
        }
        watch.look();
    }

    /// Starts all managers, and lets them hear each other when all are there.
    private void startManagers() throws IOException {
        group.members.forEach(it -> group.wires.cut(it.id()));
        group.copyTo(place);
        for (int i = 0; i < group.members.size(); i++) {
            managers.add(
                    new ManagerProcess(
                            List.of(
                                    "--managers",
                                    group.list(),
                                    "--id",
                                    id(i),
                                    "--listen",
                                    Integer.toString(group.ports.get(i)),
                                    "--store",
                                    place.resolve(id(i)).toString(),
                                    "--port",
                                    Integer.toString(address.getPort()),
                                    "--node",
                                    "host " + 8 * i),
                            place.resolve(id(i) + ".log")));
            int attached = i + 1;
            // One after the other: the numbers that the server gives are in this order.
            await("manager " + i + " at its port", () -> attached(attached));
        }
        group.wires.join();
    }

    private static String id(int manager) {
        return Character.toString('a' + manager);
    }

    private boolean attached(int count) {
        try {
            return managers.get(count - 1).output().contains("waits");
        } catch (IOException none) {
            return false;
        }
    }

    private void await(String what, BooleanSupplier condition) {
        long untilNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - untilNs > 0) {
                throw new IllegalStateException("no " + what + " in time: " + watch + outputs());
            }
            Wait.step();
        }
    }

    /// What managers have said, for a failure.
    private String outputs() {
        StringBuilder text = new StringBuilder();
        for (ManagerProcess manager : managers) {
            try {
                text.append(System.lineSeparator())
                        .append(manager.isAlive() ? "alive: " : "ended: ")
                        .append(manager.output());
            } catch (IOException none) {
                text.append("says nothing");
            }
        }
        return text.toString();
    }

    /// Lets all come up, and returns how many writes that took.
    long bringUp() throws IOException {
        watch.awaitWhole(SubnetWatch.NO_MANAGER);
        startManagers();
        await("whole subnet", () -> watch.wholeNs() != 0);
        return watch.sets();
    }

    Result run(Case what) throws IOException {
        int[] failed = {SubnetWatch.NO_MANAGER};
        long[] failedNs = {0};
        Runnable fail =
                () -> {
                    failed[0] = watch.leader();
                    fail(what.failure(), failed[0]);
                    failedNs[0] = System.nanoTime();
                    watch.awaitWhole(failed[0]);
                };
        boolean hasState = what.moment() != Moment.BRING_UP;
        if (hasState) {
            bringUp();
            changeState();
            isTrafficDue = true;
            await("traffic", () -> programs.haveWrittenSince(List.of()));
            if (what.moment() == Moment.RE_ROUTE) {
                watch.after(what.writes(), fail);
                unplug = anyTrunk();
                pause(1_000, watch::hasKilled);
                // The change took fewer writes than that.
                watch.killInAnyCase();
            } else {
                pause(random.nextInt(200), () -> false);
                watch.after(0, fail);
            }
        } else {
            watch.after(what.writes(), fail);
            startManagers();
            await("failure", watch::hasKilled);
        }
        await("whole subnet of another manager", () -> watch.wholeNs() != 0);
        double millis = (watch.wholeNs() - failedNs[0]) / 1e6;
        double takenMillis = (watch.takenNs() - failedNs[0]) / 1e6;
        returns(what.failure(), failed[0]);
        int lost = 0;
        if (hasState) {
            lost = lost();
            // Now that routes are whole, each program gets on, or its queue pair has failed.
            List<Long> written = programs.written();
            await("traffic on all routes", () -> programs.haveWrittenSince(written));
        }
        List<String> violations = new ArrayList<>(watch.violations());
        violations.addAll(programs.failures());
        return new Result(
                takenMillis,
                millis,
                lost,
                watch.refused(failed[0]),
                programs.longestMs(),
                violations);
    }

    /// A cable between two switches.
    private int anyTrunk() {
        int trunks = fabric.topology().cables() - HOSTS;
        return HOSTS + random.nextInt(trunks);
    }

    private void pause(long millis, BooleanSupplier isEnough) {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - untilNs < 0 && !isEnough.getAsBoolean()) {
            Wait.step();
        }
    }

    private void fail(Failure how, int manager) {
        switch (how) {
            case KILLED -> managers.get(manager).kill();
            case STOPPED -> managers.get(manager).stop();
            case CUT_OFF -> group.wires.cut(id(manager));
        }
    }

    /// The old leader finds that it leads no more; what it does then is watched.
    private void returns(Failure how, int manager) throws IOException {
        switch (how) {
            case KILLED -> {
                return;
            }
            case STOPPED -> managers.get(manager).proceed();
            case CUT_OFF -> group.wires.join();
        }
        await("end of the old leader's term", () -> hasStopped(manager));
        pause(300, () -> false);
    }

    private boolean hasStopped(int manager) {
        try {
            String said = managers.get(manager).output();
            return said.lastIndexOf("waits") > said.lastIndexOf("leads");
        } catch (IOException none) {
            return false;
        }
    }

    private void changeState() throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            HostClient client = new HostClient(address, "host " + (3 + 5 * i));
            clients.add(client);
            boolean isDone = client.join(1) && client.join(2 + i) && client.offer(i);
            if (!isDone || !client.subscribe()) {
                throw new IllegalStateException("host " + i + " was refused: " + watch);
            }
        }
    }

    private int lost() throws IOException {
        int lost = 0;
        for (int i = 0; i < clients.size(); i++) {
            HostClient client = clients.get(i);
            lost += client.isMember(1) ? 0 : 1;
            lost += client.isMember(2 + i) ? 0 : 1;
            lost += client.isOffered(i) ? 0 : 1;
            lost += client.isSubscribed() ? 0 : 1;
        }
        return lost;
    }

    @Override
    public void close() throws IOException {
        for (HostClient client : clients) {
            client.close();
        }
        managers.forEach(ManagerProcess::close);
        server.end();
        try {
            serving.join(10_000);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        server.close();
        group.wires.join();
    }
}
