package dev.verbena.collectives.plan;

/// One message of a [Plan], or one local copy. A plan fills it in; one object serves many steps.
///
/// Counts and offsets are in elements.
public final class Step {
    /// The rank at the other end; the rank itself for a copy.
    public int peer;

    /// Number of elements, at least 1.
    public long count;

    /// The memory to send from; for a receive or a copy, the memory to write to.
    public Place place = Place.OUTPUT;

    public long offset;

    /// Whether a receive combines: then `place` becomes `operand` combined with what arrives.
    /// Otherwise it becomes what arrives.
    public boolean combines;

    /// The other operand of a receive that combines; the source of a copy.
    public Place operand = Place.OUTPUT;

    public long operandOffset;

    /// The step waits until this many receives of the lane [#receivesLane] are done.
    public int receives;

    public int receivesLane;

    /// The step waits until the peers have acknowledged the first so many sends of the lane
    /// [#sendsLane]: until then their memory must not change.
    public int sends;

    public int sendsLane;

    /// A step that a plan fills in.
    public Step() {}

    /// Makes it a message of this many elements that waits for nothing.
    public Step set(int peerRank, long elements, Place where, long at) {
        peer = peerRank;
        count = elements;
        place = where;
        offset = at;
        combines = false;
        operand = where;
        operandOffset = at;
        receives = 0;
        receivesLane = 0;
        sends = 0;
        sendsLane = 0;
        return this;
    }

    /// What arrives is combined with this.
    public Step with(Place where, long at) {
        combines = true;
        operand = where;
        operandOffset = at;
        return this;
    }

    /// The source of a local copy.
    public Step from(Place where, long at) {
        operand = where;
        operandOffset = at;
        return this;
    }

    public Step afterReceives(int lane, int count) {
        receivesLane = lane;
        receives = count;
        return this;
    }

    public Step afterSends(int lane, int count) {
        sendsLane = lane;
        sends = count;
        return this;
    }
}
