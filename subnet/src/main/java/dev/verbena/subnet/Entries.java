package dev.verbena.subnet;

/// Turns routes into entries of forwarding tables: for each switch and LID one port of those that
/// begin a route.
///
/// The choice follows from the fabric and the LID alone, not from what was chosen before: so tasks
/// may run in any order, and a change of one link computes what a new computation would.
final class Entries {
    private static final int UNKNOWN = -1;

    private final SwitchGraph graph;
    private final Tiers tiers;
    private final Routes routes;
    private final ForwardingTables tables;
    private final boolean isLayered;

    Entries(
            SwitchGraph graph,
            Preparation.Accepted prepared,
            Routes routes,
            ForwardingTables tables) {
        this.graph = graph;
        tiers = prepared.tiers();
        isLayered = prepared.isLayered();
        this.routes = routes;
        this.tables = tables;
    }

    /// Writes the entries of all switches for the LIDs at a destination.
    void ofDestination(int destination) {
        int[] choices = new int[1];
        for (int index = 0; index < graph.count(); index++) {
            choices = write(destination, index, choices);
        }
    }

    /// Writes the entries of a switch for all LIDs.
    void ofSwitch(int index) {
        int[] choices = new int[1];
        for (int destination = 0; destination < graph.count(); destination++) {
            choices = write(destination, index, choices);
        }
    }

    /// Writes the entries of one switch for the LIDs at one destination.
    ///
    /// @param scratch room for links, which is grown where it is too small
    private int[] write(int destination, int index, int[] scratch) {
        byte[] table = tables.wanted(graph.vertex(index));
        int first = graph.firstLid(destination);
        int end = graph.endLid(destination);
        if (index == destination) {
            for (int at = first; at < end; at++) {
                put(table, graph.lid(at), graph.lidPort(at));
            }
            return scratch;
        }
        int[] choices = scratch;
        int count = UNKNOWN;
        boolean isUp = routes.isUp(destination, index);
        for (int at = first; at < end; at++) {
            int lid = graph.lid(at);
            if (lid == 0) {
                // A node that was lost before it got one, or for which there was none left.
                continue;
            }
            // Nearly all entries of a large fabric are of this kind, and need no look at all links.
            int link = isUp ? tiers.uplink(index, graph.place(lid)) : -1;
            if (link < 0 || !routes.leads(destination, index, link)) {
                if (count == UNKNOWN) {
                    choices = room(choices, index);
                    count = routes.choices(destination, index, choices);
                    // Lanes were chosen for one route of each pair of switches.
                    count = isLayered ? routes.parallel(choices, count) : count;
                }
                link = choose(destination, index, lid, choices, count);
            }
            put(table, lid, link < 0 ? ForwardingTables.NOWHERE : graph.port(link));
        }
        return choices;
    }

    private int[] room(int[] scratch, int index) {
        int degree = graph.endLink(index) - graph.firstLink(index);
        return degree <= scratch.length ? scratch : new int[degree];
    }

    private static void put(byte[] table, int lid, int port) {
        if (lid != 0) {
            table[lid] = (byte) port;
        }
    }

    private int choose(int destination, int index, int lid, int[] choices, int count) {
        if (count < 2) {
            return count == 0 ? -1 : choices[0];
        }
        if (isLayered || !tiers.isUp(choices[0])) {
            // The LIDs of one host take one link after the other.
            return choices[(spread(graph.stem(lid)) % count + graph.pathBits(lid)) % count];
        }
        int place = graph.place(lid);
        int link = tiers.uplink(index, place);
        boolean isThere = link >= 0 && routes.leads(destination, index, link);
        return isThere ? link : choices[tiers.other(index, place, count)];
    }

    /// A number that differs from LID to LID without a pattern that the choices of other switches
    /// could have too.
    private static int spread(int lid) {
        int mixed = lid * 0x9E37_79B1;
        return (mixed ^ mixed >>> 15) >>> 1;
    }
}
