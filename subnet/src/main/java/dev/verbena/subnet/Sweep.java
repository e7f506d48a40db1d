package dev.verbena.subnet;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The work of a subnet manager, phase by phase. A phase queues its requests, and ends when all of
/// them are answered or given up.
final class Sweep {
    private enum Phase {
        IDLE,
        DISCOVER,
        /// Other managers are asked what they are.
        MEET,
        /// New LIDs are on their way to the state.
        ASSIGN,
        SET_UP,
        WRITE,
        ACTIVATE
    }

    private static final int REPORTS_MAX = 16;

    private final ManagerSettings settings;
    private final LongQueue tasks = new LongQueue();
    private final SmpSender sender;
    private final LidPlan lids;
    private final SubnetState state;
    private final Consumer<Command> proposals;
    private final FabricView view = new FabricView(this);
    private final Rivals rivals;
    private final RouteRunner runner;
    private final ArrayDeque<SweepReport> reports = new ArrayDeque<>();

    /// Nodes to look at in the next round.
    private final BitSet suspects = new BitSet();

    private SubnetGraph graph;
    private ForwardingTables tables;
    private GroupTables groupTables;
    private GroupTrees groups;
    private KeyTables keys;
    private LevelTables levels;
    private TableAnswers answers;
    private NodeKeys nodeKeys;
    private PortSetup setup;
    private SwitchGraph switches;
    private Routing routing;
    private Discovery discovery;
    private Requests requests;
    private TableWriting writing;
    private Phase phase = Phase.IDLE;
    private Tally tally = new Tally(false, 0);

    /// Whether groups or partitions have changed since their tables were written.
    private boolean isStateNew;

    /// Whether the round is for groups and partitions only, and makes no report.
    private boolean isQuiet;

    private boolean isUp;
    private long rounds;
    private boolean isSure;

    private final Unanswered unanswered = new Unanswered();

    /// Commands of this round that the state has not got yet.
    private int awaited;

    /// @param proposals takes commands; [#applied] follows for each
    Sweep(
            ManagerSettings settings,
            RouteRunner runner,
            SubnetState state,
            Consumer<Command> proposals) {
        this.settings = settings;
        this.runner = runner;
        this.state = state;
        this.proposals = proposals;
        lids = new LidPlan(state, settings.lmc());
        rivals = new Rivals(settings.priority());
        sender = new SmpSender(settings, tasks);
        forget();
    }

    /// Begins with a subnet of which nothing is known.
    private void forget() {
        graph = new SubnetGraph(settings.lmc());
        tables = new ForwardingTables();
        groupTables = new GroupTables();
        groups = new GroupTrees(state, groupTables);
        keys = new KeyTables();
        nodeKeys = new NodeKeys(state.terms(), settings.key(), rounds > 0);
        levels = new LevelTables(graph, settings.lanes());
        answers = new TableAnswers(tables, groupTables, keys, levels);
        setup = new PortSetup(settings, nodeKeys, it -> Math.max(0, level(it, 0)));
        switches = new SwitchGraph(graph);
        isUp = false;
        routing = new Routing(settings.engines(), runner, tables);
        discovery =
                new Discovery(
                        graph,
                        tables,
                        groupTables,
                        keys,
                        nodeKeys,
                        levels,
                        tasks,
                        settings.nodesMax());
        requests = new Requests(graph, tables, groupTables, keys, setup, nodeKeys, levels, rivals);
        writing =
                new TableWriting(
                        graph,
                        view,
                        state,
                        tasks,
                        tables,
                        groupTables,
                        groups,
                        keys,
                        levels,
                        requests);
    }

    SmpWindow window() {
        return sender.window();
    }

    void start(long nowNs) {
        sender.clear();
        suspects.clear();
        lids.begin();
        awaited = 0;
        forget();
        rivals.start(nodeKeys.isFencing());
        begin(true, nowNs);
        discovery.look();
    }

    /// A group or the partitions have changed.
    ///
    /// @param groupLids those of groups
    void stateChanged(long nowNs, Iterable<Integer> groupLids) {
        groupLids.forEach(groups::touch);
        isStateNew = true;
        nextRound(nowNs);
    }

    private void begin(boolean isFull, long nowNs) {
        isQuiet = false;
        unanswered.clear();
        phase = Phase.DISCOVER;
        tally = tally.next(isFull, nowNs);
        discovery.begin();
    }

