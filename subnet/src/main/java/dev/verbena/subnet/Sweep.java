package dev.verbena.subnet;

import dev.verbena.subnet.state.Partitions;
import dev.verbena.subnet.state.SubnetState;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.Smp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Optional;

/// The work of a subnet manager, phase by phase. A phase queues its requests, and ends when all of
/// them are answered or given up.
final class Sweep {
    private enum Phase {
        IDLE,
        DISCOVER,
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
    private final FabricView view = new FabricView(this);
    private final PortSetup setup;
    private final RouteRunner runner;
    private final ArrayDeque<SweepReport> reports = new ArrayDeque<>();

    /// Nodes to look at in the next round.
    private final BitSet suspects = new BitSet();

    private SubnetGraph graph;
    private ForwardingTables tables;
    private GroupTables groupTables;
    private GroupTrees groups;
    private KeyTables keys;
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

    Sweep(ManagerSettings settings, RouteRunner runner, SubnetState state) {
        this.settings = settings;
        this.runner = runner;
        this.state = state;
        lids = new LidPlan(state);
        window = new SmpWindow(settings.window());
        setup = new PortSetup(settings.subnetTimeout(), settings.key());
        forget();
    }

    /// Begins with a subnet of which nothing is known.
    private void forget() {
        graph = new SubnetGraph();
        tables = new ForwardingTables();
        groupTables = new GroupTables();
        groups = new GroupTrees(state, groupTables);
        keys = new KeyTables();
        switches = new SwitchGraph(graph);
        isUp = false;
        planned = Partitions.NONE;
        routing = new Routing(settings.engines(), runner, tables);
        discovery = new Discovery(graph, tables, groupTables, keys, tasks, settings.nodesMax());
        requests = new Requests(graph, tables, groupTables, keys, setup, settings.key());
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
        phase = Phase.DISCOVER;
        tally = new Tally(isFull, nowNs);
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
            tally = new Tally(false, nowNs);
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
            if (requests.write(window.task(place), window.transaction(place), to)) {
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
            if (requests.write(task, window.transaction(place), to)) {
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
                    case DESCRIPTION -> {
                        discovery.description(place, mad);
                        yield SmVerdict.OK;
                    }
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
                    case SET_BLOCK -> wrote(place, SmpKind.block(task), mad);
                    case SET_GROUPS -> {
                        int block = SmpKind.block(task);
                        groupTables.written(place, block, mad, Smp.DATA);
                        yield groupTables.isChanged(place, block)
                                ? SmVerdict.NOT_SET
                                : SmVerdict.OK;
                    }
                    case KEYS, SET_KEYS -> {
                        int block = SmpKind.block(task);
                        keys.read(place, block, mad, Smp.DATA);
                        boolean isSet = kind == SmpKind.KEYS || !keys.isChanged(place, block);
                        yield isSet ? SmVerdict.OK : SmVerdict.NOT_SET;
                    }
                };
        tally.failures += verdict == SmVerdict.OK ? 0 : 1;
        return verdict;
    }

    private SmVerdict set(SmpKind kind, int slot, MemorySegment mad) {
        graph.info(slot, mad, Smp.DATA);
        setup.acceptTimeout(graph, slot);
        return requests.isDone(kind, slot, mad) ? SmVerdict.OK : SmVerdict.NOT_SET;
    }

    private SmVerdict wrote(int vertex, int block, MemorySegment mad) {
        byte[] entries = new byte[ForwardingTables.BLOCK];
        MemorySegment.copy(mad, Smp.DATA, MemorySegment.ofArray(entries), 0, entries.length);
        tables.written(vertex, block, entries);
        tally.blocks++;
        return tables.isChanged(vertex, block) ? SmVerdict.NOT_SET : SmVerdict.OK;
    }

    /// A node has refused a request.
    void failed(long task) {
        tally.failures++;
    }

    private void silent(long task) {
        tally.failures++;
        if (phase != Phase.DISCOVER) {
            return;
        }
        SmpKind kind = SmpKind.of(task);
        int place = SmpKind.place(task);
        if (kind == SmpKind.NODE_INFO) {
            discovery.silentPort(place);
        } else {
            discovery.silent(requests.vertex(kind, place));
        }
    }

    /// Goes on to the next phase when there is nothing left in this one.
    void advance(long nowNs) {
        while (phase != Phase.IDLE && window.isEmpty() && tasks.isEmpty() && again.isEmpty()) {
            switch (phase) {
                case DISCOVER -> setUp();
                case SET_UP -> write(nowNs);
                case WRITE -> activate();
                case ACTIVATE -> finish(nowNs);
                case IDLE -> throw new AssertionError("a phase with work");
            }
        }
    }

    private void setUp() {
        phase = Phase.SET_UP;
        graph.walk();
        lids.assign(graph);
        tables.room(graph, lids.top());
        discovery.unsettled().stream()
                .filter(slot -> graph.isPresent(graph.owner(slot)))
                .forEach(slot -> tasks.add(SmpKind.SET_PORT.at(slot)));
        readKeys();
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
        routing.update(switches);
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
        writeState();
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
        isUp = !routing.report().isRefused();
        if (isUp) {
            discovery.unsettled().clear();
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

    @Override
    public String toString() {
        return "%s, %d tasks, %d to send again, in flight %s"
                .formatted(phase, tasks.size(), again.size(), window);
    }

    SubnetGraph graph() {
        return graph;
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

    /// The node with a LID, or [SubnetGraph#NONE].
    int vertexAt(int lid) {
        return lids.vertex(lid);
    }

    long ownGuid() {
        return graph.vertices() == 0 ? 0 : graph.guid(0);
    }

    int lid(long guid) {
        int vertex = graph.vertex(guid);
        return vertex == SubnetGraph.NONE ? 0 : graph.lid(vertex);
    }

    int forwardingPort(long switchGuid, int lid) {
        int vertex = graph.vertex(switchGuid);
        return vertex == SubnetGraph.NONE || !graph.isSwitch(vertex) || lid < 0
                ? ForwardingTables.NOWHERE
                : tables.port(vertex, lid);
    }
}
