package dev.verbena.transport;

/// One posted receive: one piece of memory, or two with a gap between.
record Receive(long id, int at, int first, int second) {
    int capacity() {
        return first + second;
    }
}
