package dev.verbena.subnet;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// The switches of a subnet, as routes see them: links between switches, and the LIDs at each.
///
/// Switches are numbered by GUID, so that the numbers do not depend on the order in which answers
/// came. A switch that is not present has no links. A host that is not present keeps its LID at the
/// port where it was last; only the switch with that port drops packets to it, so that a host that
/// goes and comes back changes one block of one table.
final class SwitchGraph {
    private final SubnetGraph subnet;
    private final int[] vertices;

    /// By vertex, the number of a switch.
    private final int[] numbers;

    /// By switch, where its links begin; the last is the end.
    private final int[] firstLink;

    /// By link.
    private final int[] to;

    private final int[] port;

    /// By switch, where its LIDs begin; the first is its own.
    private final int[] firstLid;

    private final int[] lids;
    private final int[] lidPorts;

    SwitchGraph(SubnetGraph subnet) {
        this.subnet = subnet;
        vertices =
                IntStream.range(0, subnet.vertices())
                        .filter(subnet::isSwitch)
                        .boxed()
                        .sorted(Comparator.comparing(subnet::guid, Long::compareUnsigned))
                        .mapToInt(Integer::intValue)
                        .toArray();
        numbers = new int[subnet.vertices()];
        for (int i = 0; i < vertices.length; i++) {
            numbers[vertices[i]] = i;
        }
        firstLink = new int[vertices.length + 1];
        int links = 0;
        for (int i = 0; i < vertices.length; i++) {
            firstLink[i] = links;
            links += countLinks(vertices[i]);
        }
        firstLink[vertices.length] = links;
        to = new int[links];
        port = new int[links];
        for (int i = 0; i < vertices.length; i++) {
            fillLinks(i);
        }
        firstLid = new int[vertices.length + 1];
        int[][] found = findLids();
        lids = found[0];
        lidPorts = found[1];
    }

    private int countLinks(int vertex) {
        int links = 0;
        for (int number = 1; number <= subnet.ports(vertex); number++) {
            links += isLink(vertex, number) ? 1 : 0;
        }
        return links;
    }

    /// A link to another switch. A cable from a switch to itself is none.
    private boolean isLink(int vertex, int number) {
        int other = subnet.neighbour(subnet.slot(vertex, number));
        return other != SubnetGraph.NONE
                && other != vertex
                && subnet.isSwitch(other)
                && subnet.isPresent(vertex);
    }

    private void fillLinks(int index) {
        int vertex = vertices[index];
        int at = firstLink[index];
        for (int number = 1; number <= subnet.ports(vertex); number++) {
            if (isLink(vertex, number)) {
                to[at] = numbers[subnet.neighbour(subnet.slot(vertex, number))];
                port[at] = number;
                at++;
            }
        }
    }

    private int[][] findLids() {
        int[] counts = new int[vertices.length];
        Arrays.fill(counts, 1);
        for (int vertex = 0; vertex < subnet.vertices(); vertex++) {
            if (hasHome(vertex)) {
                counts[numbers[subnet.owner(subnet.home(vertex))]] += 1 << subnet.lmc();
            }
        }
        int total = 0;
        for (int i = 0; i < vertices.length; i++) {
            firstLid[i] = total;
            total += counts[i];
        }
        firstLid[vertices.length] = total;
        int[] allLids = new int[total];
        int[] allPorts = new int[total];
        int[] next = Arrays.copyOf(firstLid, vertices.length);
        for (int i = 0; i < vertices.length; i++) {
            allLids[next[i]++] = subnet.lid(vertices[i]);
        }
        for (int vertex = 0; vertex < subnet.vertices(); vertex++) {
            if (hasHome(vertex)) {
                int home = subnet.home(vertex);
                boolean isThere = subnet.neighbour(home) == vertex;
                for (int i = 0; i < 1 << subnet.lmc(); i++) {
                    int at = next[numbers[subnet.owner(home)]]++;
                    allLids[at] = subnet.lid(vertex) == 0 ? 0 : subnet.lid(vertex) + i;
                    allPorts[at] = isThere ? subnet.port(home) : ForwardingTables.NOWHERE;
                }
            }
        }
        return new int[][] {allLids, allPorts};
    }

    private boolean hasHome(int vertex) {
        return !subnet.isSwitch(vertex) && subnet.home(vertex) != SubnetGraph.NONE;
    }

    int count() {
        return vertices.length;
    }

    int vertex(int index) {
        return vertices[index];
    }

    /// The number of a switch, or of the switch that a host is at; -1: none.
    int indexOf(int vertex) {
        int at = vertex;
        if (!subnet.isSwitch(vertex)) {
            int home = subnet.home(vertex);
            at = home == SubnetGraph.NONE ? SubnetGraph.NONE : subnet.owner(home);
        }
        return at == SubnetGraph.NONE || at >= numbers.length ? -1 : numbers[at];
    }

    long guid(int index) {
        return subnet.guid(vertices[index]);
    }

    String name(int index) {
        String description = subnet.description(vertices[index]);
        String guid = "switch 0x%016x".formatted(subnet.guid(vertices[index]));
        return description.isEmpty() ? guid : guid + " (" + description + ")";
    }

    boolean isPresent(int index) {
        return subnet.isPresent(vertices[index]);
    }

    boolean hasHosts(int index) {
        return firstLid[index + 1] - firstLid[index] > 1;
    }

    int firstLink(int index) {
        return firstLink[index];
    }

    int endLink(int index) {
        return firstLink[index + 1];
    }

    int links() {
        return to.length;
    }

    int to(int link) {
        return to[link];
    }

    /// By link, where it leads; not to be written.
    int[] targets() {
        return to;
    }

    int port(int link) {
        return port[link];
    }

    int firstLid(int index) {
        return firstLid[index];
    }

    int endLid(int index) {
        return firstLid[index + 1];
    }

    int lid(int at) {
        return lids[at];
    }

    /// What a LID is spread by: hosts one after the other by their first LIDs, and the LIDs of a
    /// host one after the other too. With one LID for each it is the LID, from 0.
    int place(int lid) {
        return (lid >>> subnet.lmc()) + pathBits(lid) - (subnet.lmc() == 0 ? 1 : 0);
    }

    /// The low bits of a LID, which a host has all.
    int pathBits(int lid) {
        return lid & (1 << subnet.lmc()) - 1;
    }

    /// The number of a host by its LID.
    int stem(int lid) {
        return lid >>> subnet.lmc();
    }

    /// The port of its own switch: 0 for the switch itself, [ForwardingTables#NOWHERE] for a host
    /// that is gone.
    int lidPort(int at) {
        return lidPorts[at];
    }

    boolean hasSameSwitches(SwitchGraph other) {
        return Arrays.equals(vertices, other.vertices);
    }

    boolean hasSameLinks(int index, SwitchGraph other) {
        int from = firstLink[index];
        int end = firstLink[index + 1];
        int otherFrom = other.firstLink[index];
        int otherEnd = other.firstLink[index + 1];
        return Arrays.equals(to, from, end, other.to, otherFrom, otherEnd)
                && Arrays.equals(port, from, end, other.port, otherFrom, otherEnd);
    }

    boolean hasSameLids(int index, SwitchGraph other) {
        int from = firstLid[index];
        int end = firstLid[index + 1];
        int otherFrom = other.firstLid[index];
        int otherEnd = other.firstLid[index + 1];
        return Arrays.equals(lids, from, end, other.lids, otherFrom, otherEnd)
                && Arrays.equals(lidPorts, from, end, other.lidPorts, otherFrom, otherEnd);
    }
}
