package dev.verbena.transport;

/// The parts of a device that its queue pairs share: a directory, without behaviour of its own.
final class Engine {
    final TransportOptions options;
    final Notices notices;
    final Door door;
    final Counters counters = new Counters();
    final WorkSlab work;
    final InlineStore inline;
    final MemoryTable memory;
    final WindowTable windows;
    final SharedReceivesTable shared;
    final MulticastTable multicast;
    final QueuePairTable pairs;
    final Scheduler scheduler;
    final DeviceWindow window;
    final TimerQueue timers = new TimerQueue();
    final EventQueue events;
    final PathTable paths;
    final Placement placement;
    final GlobalHeader globalHeader;
    final LocalWork local;
    final RequestWriter requestWriter;
    final ResponseWriter responseWriter;
    final Admission admission = new Admission(counters);
    final Congestion congestion = new Congestion(this);
    final Completer completer;
    final LossRecovery recovery;
    final TailProbe probe = new TailProbe(this);
    final BatchPool batches;
    final GeneralServices services;

    Engine(TransportOptions options) {
        this.options = options;
        notices = options.notices;
        door = new Door(options.guard, notices);
        work = new WorkSlab(options.limits.workRequestsInAll());
        inline = new InlineStore(options.limits.inlineBytes());
        memory = new MemoryTable(options.limits.memoryRegions(), options.random, counters);
        windows = new WindowTable(options, work, memory);
        shared = new SharedReceivesTable(options);
        multicast = new MulticastTable(this);
        pairs = new QueuePairTable(options);
        scheduler = new Scheduler(options);
        window = new DeviceWindow(options.windowInAll);
        events = new EventQueue(options.limits.pendingEvents(), counters);
        paths = new PathTable(options);
        placement = new Placement(work, inline, memory);
        globalHeader = new GlobalHeader(options);
        local = new LocalWork(this);
        requestWriter = new RequestWriter(this);
        responseWriter = new ResponseWriter(this);
        completer = new Completer(this);
        recovery = new GoBackN(counters);
        batches = new BatchPool(this);
        services = new GeneralServices(this);
    }

    /// Gives up a work request that is over: its slot, its bytes, its hold on memory.
    void retire(int slot) {
        int pieces = work.pieces(slot);
        for (int i = 0; i < pieces; i++) {
            int region = work.pieceRegion(slot, i);
            if (region == Placement.INLINE) {
                inline.give(inline.blockOf(work.pieceOffset(slot, i)));
            } else {
                memory.region(region).release();
            }
        }
        if (work.kind(slot) == Work.BIND_WINDOW) {
            windows.retire(slot);
        } else if (work.has(slot, Work.ADDRESSED)) {
            paths.release(RequestWriter.wayOf(work, slot));
        }
        work.give(slot);
    }
}
