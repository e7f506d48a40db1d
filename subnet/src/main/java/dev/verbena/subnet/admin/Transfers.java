package dev.verbena.subnet.admin;

import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Answers of several datagrams on their way (IBA 13.6): each goes segment by segment, as far as
/// its receiver lets it, again from the last acknowledged one after a timeout, and ends with the
/// last acknowledgement or an abort.
final class Transfers {
    static final int COUNT_MAX = 128;
    static final long BYTES_MAX = 64L << 20;
    static final int RETRIES = 3;
    static final long TIMEOUT_NS = 1_000_000_000L;

    private static final int WINDOW_TOO_SMALL = 122;
    private static final int BAD_SEGMENT = 120;

    private record Key(Peer peer, long transactionId) {}

    /// One answer.
    private static final class Transfer {
        private final MemorySegment head;
        private final MemorySegment records;
        private final int segments;
        private int acknowledged;

        /// The segment that went last; goes back to the acknowledged one after a timeout.
        private int sent;

        /// The highest that ever went: late acknowledgements may be of any up to it.
        private int highest;

        /// The last segment that may go; the receiver raises it.
        private int windowLast = 1;

        private int retries;
        private long deadlineNs;

        Transfer(MemorySegment head, MemorySegment records, long deadlineNs) {
            this.head = head;
            this.records = records;
            this.deadlineNs = deadlineNs;
            segments = Rmpp.segments(records.byteSize());
        }

        boolean mayGo() {
            return sent < Math.min(segments, windowLast);
        }
    }

    private record Abort(Peer peer, MemorySegment mad) {}

    private final Map<Key, Transfer> transfers = new LinkedHashMap<>();
    private final ArrayDeque<Abort> aborts = new ArrayDeque<>();
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
    private long bytes;

    /// Whether an answer of so many bytes can begin.
    boolean hasRoom(long length) {
        return transfers.size() < COUNT_MAX && bytes + length <= BYTES_MAX;
    }

    /// Whether an answer to this request is on its way: then the request came again.
    boolean isUnderWay(Peer peer, MemorySegment request) {
        return transfers.containsKey(new Key(peer, Mad.transactionId(request, 0)));
    }

    /// Begins an answer.
    ///
    /// @param head a datagram with the headers of the answer
    void begin(long nowNs, Peer peer, MemorySegment head, MemorySegment records) {
        Key key = new Key(peer, Mad.transactionId(head, 0));
        assert hasRoom(records.byteSize()) && !transfers.containsKey(key) : "room for a transfer";
        transfers.put(key, new Transfer(head, records, nowNs + TIMEOUT_NS));
        bytes += records.byteSize();
    }

    /// Takes an acknowledgement, a stop or an abort.
    ///
    /// @return whether it belongs to an answer on its way
    boolean handle(long nowNs, Peer peer, MemorySegment mad) {
        Key key = new Key(peer, Mad.transactionId(mad, 0));
        Transfer transfer = transfers.get(key);
        if (transfer == null) {
            return false;
        }
        if (SaHeader.RMPP_TYPE.readInt(mad, 0) != Rmpp.ACKNOWLEDGE) {
            end(key);
            return true;
        }
        long last = Integer.toUnsignedLong(SaHeader.SEGMENT_NUMBER.readInt(mad, 0));
        long window = Integer.toUnsignedLong(SaHeader.PAYLOAD_LENGTH.readInt(mad, 0));
        if (last > transfer.highest) {
            abort(key, transfer, BAD_SEGMENT);
        } else if (window < last) {
            abort(key, transfer, WINDOW_TOO_SMALL);
        } else if (last >= transfer.acknowledged) {
            if (last > transfer.acknowledged) {
                transfer.retries = 0;
            }
            transfer.acknowledged = (int) last;
            transfer.sent = Math.max(transfer.sent, transfer.acknowledged);
            transfer.windowLast =
                    Math.max(transfer.windowLast, (int) Math.min(window, transfer.segments));
            transfer.deadlineNs = nowNs + TIMEOUT_NS;
            if (transfer.acknowledged == transfer.segments) {
                end(key);
            }
        }
        return true;
    }

    private void end(Key key) {
        Transfer ended = transfers.remove(key);
        bytes -= ended == null ? 0 : ended.records.byteSize();
    }

    private void abort(Key key, Transfer transfer, int status) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
        Rmpp.abort(transfer.head, 0, status, mad, 0);
        aborts.add(new Abort(key.peer, mad));
        end(key);
    }

    /// Sends again, or gives up, what is due.
    void handleTimeout(long nowNs) {
        for (Map.Entry<Key, Transfer> entry : Map.copyOf(transfers).entrySet()) {
            Transfer transfer = entry.getValue();
            if (transfer.deadlineNs > nowNs) {
                continue;
            }
            if (transfer.retries == RETRIES) {
                abort(entry.getKey(), transfer, Rmpp.ABORT_RETRIES);
            } else {
                transfer.retries++;
                transfer.sent = transfer.acknowledged;
                transfer.deadlineNs = nowNs + TIMEOUT_NS;
            }
        }
    }

    long timeoutNs() {
        return transfers.values().stream()
                .mapToLong(it -> it.deadlineNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /// Sends one segment, of each answer in turn.
    boolean transmit(long nowNs, Outlet outlet) {
        Abort abort = aborts.poll();
        if (abort != null) {
            outlet.send(abort.peer, abort.mad);
            return true;
        }
        Iterator<Map.Entry<Key, Transfer>> all = transfers.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Key, Transfer> next = all.next();
            Transfer transfer = next.getValue();
            if (transfer.mayGo()) {
                // To the end of the line.
                all.remove();
                transfers.put(next.getKey(), transfer);
                transfer.sent++;
                transfer.highest = Math.max(transfer.highest, transfer.sent);
                transfer.deadlineNs = nowNs + TIMEOUT_NS;
                Rmpp.segment(transfer.head, transfer.records, transfer.sent, buffer, 0);
                outlet.send(next.getKey().peer, buffer);
                return true;
            }
        }
        return false;
    }
}
