package dev.verbena.subnet;

import dev.verbena.subnet.admin.Administration;
import dev.verbena.subnet.admin.Peer;
import dev.verbena.subnet.admin.SaVerdict;
import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.CommandLog;
import dev.verbena.subnet.state.GroupTraits;
import dev.verbena.subnet.state.Outcome;
import dev.verbena.subnet.state.Partitions;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Notice;
import dev.verbena.wire.mad.SmInfo;
import dev.verbena.wire.mad.Smp;
import dev.verbena.wire.mad.TrapDetails;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/// Manages a subnet by datagrams: brings it up, and keeps its routes in line with its links.
///
/// ```text
///   start ─▶ discover ─▶ set ports up ─▶ write tables ─▶ activate ports ─▶ report
///               ▲                                                           │
///               └──────────── a trap, or a switch that reports a change ◀───┘
/// ```
///
/// After each call of another method, call [#transmit] until it returns false, then [#pollReport]
/// until it is empty, and call [#handleTimeout] at [#timeoutNs]. Calls come from one thread at a
/// time. Datagrams of any content may be handed in: each ends in a verdict.
public final class SubnetManager {
    /// Before switches have said how many groups they hold: as many as all that are usual.
    private static final int GROUPS_UNKNOWN = 1024;

    /// After a round in which not all answered: the time to the next try, which doubles.
    private static final long REPEAT_NS = 250_000_000L;

    /// A node that never answers does not keep the others busy.
    private static final int REPEATS_MAX = 5;

    /// Questions of other managers that wait until the own GUID is known.
    private static final int EARLY_MAX = 16;

    private record Early(int lid, MemorySegment mad) {}

    private final ManagerSettings settings;
    private final Sweep sweep;
    private final Traffic traffic;
    private final SubnetState state;
    private final CommandLog log;
    private final Administration administration;
    private final Presence presence;
    private final Map<SmVerdict, Long> verdicts = new EnumMap<>(SmVerdict.class);
    private final Map<Integer, Long> traps = new HashMap<>();
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
    private final ArrayDeque<Early> early = new ArrayDeque<>();

    /// Of its port; 0 before it is known.
    private long guid;

    private long nextSweepNs = Long.MAX_VALUE;
    private long seenRounds;
    private long repeatNs = Long.MAX_VALUE;
    private int repeats;

    /// Time of the call at hand.
    private long nowNs;

    public SubnetManager(ManagerSettings settings) {
        this(settings, RouteRunner.IN_PLACE);
    }

    /// @param runner runs the tasks of route computations, perhaps on several processors
    public SubnetManager(ManagerSettings settings, RouteRunner runner) {
        this(settings, runner, new SubnetState());
    }

    private SubnetManager(ManagerSettings settings, RouteRunner runner, SubnetState own) {
        this(settings, runner, own, (command, applied) -> applied.accept(own.apply(command)));
    }

    /// Makes a manager that goes on with the state of an earlier one. Where the state has terms, it
    /// gives all nodes the M_Key of the newest before it writes anything else, and reads their
    /// tables, to write only what differs.
    ///
    /// @param state changes by `log` only, within calls of [#deliver] or of the log
    /// @param log takes commands; where several managers share it, their outcomes come later
    public SubnetManager(
            ManagerSettings settings, RouteRunner runner, SubnetState state, CommandLog log) {
        this.settings = settings;
        this.state = state;
        this.log = log;
        presence = new Presence(state.lids().keySet());
        sweep = new Sweep(settings, runner, state, it -> propose(it, _ -> this.sweep().applied()));
        administration = new Administration(sweep.view(), state, this::propose, Traffic.TRUST_KEY);
        traffic = new Traffic(settings.priority());
    }

    private Sweep sweep() {
        return sweep;
    }

    /// Begins to discover the whole subnet. What was known is forgotten, except for LIDs.
    public void start(long nowNs) {
        nextSweepNs = settings.sweepNs() == 0 ? Long.MAX_VALUE : nowNs + settings.sweepNs();
        sweep.start(nowNs);
        administration.begin(nowNs);
    }

    /// Takes outcomes of commands that were proposed earlier.
    ///
    /// @param outcomes applies commands to the state, and hands their outcomes over
    public void deliver(long nowNs, Runnable outcomes) {
        this.nowNs = nowNs;
        outcomes.run();
        sweep.advance(nowNs);
        settled();
    }

