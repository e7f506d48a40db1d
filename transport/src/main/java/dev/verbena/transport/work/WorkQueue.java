package dev.verbena.transport.work;

/// A send or receive queue: slots of the device's slab, linked in the order of posting.
public final class WorkQueue {
    private final WorkSlab work;

    /// The program's places, and one more while a request is in it that is not the program's.
    private int depth;

    private int head = WorkSlab.NIL;
    private int tail = WorkSlab.NIL;
    private int count;
    private int taken;

    public WorkQueue(WorkSlab work, int depth) {
        this.work = work;
        this.depth = depth;
    }

    public int head() {
        return head;
    }

    public int count() {
        return count;
    }

    /// Requests that it would take now; those that a message is being put into still count.
    public int room() {
        return depth - count - taken;
    }

    /// Appends slots that are linked with each other already.
    public void append(int first, int last, int slots) {
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
    public int take() {
        taken++;
        return remove();
    }

    /// The request that was taken has ended.
    public void done() {
        taken--;
    }

    /// Takes the oldest slot out, still filled.
    public int remove() {
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
