package dev.verbena.subnet;

import dev.verbena.wire.BigEndian;
import dev.verbena.wire.mad.Mad;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.ManagementClass;
import dev.verbena.wire.mad.Rmpp;
import dev.verbena.wire.mad.RmppAssembly;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.SaRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Asks subnet administration, from any port of the subnet. Like the manager it has no socket, no
/// thread and no clock: call [#transmit] until it returns false after each other call, and
/// [#handleTimeout] at [#timeoutNs].
public final class SaClient {
    /// Requests that are not answered yet.
    public static final int REQUESTS_MAX = 256;

    /// Segments that an answer may be ahead of its acknowledgement.
    static final int WINDOW = 32;

    private static final int ANSWER_MAX = 1 << 26;

    /// How a request is repeated, and where it goes.
    ///
    /// @param managerLid the LID of the subnet manager
    /// @param key the SM_Key of requests; 0: none
    public record Settings(int managerLid, long timeoutNs, int retries, long key) {}

    private static final class Request {
        private final MemorySegment mad;
        private final RmppAssembly answer;
        private long deadlineNs;
        private int sent;

        Request(MemorySegment mad, RmppAssembly answer) {
            this.mad = mad;
            this.answer = answer;
        }
    }

    private final Settings settings;
    private final Map<Long, Request> requests = new LinkedHashMap<>();
    private final ArrayDeque<SaAnswer> answers = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> controls = new ArrayDeque<>();
    private long transactions;

    /// Asks by settings.
    public SaClient(Settings settings) {
        this(settings, 0);
    }

    /// Asks by settings.
    ///
    /// @param before the number before that of the first request. Programs that ask one after the
    ///   other at one port need different ones: a late answer to the first is none to the second
    public SaClient(Settings settings, long before) {
        this.settings = settings;
        transactions = before;
    }

    /// Queues a request.
    ///
    /// @param method Get, GetTable, Set or Delete of [MadMethod]
    /// @param template the fields that are asked for or set, at most 200 bytes
    /// @param mask which of them count
    /// @return the number of the request, by which its answer is known
    /// @throws IllegalStateException with [#REQUESTS_MAX] requests without an answer
    public long ask(int method, SaRecord record, MemorySegment template, long mask) {
        if (requests.size() == REQUESTS_MAX) {
            throw new IllegalStateException(
                    "%d requests have no answer yet: wait for answers before the next"
                            .formatted(REQUESTS_MAX));
        }
        MemorySegment mad = blank();
        long transaction = ++transactions & 0xFFFF_FFFFL;
        new Mad(
                        ManagementClass.SUBNET_ADMINISTRATION,
                        SaHeader.CLASS_VERSION,
                        method,
                        0,
                        0,
                        transaction,
                        record.attributeId(),
                        0)
                .emit(mad, 0);
        SaHeader.RMPP_VERSION.write(mad, 0, Rmpp.VERSION);
        SaHeader.SM_KEY.write(mad, 0, settings.key);
        SaHeader.COMPONENT_MASK.write(mad, 0, mask);
        MemorySegment.copy(template, 0, mad, SaHeader.DATA, template.byteSize());
        requests.put(transaction, new Request(mad, assembly(mad)));
        return transaction;
    }

    private static MemorySegment blank() {
        return MemorySegment.ofArray(new byte[Mad.LENGTH_TOTAL]);
    }

    private static RmppAssembly assembly(MemorySegment mad) {
        return new RmppAssembly(Mad.transactionId(mad, 0), Mad.attributeId(mad, 0), ANSWER_MAX);
    }

