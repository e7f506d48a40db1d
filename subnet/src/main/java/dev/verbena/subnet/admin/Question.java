package dev.verbena.subnet.admin;

import dev.verbena.wire.Gid;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A request for records that are like a template in some components, and the records found so far.
final class Question {
    private final RecordLayout layout;
    private final MemorySegment template;
    private final long mask;
    private final byte[] compared;
    private final int recordsMax;
    private byte[] found = new byte[0];
    private int count;
    private boolean isFull;

    /// @param recordsMax more than these make the answer an error
    Question(RecordLayout layout, MemorySegment mad, int recordsMax) {
        this.layout = layout;
        this.recordsMax = recordsMax;
        template =
                MemorySegment.ofArray(new byte[layout.record().bytes()])
                        .copyFrom(mad.asSlice(SaHeader.DATA, layout.record().bytes()));
        mask = SaHeader.COMPONENT_MASK.read(mad, 0);
        compared = layout.compared(mask);
        assert mad.byteSize() == Mad.LENGTH_TOTAL;
    }

    MemorySegment template() {
        return template;
    }

    boolean has(int component) {
        return (mask >>> component & 1) != 0;
    }

    /// @param components as bits
    boolean hasAll(int components) {
        return (mask & components) == components;
    }

    /// The GID at a byte of the template.
    Gid gid(int at) {
        return Gid.parse(template, at);
    }

    boolean isValid() {
        return layout.admits(mask);
    }

    boolean matches(MemorySegment record) {
        byte[] wanted = (byte[]) template.heapBase().orElseThrow();
        byte[] other = (byte[]) record.heapBase().orElseThrow();
        for (int i = 0; i < compared.length; i++) {
            if (((wanted[i] ^ other[i]) & compared[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Takes a record that matches. Those behind the last that fits are left out, and then there is
    /// no answer but that there are too many.
    void add(MemorySegment record) {
        if (!matches(record)) {
            return;
        }
        if (count == recordsMax) {
            isFull = true;
            return;
        }
        int length = layout.record().bytes();
        if ((count + 1) * length > found.length) {
            found = Arrays.copyOf(found, Math.max(4, 2 * count) * length);
        }
        MemorySegment.copy(record, 0, MemorySegment.ofArray(found), (long) count * length, length);
        count++;
    }

    /// A record of zeros.
    MemorySegment blank() {
        return MemorySegment.ofArray(new byte[layout.record().bytes()]);
    }

    int count() {
        return count;
    }

    /// Whether there are more than fit.
    boolean isFull() {
        return isFull;
    }

    MemorySegment records() {
        return MemorySegment.ofArray(found).asSlice(0, (long) count * layout.record().bytes());
    }

    int recordLength() {
        return layout.record().bytes();
    }
}
