package dev.verbena.subnet;

import java.util.Arrays;

/// The linear forwarding tables of all switches, as they are to be and as the switches have them.
/// They are compared in blocks of 64 entries, which are what a datagram writes.
final class ForwardingTables {
    static final int NOWHERE = 255;
    static final int BLOCK = 64;

    /// By vertex; none for hosts. Tasks for different LIDs write at the same time.
    private byte[][] wanted = new byte[0][];

    private byte[][] written = new byte[0][];

    /// By vertex, whether a block of `written` is known.
    private boolean[][] known = new boolean[0][];

    private int size;

    /// Makes room for the switches of a subnet and LIDs up to a highest one.
    void room(SubnetGraph subnet, int topLid) {
        int least = (topLid / BLOCK + 1) * BLOCK;
        if (least > size) {
            size = least;
        }
        int before = wanted.length;
        if (before < subnet.vertices()) {
            wanted = Arrays.copyOf(wanted, subnet.vertices());
            written = Arrays.copyOf(written, subnet.vertices());
            known = Arrays.copyOf(known, subnet.vertices());
            Arrays.fill(wanted, before, wanted.length, new byte[0]);
            Arrays.fill(written, before, written.length, new byte[0]);
            Arrays.fill(known, before, known.length, new boolean[0]);
        }
        for (int vertex = 0; vertex < subnet.vertices(); vertex++) {
            if (subnet.isSwitch(vertex)) {
                wanted[vertex] = grown(wanted[vertex]);
                written[vertex] = grown(written[vertex]);
                known[vertex] = Arrays.copyOf(known[vertex], size / BLOCK);
            }
        }
    }

    private byte[] grown(byte[] table) {
        int before = table.length;
        if (before == size) {
            return table;
        }
        byte[] larger = Arrays.copyOf(table, size);
        Arrays.fill(larger, before, size, (byte) NOWHERE);
        return larger;
    }

    /// The highest LID that tables have room for.
    int top() {
        return size - 1;
    }

    int port(int vertex, int lid) {
        byte[] table = wanted[vertex];
        return lid < table.length ? table[lid] & 0xFF : NOWHERE;
    }

    boolean isChanged(int vertex, int block) {
        int from = block * BLOCK;
        return !known[vertex][block]
                || !Arrays.equals(
                        wanted[vertex], from, from + BLOCK, written[vertex], from, from + BLOCK);
    }

    /// Whether it is known what a switch has in a block.
    boolean isKnown(int vertex, int block) {
        return known[vertex][block];
    }

    /// The entries of a switch as they are to be, by LID; a computation of routes writes them here.
    byte[] wanted(int vertex) {
        return wanted[vertex];
    }

    /// A switch has answered with what is in a block now.
    void written(int vertex, int block, byte[] entries) {
        System.arraycopy(entries, 0, written[vertex], block * BLOCK, BLOCK);
        known[vertex][block] = true;
    }

    /// A switch may have lost its table.
    void forget(int vertex) {
        if (vertex < known.length) {
            Arrays.fill(known[vertex], false);
        }
    }
}
