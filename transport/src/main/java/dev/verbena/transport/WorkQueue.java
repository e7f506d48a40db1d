package dev.verbena.transport;

/// A send or receive queue: slots of the device's slab, linked in the order of posting.
final class WorkQueue {
    private final WorkSlab work;

    /// The program's places, and one more while a request is in it that is not the program's.
    private int depth;

    private int head = WorkSlab.NIL;
    private int tail = WorkSlab.NIL;
    private int count;
    private int taken;

    WorkQueue(WorkSlab work, int depth) {
        this.work = work;
        this.depth = depth;
    }

    int head() {
        return head;
    }

    int count() {
        return count;
    }

    /// Requests that it would take now; those that a message is being put into still count.
    int room() {
        return depth - count - taken;
    }

    /// Appends slots that are linked with each other already.
    void append(int first, int last, int slots) {
        if (work.has(first, Work.PROBE)) {
            depth++;
        }
        assert slots <= room() : "the poster asked for room first";
        if (tail == WorkSlab.NIL) {
            head = first;
        } else {
            work.next(tail, first);
        }
        tail = last;
        count += slots;
    }

    /// Takes the oldest slot out for a message; [#done] ends it.
    int take() {
        taken++;
        return remove();
    }

    /// The request that was taken has ended.
    void done() {
        taken--;
    }

    /// Takes the oldest slot out, still filled.
    int remove() {
        int slot = head;
        head = work.next(slot);
        if (head == WorkSlab.NIL) {
            tail = WorkSlab.NIL;
        }
        count--;
        if (work.has(slot, Work.PROBE)) {
            depth--;
        }
        return slot;
    }
}