    /// Takes a datagram that has come to queue pair 1.
    ///
    /// @return whether it answers a request
    public boolean handle(long nowNs, MemorySegment mad) {
        boolean isOne =
                mad.byteSize() == Mad.LENGTH_TOTAL && Rmpp.check(mad, 0, Mad.LENGTH_TOTAL).isOk();
        if (!isOne) {
            return false;
        }
        // Carriers use the upper bits for themselves.
        long transaction = Mad.transactionId(mad, 0) & 0xFFFF_FFFFL;
        Request request = requests.get(transaction);
        if (request == null || !isAnswer(request, mad)) {
            return false;
        }
        int status = Mad.status(mad, 0);
        if (status == MadStatus.BUSY) {
            // It is sent again after its timeout.
            return true;
        }
        boolean isSegment = (SaHeader.RMPP_FLAGS.readInt(mad, 0) & Rmpp.ACTIVE) != 0;
        if (status != MadStatus.OK || !isSegment) {
            end(transaction, SaAnswer.of(transaction, status, mad));
            return true;
        }
        if (SaHeader.RMPP_TYPE.readInt(mad, 0) != Rmpp.DATA) {
            end(transaction, SaAnswer.failed(transaction, SaAnswer.End.ABORTED));
            return true;
        }
        return segment(nowNs, transaction, request, mad);
    }

    private static boolean isAnswer(Request request, MemorySegment mad) {
        return request.sent > 0
                && Mad.attributeId(mad, 0) == Mad.attributeId(request.mad, 0)
                && Mad.method(mad, 0) == answerTo(Mad.method(request.mad, 0));
    }

    private static int answerTo(int method) {
        return method == MadMethod.SET ? MadMethod.GET_RESPONSE : method | 0x80;
    }

    private boolean segment(long nowNs, long transaction, Request request, MemorySegment mad) {
        MemorySegment own = blank().copyFrom(mad);
        BigEndian.put64(own, 8, transaction);
        int before = request.answer.last();
        boolean isTaken = request.answer.take(own, 0, Mad.LENGTH_TOTAL).isOk();
        MemorySegment control = blank();
        int last = request.answer.last();
        // A gap is closed by the sender, which goes on behind what was acknowledged.
        Rmpp.acknowledge(mad, 0, last, last + WINDOW, control, 0);
        boolean isDue = last % (WINDOW / 2) == 1 || request.answer.isComplete() || !isTaken;
        if (isDue || last == before) {
            controls.add(control);
        }
        request.deadlineNs = nowNs + settings.timeoutNs;
        if (request.answer.isComplete()) {
            end(transaction, SaAnswer.of(transaction, request.answer));
        }
        return isTaken;
    }

    private void end(long transaction, SaAnswer answer) {
        requests.remove(transaction);
        answers.add(answer);
    }

    /// Gives up what was sent too often.
    public void handleTimeout(long nowNs) {
        for (Map.Entry<Long, Request> entry : Map.copyOf(requests).entrySet()) {
            Request request = entry.getValue();
            if (request.sent > settings.retries && request.deadlineNs <= nowNs) {
                end(entry.getKey(), SaAnswer.failed(entry.getKey(), SaAnswer.End.SILENT));
            }
        }
    }

    /// When [#handleTimeout] and [#transmit] are to be called next.
    public long timeoutNs() {
        return requests.values().stream()
                .mapToLong(it -> it.deadlineNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /// Sends one datagram, if there is one to send.
    public boolean transmit(long nowNs, DatagramSink sink) {
        MemorySegment control = controls.poll();
        if (control != null) {
            sink.send(settings.managerLid, 1, control);
            return true;
        }
        for (Map.Entry<Long, Request> entry : requests.entrySet()) {
            Request request = entry.getValue();
            boolean isDue = request.sent == 0 || request.deadlineNs <= nowNs;
            if (isDue && request.sent <= settings.retries) {
                request.sent++;
                request.deadlineNs = nowNs + settings.timeoutNs;
                sink.send(settings.managerLid, 1, blank().copyFrom(request.mad));
                return true;
            }
        }
        return false;
    }

    /// The next answer.
    public Optional<SaAnswer> poll() {
        return Optional.ofNullable(answers.poll());
    }
}
