package dev.verbena.benchmarks.compare;

import java.util.List;

/// One line of the table: an operation on two devices of one thread.
///
/// @param group decides the devices, and the page that has the row
/// @param bytes of a message
/// @param isGuarded whether the row fails the command when it became slower
record Row(Group group, Operation operation, Memory memory, int bytes, boolean isGuarded) {
    private static final double LIMIT = 1.03;
    private static final double FABRIC_LIMIT = 1.05;
    private static final int SHORT = 8;
    private static final int MEDIUM = 1 << 16;
    private static final int LONG = 1 << 20;

    enum Group {
        TRANSPORT("loopback://left", "loopback://right"),
        ROCE("roce://127.77.0.1?progress=caller", "roce://127.77.0.2?progress=caller"),
        MEMORY(ROCE.left, ROCE.right),
        FABRIC("", "");

        final String left;
        final String right;

        Group(String left, String right) {
            this.left = left;
            this.right = right;
        }
    }

    enum Operation {
        WRITE("write"),
        BATCH("write batch"),
        SEND("send"),
        READ("read"),
        DATAGRAM("datagram"),
        PING_PONG("ping-pong"),
        PERMUTATION("permutation, roce"),
        INCAST("incast, roce"),
        INFINIBAND("permutation, ib");

        final String text;

        Operation(String text) {
            this.text = text;
        }
    }

    enum Memory {
        ALLOCATED("allocated"),
        REGISTERED("registered"),
        CLOSABLE("closable");

        final String text;

        Memory(String text) {
            this.text = text;
        }
    }

    private static final List<Row> ALL =
            List.of(
                    usual(Group.TRANSPORT, Operation.WRITE, SHORT),
                    usual(Group.TRANSPORT, Operation.BATCH, SHORT),
                    usual(Group.TRANSPORT, Operation.SEND, SHORT),
                    usual(Group.TRANSPORT, Operation.READ, SHORT),
                    usual(Group.TRANSPORT, Operation.DATAGRAM, SHORT),
                    usual(Group.TRANSPORT, Operation.WRITE, LONG),
                    usual(Group.ROCE, Operation.WRITE, SHORT),
                    usual(Group.ROCE, Operation.BATCH, SHORT),
                    usual(Group.ROCE, Operation.PING_PONG, SHORT),
                    usual(Group.ROCE, Operation.WRITE, MEDIUM),
                    usual(Group.ROCE, Operation.SEND, MEDIUM),
                    usual(Group.ROCE, Operation.READ, MEDIUM),
                    usual(Group.FABRIC, Operation.PERMUTATION, SHORT),
                    usual(Group.FABRIC, Operation.INCAST, SHORT),
                    usual(Group.FABRIC, Operation.INFINIBAND, SHORT),
                    memory(Operation.WRITE, Memory.ALLOCATED, MEDIUM),
                    memory(Operation.WRITE, Memory.ALLOCATED, 64),
                    memory(Operation.READ, Memory.ALLOCATED, MEDIUM),
                    memory(Operation.READ, Memory.ALLOCATED, 64),
                    memory(Operation.WRITE, Memory.REGISTERED, MEDIUM),
                    memory(Operation.READ, Memory.REGISTERED, MEDIUM),
                    memory(Operation.WRITE, Memory.CLOSABLE, MEDIUM),
                    memory(Operation.READ, Memory.CLOSABLE, MEDIUM));

    private static Row usual(Group group, Operation operation, int bytes) {
        return new Row(group, operation, Memory.ALLOCATED, bytes, true);
    }

    /// Holding memory is known to cost something where the program may take it away, so only the
    /// usual case fails the command.
    private static Row memory(Operation operation, Memory memory, int bytes) {
        boolean isGuarded = operation == Operation.WRITE && memory == Memory.ALLOCATED;
        return new Row(Group.MEMORY, operation, memory, bytes, isGuarded);
    }

    /// The whole interval above it fails the command.
    double limit() {
        return group == Group.FABRIC ? FABRIC_LIMIT : LIMIT;
    }

    /// The rows of a choice of `bin/compare --what`.
    static List<Row> of(String what) {
        List<Row> rows = ALL.stream().filter(row -> row.isIn(what)).toList();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("there are no rows of '" + what + "'");
        }
        return rows;
    }

    private boolean isIn(String what) {
        return switch (group) {
            case TRANSPORT -> what.equals("transport") || what.equals("all");
            case ROCE -> what.equals("roce") || what.equals("all");
            case MEMORY -> what.equals("memory");
            case FABRIC -> what.equals("fabric");
        };
    }

    static Row named(String name) {
        return ALL.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no row '" + name + "'"));
    }

    String name() {
        String size =
                bytes >= LONG
                        ? bytes / LONG + "M"
                        : bytes >= 1024 ? bytes / 1024 + "K" : "" + bytes;
        return switch (group) {
            case TRANSPORT -> "transport: " + operation.text + " " + size;
            case ROCE -> "roce: " + operation.text + " " + size;
            case MEMORY -> operation.text + " " + memory.text + " " + size;
            case FABRIC -> operation.text;
        };
    }
}
