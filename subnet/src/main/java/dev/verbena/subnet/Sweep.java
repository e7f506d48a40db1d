package dev.verbena.subnet;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.Partitions;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.Mad;
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
        /// New LIDs are on their way to the state.
        ASSIGN,
        SET_UP,
        WRITE,
        ACTIVATE
    }

    private static final int REPORTS_MAX = 16;

    private final ManagerSettings settings;
    private final SmpWindow window;
    private final LongQueue tasks = new LongQueue();
    private final LongQueue again = new LongQueue();
    private final LidPlan lids;
    private final SubnetState state;
    private final Consumer<Command> proposals;
    private final FabricView view = new FabricView(this);
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
    private Phase phase = Phase.IDLE;
    private Tally tally = new Tally(false, 0);

    /// Whether groups or partitions have changed since their tables were written.
    private boolean isStateNew;

    /// Whether the round is for groups and partitions only, and makes no report.
    private boolean isQuiet;

    /// The partitions of the last round that wrote tables.
    private Partitions planned = Partitions.NONE;

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
        window = new SmpWindow(settings.window());
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
        planned = Partitions.NONE;
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
        requests = new Requests(graph, tables, groupTables, keys, setup, nodeKeys, levels);
    }

    SmpWindow window() {
        return window;
    }

    void start(long nowNs) {
        window.clear();
        tasks.clear();
        again.clear();
        suspects.clear();
        lids.begin();
        awaited = 0;
        forget();
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
        if (phase != Phase.IDLE || graph.vertices() == 0) {
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
        if (phase == Phase.IDLE && !suspects.isEmpty()) {
            begin(false, nowNs);
            suspects.stream().forEach(this::look);
            suspects.clear();
        } else if (phase == Phase.IDLE && isStateNew && isUp) {
            isQuiet = true;
            phase = Phase.SET_UP;
            tally = tally.next(false, nowNs);
            readKeys();
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
                resendLost();
                discovery.walk();
            }
            if (nextAgain(nowNs, to) || nextTask(nowNs, to)) {
                return true;
            }
            advance(nowNs);
            if (tasks.isEmpty() || window.isFull()) {
                return false;
            }
        }
    }

    /// Requests in flight over a link that is gone go again by another route, at once.
    private void resendLost() {
        for (int place = 0; place < window.size(); place++) {
            if (window.isInFlight(place)) {
                long task = window.task(place);
                int vertex = requests.vertex(SmpKind.of(task), SmpKind.place(task));
                if (vertex != SubnetGraph.NONE && !graph.isPathWhole(vertex)) {
                    window.hold(place);
                    again.add(place);
                }
            }
        }
    }

    private boolean nextAgain(long nowNs, MemorySegment to) {
        while (!again.isEmpty()) {
            int place = (int) again.take();
            if (!window.isHeld(place)) {
                // Its answer has come meanwhile.
                continue;
            }
            int retry = window.retries(place) + 1;
            if (requests.write(window.task(place), window.transaction(place), retry, to)) {
                window.again(place, nowNs + settings.timeoutNs());
                tally.requests++;
                tally.retries++;
                return true;
            }
            window.end(place);
        }
        return false;
    }

    private boolean nextTask(long nowNs, MemorySegment to) {
        while (!tasks.isEmpty() && !window.isFull()) {
            long task = tasks.take();
            int place = window.begin(task, nowNs + settings.timeoutNs());
            if (requests.write(task, window.transaction(place), 0, to)) {
                tally.requests++;
                return true;
            }
            window.end(place);
        }
        return false;
    }

    /// Sends again, or gives up, what is due.
    void expire(long nowNs) {
        for (int place = 0; place < window.size(); place++) {
            if (window.isDue(place, nowNs)) {
                if (window.retries(place) < settings.retries()) {
                    window.hold(place);
                    again.add(place);
                } else {
                    long task = window.task(place);
                    window.end(place);
                    silent(task);
                }
            }
        }
    }

    boolean isAnswer(long task, MemorySegment mad) {
        SmpKind kind = SmpKind.of(task);
        return Mad.attributeId(mad, 0) == kind.attributeId()
                && Mad.attributeModifier(mad, 0) == requests.modifier(kind, task);
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
        tally.failures++;
    }

    private void silent(long task) {
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
        while (phase != Phase.IDLE
                && awaited == 0
                && window.isEmpty()
                && tasks.isEmpty()
                && again.isEmpty()) {
            switch (phase) {
                case DISCOVER -> assign();
                case ASSIGN -> setUp();
                case SET_UP -> write(nowNs);
                case WRITE -> activate();
                case ACTIVATE -> finish(nowNs);
                case IDLE -> throw new AssertionError("a phase with work");
            }
        }
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
        readKeys();
        TableReading reading = new TableReading(graph, nodeKeys, tables, groupTables);
        tally.failures += reading.ask(state.groups(), tasks);
    }

    /// Asks for partition tables that are not known, if there are partitions.
    private void readKeys() {
        if (areKeysRight()) {
            return;
        }
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            int blocks = KeyTables.blocks(graph.partitionCap(vertex));
            for (int block = 0; block < blocks && view.isPresent(vertex); block++) {
                if (!keys.isRead(vertex, block)) {
                    tasks.add(SmpKind.KEYS.at(vertex, block));
                }
            }
        }
    }

    private void write(long nowNs) {
        if (isQuiet) {
            phase = Phase.WRITE;
            writeState();
            return;
        }
        switches = new SwitchGraph(graph);
        routing.update(switches, levels.least());
        if (routing.report().isRefused()) {
            finish(nowNs);
            return;
        }
        phase = Phase.WRITE;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!graph.isSwitch(vertex) || !graph.isPresent(vertex)) {
                continue;
            }
            int top = requests.top(vertex);
            tally.failures += top < lids.top() ? 1 : 0;
            if (requests.isTopOther(vertex)) {
                tasks.add(SmpKind.SET_SWITCH.at(vertex));
            }
            for (int block = 0; block <= top / ForwardingTables.BLOCK; block++) {
                if (tables.isChanged(vertex, block)) {
                    tasks.add(SmpKind.SET_BLOCK.at(vertex, block));
                }
            }
        }
        writeLevels();
        writeState();
    }

    /// Writes tables of lanes, and tells nodes their service level to the manager.
    private void writeLevels() {
        boolean areLanesUsed = settings.lanes() > 0 || routing.report().lanes() > 1;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (view.isPresent(vertex)) {
                if (areLanesUsed) {
                    levels.queue(vertex, tasks);
                }
                if (setup.isLevelOther(graph, vertex)) {
                    tasks.add(SmpKind.SET_PORT.at(graph.ownSlot(vertex)));
                }
            }
        }
    }

    /// Whether no partition table can have to change: in a round that groups have caused.
    private boolean areKeysRight() {
        Partitions now = state.partitions();
        return now.isNone() || (isQuiet && now.equals(planned));
    }

    /// Writes blocks of multicast and partition tables that differ.
    private void writeState() {
        isStateNew = false;
        groups.update(graph, switches, !isQuiet);
        Partitions partitions = state.partitions();
        boolean areRight = areKeysRight();
        planned = partitions;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!view.isPresent(vertex)) {
                continue;
            }
            for (int block : groupTables.changed(vertex)) {
                tasks.add(SmpKind.SET_GROUPS.at(vertex, block));
            }
            if (areRight) {
                continue;
            }
            int cap = graph.partitionCap(vertex);
            tally.failures += keys.plan(vertex, cap, partitions.keys(view.member(vertex)));
            for (int block = 0; block < KeyTables.blocks(cap); block++) {
                if (keys.isChanged(vertex, block)) {
                    tasks.add(SmpKind.SET_KEYS.at(vertex, block));
                }
            }
        }
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
        return "%s, %d tasks, %d to send again, in flight %s"
                .formatted(phase, tasks.size(), again.size(), window);
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