    /// Takes a datagram that has come to queue pair 0 or 1 of the manager's port.
    ///
    /// @param sourceLid the LID of its sender; without meaning for directed routes
    /// @param sourcePair the queue pair of its sender, which gets the answer
    /// @param mad 256 bytes, which are not read after the call
    public SmVerdict handle(long nowNs, int sourceLid, int sourcePair, MemorySegment mad) {
        this.nowNs = nowNs;
        boolean isGeneral =
                mad.byteSize() == Mad.LENGTH_TOTAL
                        && Mad.managementClass(mad, 0) == ManagementClass.SUBNET_ADMINISTRATION;
        SmVerdict verdict =
                isGeneral
                        ? meaning(
                                administration.handle(nowNs, new Peer(sourceLid, sourcePair), mad))
                        : take(nowNs, sourceLid, mad);
        verdicts.merge(verdict, 1L, Long::sum);
        sweep.advance(nowNs);
        answerEarly();
        startAgain();
        settled();
        return verdict;
    }

    private static SmVerdict meaning(SaVerdict verdict) {
        return switch (verdict) {
            case OK -> SmVerdict.OK;
            case MALFORMED -> SmVerdict.MALFORMED;
            case NOT_ASKED -> SmVerdict.NOT_ASKED;
            case FOREIGN -> SmVerdict.FOREIGN;
            case LIMIT -> SmVerdict.LIMIT;
        };
    }

    private void propose(Command command, Consumer<Outcome> applied) {
        log.propose(
                command,
                outcome -> {
                    follow(command, outcome);
                    applied.accept(outcome);
                });
    }

    /// Does what follows from a command that was applied.
    private void follow(Command command, Outcome outcome) {
        for (Outcome.GroupEvent event : outcome.events()) {
            int number = event.isCreated() ? Notices.GROUP_CREATED : Notices.GROUP_DELETED;
            announce(number, event.group());
        }
        boolean arePartitions = command instanceof Command.SetPartitions;
        if (outcome.isDone() && (arePartitions || !outcome.groupLids().isEmpty())) {
            sweep.stateChanged(nowNs, outcome.groupLids());
        }
    }

    private void announce(int number, Gid subject) {
        int ownLid = sweep.view().ownLid();
        Gid own = new Gid(settings.prefix(), sweep.view().ownGuid());
        administration.notice(Notices.of(number, subject, ownLid), own, subject);
    }

    /// After a round: what had no answer is tried again. A takeover is given up after some tries; a
    /// single manager goes on, at the longest time between two of them.
    private void repeatLater() {
        if (sweep.isFencing()) {
            if (!sweep.isSure() && repeats < REPEATS_MAX) {
                repeatNs = nowNs + (REPEAT_NS << repeats++);
            }
        } else if (sweep.hasUnanswered()) {
            repeatNs = nowNs + (REPEAT_NS << repeats);
            repeats = Math.min(repeats + 1, REPEATS_MAX);
        } else {
            repeatNs = Long.MAX_VALUE;
            repeats = 0;
        }
    }

    /// After a round: which ports came and went.
    private void settled() {
        if (seenRounds == sweep.rounds() || !sweep.isUp()) {
            return;
        }
        seenRounds = sweep.rounds();
        repeatLater();
        presence.update(
                sweep.view(),
                sweep.isSure(),
                guid -> announce(Notices.PORT_IN, new Gid(settings.prefix(), guid)),
                guid -> {
                    announce(Notices.PORT_OUT, new Gid(settings.prefix(), guid));
                    if (state.hasRecords(guid)) {
                        propose(new Command.Forget(guid), _ -> {});
                    }
                });
    }

    /// Puts a file of partitions into force, in the format of OpenSM's `partitions.conf`. An empty
    /// one leaves the tables of ports as they are.
    ///
    /// @throws IllegalArgumentException for one that is wrong; then nothing changes. One with more
    ///   groups than switches have room for is refused later, where the outcome comes later
    public void partitions(long nowNs, String text) {
        this.nowNs = nowNs;
        requireLevels(Partitions.parse(text));
        int groupsMax = sweep.isUp() ? sweep.view().groupsMax() : GROUPS_UNKNOWN;
        AtomicBoolean isRefused = new AtomicBoolean();
        propose(
                new Command.SetPartitions(text, groupsMax),
                outcome -> isRefused.set(!outcome.isDone()));
        if (isRefused.get()) {
            throw new IllegalArgumentException(
                    "more groups than the %d that switches have room for: use fewer with ipoib"
                            .formatted(groupsMax));
        }
    }

