package dev.verbena.fabric;

/// In which lane a packet goes on, in a shape with cycles. Where every route uses lanes in an
/// order, no packets wait for each other in a circle (Dally and Seitz).
///
/// A class from 0 to 3 has two lanes, its own and one that is [#RAISED] above it.
interface LaneRule {
    /// Classes that flows may use.
    int CLASSES = 4;

    /// From the lane of a class to its other one.
    int RAISED = CLASSES;

    /// The lane in which a packet leaves a switch.
    ///
    /// @param node the switch
    /// @param in port by which the packet came, in this lane
    /// @param out port by which it leaves
    int lane(int node, int in, int out, int lane);

    static int base(int lane) {
        return lane & (CLASSES - 1);
    }

    static int raised(int lane) {
        return base(lane) + RAISED;
    }
}
