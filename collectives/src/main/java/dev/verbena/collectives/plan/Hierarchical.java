package dev.verbena.collectives.plan;

/// An all-reduce that sends little between hosts: the ranks of a host sum up one part each, ranks
/// of the same index sum up that part between hosts, and the ranks of a host tell each other.
///
/// The vector is cut into chunks. Each chunk goes through the three phases, and while one is
/// between hosts the next is within the host: the lane 0 is the first phase, the lanes 1 to n the
/// second, in turn for each chunk, the last lane the third. Chunks have one of two sizes, so that
/// two sets of plans serve all of them.
final class Hierarchical implements Plan {
    private record Phases(Plan scatter, Plan between, Plan gather, long ownStart) {}

    /// The messages of a lane: so many longer chunks, then the others.
    private record Series(int longer, int chunks, int inLonger, int inShorter) {
        int before(int chunk) {
            int more = Math.min(chunk, longer);
            return more * inLonger + (chunk - more) * inShorter;
        }

        int chunkOf(int index) {
            int split = longer * inLonger;
            return index < split ? index / inLonger : longer + (index - split) / inShorter;
        }

        int total() {
            return before(chunks);
        }
    }

    private final long count;
    private final int group;
    private final int host;
    private final int local;
    private final int chunks;
    private final int rings;
    private final Phases longer;
    private final Phases shorter;
    private final Series[] sends;
    private final Series[] receives;

    private Hierarchical(Shape shape, boolean halving) {
        count = shape.count();
        group = shape.groupSize();
        host = shape.rank() / group;
        local = shape.rank() % group;
        long wanted = Math.ceilDiv(count, shape.size() * shape.pieceElements());
        chunks = Math.toIntExact(Math.max(1, wanted));
        Blocks.requireCountable((long) chunks * 2 * shape.size(), shape.pieceElements());
        rings = Math.min(shape.lanes(), chunks);
        shorter = phases(shape, count / chunks, halving);
        longer = count % chunks == 0 ? shorter : phases(shape, count / chunks + 1, halving);
        sends = new Series[rings + 2];
        receives = new Series[rings + 2];
        for (int lane = 0; lane < rings + 2; lane++) {
            Plan more = phase(longer, lane);
            Plan less = phase(shorter, lane);
            int inLane = chunksBefore(lane, chunks);
            int longInLane = chunksBefore(lane, (int) (count % chunks));
            sends[lane] = new Series(longInLane, inLane, more.sends(0), less.sends(0));
            receives[lane] = new Series(longInLane, inLane, more.receives(0), less.receives(0));
        }
    }

    /// With a ring between hosts, or with halving and doubling.
    static Plan of(Shape shape, boolean halving) {
        return switch (shape.operation()) {
            case ALL_REDUCE -> new Hierarchical(shape, halving);
            default -> new HierarchicalBlocks(shape);
        };
    }

    private static Phases phases(Shape shape, long chunk, boolean halving) {
        int group = shape.groupSize();
        int hosts = shape.size() / group;
        int local = shape.rank() % group;
        int host = shape.rank() / group;
        long piece = shape.pieceElements();
        Blocks[] within = {Blocks.split(chunk, group, piece)};
        long own = within[0].count(local);
        Collective whole = Collective.ALL_REDUCE;
        Plan between =
                halving
                        ? HalvingDoubling.of(Shape.of(whole, host, hosts, own).withPieces(piece))
                        : new Ring(whole, host, hosts, Blocks.split(own, hosts, piece).byLane(1));
        return new Phases(
                new Pairwise(Collective.REDUCE_SCATTER, local, group, 0, within, within),
                between,
                new Pairwise(Collective.ALL_GATHER, local, group, 0, within, within),
                within[0].start(local));
    }

    @Override
    public int lanes() {
        return rings + 2;
    }

    @Override
    public int sends(int lane) {
        return sends[lane].total();
    }

    @Override
    public int receives(int lane) {
        return receives[lane].total();
    }

    @Override
    public void send(int lane, int index, Step into) {
        int inLane = sends[lane].chunkOf(index);
        int chunk = chunk(lane, inLane);
        Phases phases = phases(chunk);
        phase(phases, lane).send(0, index - sends[lane].before(inLane), into);
        place(lane, chunk, phases, into);
        if (gathers(lane)) {
            int ring = 1 + chunk % rings;
            into.afterReceives(ring, receives[ring].before(chunk / rings + 1));
        } else {
            wait(lane, inLane, chunk, into);
        }
    }

    @Override
    public void receive(int lane, int index, Step into) {
        int inLane = receives[lane].chunkOf(index);
        int chunk = chunk(lane, inLane);
        Phases phases = phases(chunk);
        phase(phases, lane).receive(0, index - receives[lane].before(inLane), into);
        place(lane, chunk, phases, into);
        if (gathers(lane)) {
            into.afterSends(0, sends[0].before(chunk + 1));
        } else {
            wait(lane, inLane, chunk, into);
        }
    }

    /// Counts of one chunk become counts of the lane. Between hosts, what does not wait for its own
    /// lane waits for the sums of the host.
    private void wait(int lane, int inLane, int chunk, Step into) {
        if (into.sends > 0) {
            into.afterSends(lane, into.sends + sends[lane].before(inLane));
        }
        if (into.receives > 0) {
            into.afterReceives(lane, into.receives + receives[lane].before(inLane));
        } else if (lane > 0) {
            into.afterReceives(0, receives[0].before(chunk + 1));
        }
    }

    /// Ranks and offsets of a phase become those of the whole. Sums arise in the output, at the
    /// place of the rank's own part.
    private void place(int lane, int chunk, Phases phases, Step into) {
        boolean between = lane > 0 && !gathers(lane);
        into.peer = between ? into.peer * group + local : host * group + into.peer;
        long start = Blocks.partStart(count, chunks, chunk);
        into.offset += start + own(lane, into.place, phases);
        into.operandOffset += start + own(lane, into.operand, phases);
        if (lane > 0) {
            into.place = Place.OUTPUT;
            into.operand = Place.OUTPUT;
        }
    }

    private long own(int lane, Place place, Phases phases) {
        boolean whole = lane == 0 ? place == Place.INPUT : gathers(lane) && place == Place.OUTPUT;
        return whole ? 0 : phases.ownStart;
    }

    private Phases phases(int chunk) {
        return chunk < count % chunks ? longer : shorter;
    }

    private Plan phase(Phases phases, int lane) {
        return lane == 0 ? phases.scatter : gathers(lane) ? phases.gather : phases.between;
    }

    private boolean gathers(int lane) {
        return lane == rings + 1;
    }

    private int chunk(int lane, int inLane) {
        return lane == 0 || gathers(lane) ? inLane : inLane * rings + lane - 1;
    }

    /// How many of the first chunks a lane carries.
    private int chunksBefore(int lane, int chunk) {
        if (lane == 0 || gathers(lane)) {
            return chunk;
        }
        return Math.max(0, Math.ceilDiv(chunk - (lane - 1), rings));
    }
}