    /// An engine that puts paths into lanes leaves no choice of their service level.
    private void requireLevels(Partitions partitions) {
        Function<GroupTraits, Integer> level = GroupTraits::serviceLevel;
        boolean isLayered = settings.engines().stream().anyMatch(LayeredEngine.class::isInstance);
        partitions.all().stream()
                .filter(it -> isLayered && it.broadcast().map(level).orElse(0) != 0)
                .findFirst()
                .ifPresent(
                        it -> {
                            throw new IllegalArgumentException(
                                    "partition 0x%04x has an sl, and the engine layered gives each"
                                                    .formatted(it.key())
                                            + " path its own: leave sl out, or use another engine");
                        });
    }

    private SmVerdict take(long nowNs, int sourceLid, MemorySegment mad) {
        if (mad.byteSize() != Mad.LENGTH_TOTAL || !Smp.check(mad, 0, Mad.LENGTH_TOTAL).isOk()) {
            return SmVerdict.MALFORMED;
        }
        int attribute = Mad.attributeId(mad, 0);
        return switch (Mad.method(mad, 0)) {
            case MadMethod.GET_RESPONSE -> answer(mad);
            case MadMethod.TRAP ->
                    attribute == Notice.ATTRIBUTE_ID
                            ? trap(nowNs, sourceLid, mad)
                            : SmVerdict.FOREIGN;
            case MadMethod.GET, MadMethod.SET -> {
                if (attribute != SmInfo.ATTRIBUTE_ID) {
                    yield SmVerdict.FOREIGN;
                }
                yield info(nowNs, sourceLid, mad);
            }
            default -> SmVerdict.FOREIGN;
        };
    }

    /// Another manager asks what this one is, or says what it is to be.
    private SmVerdict info(long nowNs, int sourceLid, MemorySegment mad) {
        if (guid == 0) {
            if (early.size() == EARLY_MAX) {
                return SmVerdict.LIMIT;
            }
            MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
            early.add(new Early(sourceLid, copy.copyFrom(mad)));
            return SmVerdict.OK;
        }
        boolean isDone = Mad.method(mad, 0) == MadMethod.GET;
        if (!isDone) {
            long other = SmInfo.GUID.read(mad, Smp.DATA);
            isDone = sweep.told(nowNs, Mad.attributeModifier(mad, 0), other);
        }
        traffic.answerInfo(sourceLid, mad, guid, sweep.rivals().role().code(), isDone);
        return SmVerdict.OK;
    }

    /// Answers managers that have asked before this one knew its port.
    private void answerEarly() {
        if (sweep.view().ownGuid() != 0) {
            guid = sweep.view().ownGuid();
            for (Early next = early.poll(); next != null; next = early.poll()) {
                info(nowNs, next.lid, next.mad);
            }
        }
    }

    private SmVerdict answer(MemorySegment mad) {
        boolean isOurs = Smp.isDirected(mad, 0) && DirectedRoute.DIRECTION.read(mad, 0) == 1;
        int place = isOurs ? sweep.window().find(Mad.transactionId(mad, 0)) : -1;
        if (place < 0) {
            return SmVerdict.NOT_ASKED;
        }
        long task = sweep.window().task(place);
        if (!sweep.isAnswer(task, mad)) {
            return SmVerdict.OTHER_ATTRIBUTE;
        }
        int status = DirectedRoute.STATUS.readInt(mad, 0);
        if (status == MadStatus.BUSY) {
            // The request is sent again after its timeout.
            return SmVerdict.STATUS;
        }
        sweep.window().end(place);
        if (status != MadStatus.OK) {
            sweep.failed(task);
            return SmVerdict.STATUS;
        }
        return sweep.answered(task, mad);
    }

    private SmVerdict trap(long nowNs, int sourceLid, MemorySegment mad) {
        if (sweep.rivals().isStandby()) {
            // It is for the master, which may not have told all nodes yet.
            return SmVerdict.FOREIGN;
        }
        int number = Notice.TRAP_NUMBER.readInt(mad, Smp.DATA);
        boolean isGeneric = Notice.IS_GENERIC.read(mad, Smp.DATA) == 1;
        boolean isKnown = isGeneric && Notices.isTrap(number);
        traps.merge(isKnown ? number : ManagerCounts.OTHER_TRAP, 1L, Long::sum);
        SmVerdict verdict = SmVerdict.OK;
        if (isGeneric && number == Notice.LINK_STATE_CHANGE) {
            verdict = sweep.suspect(nowNs, TrapDetails.TRAP_128_LID.readInt(mad, Smp.DATA));
        } else if (isGeneric && number == Notice.LOCAL_CHANGES) {
            verdict = sweep.suspect(nowNs, TrapDetails.TRAP_144_LID.readInt(mad, Smp.DATA));
        }
        // The trap of a node that is not known yet is to come again.
        if (verdict == SmVerdict.OK) {
            int vertex = sweep.view().vertexAt(sourceLid);
            if (vertex != SubnetGraph.NONE) {
                Gid issuer = new Gid(settings.prefix(), sweep.view().guid(vertex));
                administration.notice(mad.asSlice(Smp.DATA, Notice.LENGTH), issuer, issuer);
            }
            traffic.repress(sourceLid, mad, sweep.key());
        }
        return verdict;
    }

