package dev.verbena.cli;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.Ecn;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketKind;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Service;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Frames added up to flows, and to totals of the whole capture.
final class FlowTable {
    /// A capture may hold any number of flows; the table holds this many and counts the rest.
    static final int FLOWS_MAX = 65_536;

    private final Map<CapturedFlow.Key, CapturedFlow> flows = new LinkedHashMap<>();
    private final Map<String, Long> kinds = new TreeMap<>();
    private final Map<String, Long> refusals = new TreeMap<>();
    private long frames;
    private long firstNs;
    private long lastNs;
    private long icrcRight;
    private long icrcWrong;
    private long vcrcRight;
    private long vcrcWrong;
    private long bad;
    private long outsideTable;

    void add(CapturedFrame frame) {
        firstNs = frames == 0 ? frame.timeNs() : Math.min(firstNs, frame.timeNs());
        lastNs = frames == 0 ? frame.timeNs() : Math.max(lastNs, frame.timeNs());
        frames++;
        kinds.merge(kind(frame), 1L, Long::sum);
        bad += frame.isBad() ? 1 : 0;
        if (!frame.refusal().isEmpty()) {
            refusals.merge(frame.refusalKind(), 1L, Long::sum);
        }
        if (frame.hasChecksums()) {
            icrcRight += frame.icrcIsRight() ? 1 : 0;
            icrcWrong += frame.icrcIsRight() ? 0 : 1;
        }
        if (frame.hasVcrc()) {
            vcrcRight += frame.vcrcIsRight() ? 1 : 0;
            vcrcWrong += frame.vcrcIsRight() ? 0 : 1;
        }
        if (frame.isWhole() && frame.hasNetwork()) {
            addToFlow(frame);
        }
    }

    private static String kind(CapturedFrame frame) {
        if (frame.view().kind() == PacketKind.TRANSPORT || frame.isFlowControl()) {
            return frame.title();
        }
        return frame.verdict().isOk() ? frame.view().kind().toString() : "other";
    }

    private void addToFlow(CapturedFrame frame) {
        PacketView view = frame.view();
        Opcode opcode = view.opcode();
        // A CNP speaks of a connection's queue pair without naming its service.
        CapturedFlow flow =
                flow(
                        new CapturedFlow.Key(
                                frame.source(),
                                frame.destination(),
                                view.destQp(),
                                opcode.service()));
        if (flow == null) {
            outsideTable++;
            return;
        }
        flow.addPacket(view.payloadLength());
        if (frame.hasChecksums() && !frame.icrcIsRight()) {
            // Nothing in a corrupt packet is to be believed, least of all its sequence number.
            flow.addWrongChecksum();
            return;
        }
        if (frame.ecn() == Ecn.CONGESTION) {
            flow.addCongestionMark();
        }
        if (opcode.service() == Service.CNP) {
            flow.addCongestionNotification();
        }
        if (opcode.service().isReliable()) {
            addToSequence(flow, view);
        } else if (opcode.service() == Service.UC) {
            flow.addRequest(view.psn());
        }
        // Datagrams of many senders meet at one queue pair, each with numbers of its own.
    }

    private static void addToSequence(CapturedFlow flow, PacketView view) {
        Operation operation = view.opcode().operation();
        if (view.has(ExtendedHeader.AETH)) {
            flow.addSyndrome(Aeth.syndrome(view.segment(), view.at(ExtendedHeader.AETH)));
        }
        if (!operation.isResponse()) {
            flow.addRequest(view.psn());
        } else if (operation != Operation.ACKNOWLEDGE) {
            flow.addDataResponse(view.psn());
        }
    }

    /// The flow of a key, or null when the table is full.
    private @Nullable CapturedFlow flow(CapturedFlow.Key key) {
        CapturedFlow known = flows.get(key);
        if (known != null || flows.size() >= FLOWS_MAX) {
            return known;
        }
        CapturedFlow fresh = new CapturedFlow(key);
        flows.put(key, fresh);
        return fresh;
    }

    Collection<CapturedFlow> flows() {
        return flows.values();
    }

    /// Number of frames by kind.
    Map<String, Long> kinds() {
        return kinds;
    }

    /// Frames that were not accepted, by reason.
    Map<String, Long> refusals() {
        return refusals;
    }

    long frames() {
        return frames;
    }

    double seconds() {
        return (lastNs - firstNs) / 1e9;
    }

    long icrcRight() {
        return icrcRight;
    }

    long icrcWrong() {
        return icrcWrong;
    }

    long vcrcRight() {
        return vcrcRight;
    }

    long vcrcWrong() {
        return vcrcWrong;
    }

    /// Frames that are malformed or corrupt.
    long bad() {
        return bad;
    }

    /// Packets of flows that came when the table was full.
    long outsideTable() {
        return outsideTable;
    }
}