    /// Asks all switches whether their ports have changed.
    void glance(long nowNs) {
        if (phase != Phase.IDLE || graph.vertices() == 0 || rivals.isStandby()) {
            return;
        }
        begin(false, nowNs);
        // The own port first: if its link is gone, the others are not asked in vain.
        discovery.ask(graph.ownSlot(0));
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (graph.isSwitch(vertex) && graph.isPresent(vertex)) {
                tasks.add(SmpKind.SWITCH_INFO.at(vertex));
            }
        }
    }

    /// Sends again what had no answer in the last round, after a look at the ports that it is for.
    void repeat(long nowNs) {
        int[] slots = unanswered.ports().stream().toArray();
        begin(false, nowNs);
        for (int slot : slots) {
            if (graph.isPresent(graph.owner(slot))) {
                discovery.ask(slot);
            }
        }
    }

    /// Whether a Set of the last round had no answer.
    boolean hasUnanswered() {
        return unanswered.isAny();
    }

    /// A node has reported a change.
    SmVerdict suspect(long nowNs, int lid) {
        int vertex = lids.vertex(lid);
        if (vertex == SubnetGraph.NONE || vertex >= graph.vertices()) {
            return SmVerdict.UNKNOWN_ISSUER;
        }
        if (phase == Phase.DISCOVER && !discovery.isScanned(vertex)) {
            look(vertex);
        } else {
            suspects.set(vertex);
            nextRound(nowNs);
        }
        return SmVerdict.OK;
    }

    private void nextRound(long nowNs) {
        if (rivals.isStandby()) {
            return;
        }
        if (phase == Phase.IDLE && !suspects.isEmpty()) {
            begin(false, nowNs);
            suspects.stream().forEach(this::look);
            suspects.clear();
        } else if (phase == Phase.IDLE && isStateNew && isUp) {
            isQuiet = true;
            phase = Phase.SET_UP;
            tally = tally.next(false, nowNs);
            writing.readKeys(true);
        }
    }

    private void look(int vertex) {
        if (graph.isSwitch(vertex)) {
            discovery.scan(vertex);
        } else {
            discovery.ask(graph.ownSlot(vertex));
        }
    }

    /// Writes the next request, of the next phase too when there is none left in this one.
    boolean next(long nowNs, MemorySegment to) {
        while (true) {
            if (discovery.isWalkDue()) {
                sender.resendLost(requests, graph);
                discovery.walk();
            }
            if (sender.next(nowNs, requests, tally, to)) {
                return true;
            }
            advance(nowNs);
            if (tasks.isEmpty() || window().isFull()) {
                return false;
            }
        }
    }

    /// Sends again, or gives up, what is due.
    void expire(long nowNs) {
        sender.expire(nowNs, this::silent);
    }

    boolean isAnswer(long task, MemorySegment mad) {
        return SmpSender.isAnswer(task, requests, mad);
    }

    SmVerdict answered(long task, MemorySegment mad) {
        SmpKind kind = SmpKind.of(task);
        int place = SmpKind.place(task);
        SmVerdict verdict =
                switch (kind) {
                    case NODE_INFO -> discovery.nodeInfo(place, mad);
                    case DESCRIPTION -> discovery.description(place, mad);
                    case SWITCH_INFO -> discovery.switchInfo(place, mad);
                    case PORT_INFO -> discovery.portInfo(place, mad);
                    case SET_PORT, ACTIVATE -> set(kind, place, mad);
                    case SET_SWITCH -> {
                        discovery.keep(place, mad);
                        if (SmpKind.block(task) == Requests.CLEAR) {
                            discovery.askAll(place);
                        }
                        yield SmVerdict.OK;
                    }
                    case FENCE -> discovery.fenced(place);
                    case SM_INFO, SET_SM_INFO -> {
                        rivals.answered(task, mad, view.ownGuid());
                        yield SmVerdict.OK;
                    }
                    default -> answers.take(task, mad);
                };
        tally.failures += verdict == SmVerdict.OK ? 0 : 1;
        tally.blocks += kind == SmpKind.SET_BLOCK ? 1 : 0;
        return verdict;
    }

    private SmVerdict set(SmpKind kind, int slot, MemorySegment mad) {
        graph.info(slot, mad, Smp.DATA);
        setup.acceptTimeout(graph, slot);
        return requests.isDone(kind, slot, mad) ? SmVerdict.OK : SmVerdict.NOT_SET;
    }

    /// A node has refused a request.
    void failed(long task) {
        tally.failures += rivals.unanswered(task) ? 0 : 1;
    }

    private void silent(long task) {
        if (rivals.unanswered(task)) {
            return;
        }
        tally.failures++;
        SmpKind kind = SmpKind.of(task);
        int place = SmpKind.place(task);
        if (phase != Phase.DISCOVER) {
            unanswered.add(kind, place);
            return;
        }
        if (kind == SmpKind.NODE_INFO) {
            discovery.silentPort(place);
        } else {
            discovery.silent(requests.vertex(kind, place));
        }
    }

    /// Goes on to the next phase when there is nothing left in this one.
    void advance(long nowNs) {
        while (phase != Phase.IDLE && awaited == 0 && sender.isDone()) {
            switch (phase) {
                case DISCOVER -> meet();
                case MEET -> decide(nowNs);
                case ASSIGN -> setUp();
                case SET_UP -> write(nowNs);
                case WRITE -> activate();
                case ACTIVATE -> finish(nowNs);
                case IDLE -> throw new AssertionError("a phase with work");
            }
        }
    }

    private void meet() {
        phase = Phase.MEET;
        if (!nodeKeys.isFencing()) {
            rivals.ask(graph, tasks);
        }
    }

    private void decide(long nowNs) {
        if (rivals.goesOn(nowNs)) {
            assign();
        } else {
            standBy();
        }
    }

    /// Leaves the subnet to another manager; the way to it stays known.
    private void standBy() {
        phase = Phase.IDLE;
        isUp = false;
        sender.clear();
        suspects.clear();
    }

    /// Another manager has set SMInfo here.
    ///
    /// @param modifier what it wants
    /// @return whether that was done
    boolean told(long nowNs, int modifier, long guid) {
        if (modifier == Rivals.ACKNOWLEDGE && rivals.acknowledged(guid, nowNs)) {
            standBy();
            return true;
        }
        if (modifier == Rivals.HANDOVER && rivals.handedOver(guid)) {
            tasks.add(SmpKind.SET_SM_INFO.at(rivals.masterVertex(), Rivals.ACKNOWLEDGE));
            return true;
        }
        return false;
    }

    private void assign() {
        phase = Phase.ASSIGN;
        graph.walk();
        List<Command> commands = lids.assign(graph);
        awaited = commands.size();
        commands.forEach(proposals);
    }

    /// A command of this round is in the state.
    void applied() {
        awaited--;
    }

    private void setUp() {
        phase = Phase.SET_UP;
        tables.room(graph, lids.top());
        discovery.unsettled().stream()
                .filter(slot -> graph.isPresent(graph.owner(slot)))
                .forEach(slot -> tasks.add(SmpKind.SET_PORT.at(slot)));
        writing.readKeys(false);
        TableReading reading = new TableReading(graph, nodeKeys, tables, groupTables);
        tally.failures += reading.ask(state.groups(), tasks);
    }

    private void write(long nowNs) {
        if (!isQuiet) {
            switches = new SwitchGraph(graph);
            routing.update(switches, levels.least());
            if (routing.report().isRefused()) {
                finish(nowNs);
                return;
            }
            tally.failures += writing.writeRoutes(lids.top());
            boolean areLanesUsed = settings.lanes() > 0 || routing.report().lanes() > 1;
            writing.writeLevels(setup, areLanesUsed);
        }
        phase = Phase.WRITE;
        isStateNew = false;
        tally.failures += writing.writeState(switches, isQuiet);
    }

    private void activate() {
        phase = Phase.ACTIVATE;
        if (isQuiet) {
            return;
        }
        discovery.unsettled().stream()
                .filter(slot -> graph.isPresent(graph.owner(slot)))
                .forEach(slot -> tasks.add(SmpKind.ACTIVATE.at(slot)));
    }

    private void finish(long nowNs) {
        phase = Phase.IDLE;
        if (isQuiet) {
            nextRound(nowNs);
            return;
        }
        rounds++;
        isSure = tally.failures == 0;
        isUp = !routing.report().isRefused();
        if (isUp) {
            discovery.unsettled().clear();
            discovery.unsettled().or(unanswered.ports());
        }
        if (reports.size() == REPORTS_MAX) {
            reports.removeFirst();
        }
        reports.add(tally.report(graph, routing.report(), nowNs));
        rivals.heir()
                .filter(_ -> isUp)
                .ifPresent(it -> tasks.add(SmpKind.SET_SM_INFO.at(it.vertex(), Rivals.HANDOVER)));
        nextRound(nowNs);
    }

    Optional<SweepReport> pollReport() {
        return Optional.ofNullable(reports.poll());
    }

    boolean isIdle() {
        return phase == Phase.IDLE;
    }

    RoutingReport routing() {
        return routing.report();
    }

    Tally tally() {
        return tally;
    }

    SubnetDump dump() {
        return new SubnetDump(view, groupTables);
    }

    @Override
    public String toString() {
        return "%s, %s".formatted(phase, sender);
    }

    SubnetGraph graph() {
        return graph;
    }

    ManagerSettings settings() {
        return settings;
    }

    FabricView view() {
        return view;
    }

    /// Whether routes of the last look at the fabric are written.
    boolean isUp() {
        return isUp;
    }

    /// Rounds that looked at the fabric and have ended.
    long rounds() {
        return rounds;
    }

    /// Whether in the last of them every request was answered.
    boolean isSure() {
        return isSure;
    }

    Rivals rivals() {
        return rivals;
    }

    /// Asks the master whether it lives, if another manager is it.
    void poll(long nowNs) {
        rivals.poll(nowNs, tasks);
    }

    /// The node with a LID, or [SubnetGraph#NONE].
    int vertexAt(int lid) {
        return lids.vertex(lid);
    }

    /// Whether nodes get the key of a term.
    boolean isFencing() {
        return nodeKeys.isFencing();
    }

    long key() {
        return nodeKeys.current();
    }

    /// The service level of packets between two nodes; -1 if the engine leaves it open.
    int level(int vertex, int other) {
        return routing.level(vertex, other);
    }

    ForwardingTables tables() {
        return tables;
    }
}