    /// Does what is due: sends again what was not answered, and looks for changes from time to
    /// time.
    public void handleTimeout(long nowNs) {
        this.nowNs = nowNs;
        administration.handleTimeout(nowNs);
        sweep.expire(nowNs);
        sweep.poll(nowNs);
        if (nowNs >= repeatNs && sweep.isIdle()) {
            repeatNs = Long.MAX_VALUE;
            if (sweep.isFencing()) {
                sweep.start(nowNs);
            } else if (!sweep.rivals().isStandby()) {
                sweep.repeat(nowNs);
            }
        }
        if (nowNs >= nextSweepNs) {
            nextSweepNs = nowNs + settings.sweepNs();
            sweep.glance(nowNs);
        }
        sweep.advance(nowNs);
        startAgain();
        settled();
    }

    /// The master is gone, or has handed over.
    private void startAgain() {
        if (sweep.rivals().isStartDue()) {
            start(nowNs);
        }
    }

    /// When [#handleTimeout] is to be called next; `Long.MAX_VALUE`: never.
    public long timeoutNs() {
        long ofSweep = Math.min(nextSweepNs, sweep.window().nextDeadlineNs());
        long ofRepeat = sweep.isIdle() ? repeatNs : Long.MAX_VALUE;
        long ofOthers = Math.min(administration.timeoutNs(), sweep.rivals().timeoutNs());
        return Math.min(ofOthers, Math.min(ofRepeat, ofSweep));
    }

    /// Sends one datagram, if there is one to send and the window is open.
    ///
    /// @return whether one was sent
    public boolean transmit(long nowNs, DatagramSink sink) {
        this.nowNs = nowNs;
        if (traffic.send(sink)
                || administration.transmit(
                        nowNs, (to, mad) -> sink.send(to.lid(), to.queuePair(), mad))) {
            return true;
        }
        boolean isThere = sweep.next(nowNs, buffer);
        if (isThere) {
            sink.send(DatagramSink.DIRECTED, 0, buffer);
        }
        settled();
        return isThere;
    }

    /// The next report, one for each start and for each change.
    public Optional<SweepReport> pollReport() {
        return sweep.pollReport();
    }

    /// Whether there is no work: all of the subnet is as it is to be, as far as nodes let it.
    public boolean isIdle() {
        return sweep.isIdle();
    }

    /// What it is among the managers of the subnet.
    public ManagerRole role() {
        return sweep.rivals().role();
    }

    /// How often datagrams ended in each verdict.
    public Map<SmVerdict, Long> verdicts() {
        return Collections.unmodifiableMap(new EnumMap<>(verdicts));
    }

    /// What it has done so far, as a copy.
    public ManagerCounts counts() {
        Tally.Sums sums = sweep.tally().sums();
        Map<ManagerCounts.Question, Long> questions = new HashMap<>();
        administration
                .questions()
                .forEach(
                        (it, count) ->
                                questions.put(
                                        new ManagerCounts.Question(it.attribute(), it.method()),
                                        count));
        return new ManagerCounts(
                sweep.isUp(),
                sums.fullRounds(),
                sweep.rounds() - sums.fullRounds(),
                sums.requests(),
                sums.retries(),
                sums.failures(),
                sums.blocks(),
                verdicts,
                traps,
                questions);
    }

    /// What the last computation of routes has done, with the engine in use.
    public RoutingReport routing() {
        return sweep.routing();
    }

    /// Writes one of the files that OpenSM writes of a subnet, as the subnet is known now.
    ///
    /// @throws IOException if the receiver does
    public void dump(DumpFile file, Appendable to) throws IOException {
        sweep.dump().write(file, to);
    }

    /// The LID of a port GUID, or of a switch's node GUID; 0 if it has none.
    public int lid(long guid) {
        return sweep.view().lid(guid);
    }

    /// The service level of packets between the ports with two GUIDs, both ways; 0 where any will
    /// do.
    public int level(long guid, long otherGuid) {
        return sweep.view().level(guid, otherGuid);
    }

    /// The port by which a switch sends packets to a LID; 255: none.
    public int forwardingPort(long switchGuid, int lid) {
        return sweep.view().forwardingPort(switchGuid, lid);
    }

    @Override
    public String toString() {
        return "subnet manager: " + sweep;
    }
}
