package dev.verbena.cli;

import dev.verbena.wire.Ecn;
import dev.verbena.wire.Encapsulation;
import dev.verbena.wire.Ethernet;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ipv4;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.PacketKind;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Vcrc;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.capture.CaptureReader;
import dev.verbena.wire.capture.Erf;
import dev.verbena.wire.capture.ErfVerdict;
import dev.verbena.wire.capture.LinkType;
import java.lang.foreign.MemorySegment;

/// One captured frame with its headers parsed and its checksums checked.
///
/// The object is reused: its values are valid until the next frame.
final class CapturedFrame {
    private static final FlowControl NO_CREDITS = new FlowControl(0, 0, 0, 0);

    /// The longest frame that is made whole again with zeros: IP's own limit and an Ethernet
    /// header.
    private static final int FILLED_BYTES_MAX = 65_536 + 18;

    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private final MemorySegment filled = MemorySegment.ofArray(new byte[FILLED_BYTES_MAX]);

    private long number;
    private long timeNs;
    private int length;
    private Verdict verdict = Verdict.OK;
    private String refusal = "";
    private String refusalKind = "";
    private boolean judged;
    private boolean flowControl;
    private boolean cutShort;
    private FlowControl credits = NO_CREDITS;
    private int icrcNeeded;
    private boolean icrcRight;
    private boolean vcrcRight;

    void read(CaptureReader reader, long frameNumber) {
        number = frameNumber;
        timeNs = reader.timestampNs();
        length = reader.length();
        cutShort = reader.originalLength() > reader.length();
        refusal = "";
        refusalKind = "";
        judged = true;
        flowControl = false;
        icrcRight = false;
        vcrcRight = false;
        if (cutShort && reader.originalLength() <= FILLED_BYTES_MAX) {
            wrapFilled(reader);
        } else {
            wrap(reader.linkType(), reader.segment(), reader.at(), reader.length());
        }
        if (hasChecksums()) {
            icrcNeeded = icrc.compute(view);
            icrcRight = icrcNeeded == Icrc.stored(view.segment(), view.icrcAt());
            vcrcRight = view.encapsulation().isNative() && Vcrc.isRight(view);
        }
    }

    /// A snap length leaves the headers, which is what people want to see: zeros stand for the
    /// rest, and nothing is said of the checksums.
    private void wrapFilled(CaptureReader reader) {
        int captured = reader.length();
        int whole = (int) reader.originalLength();
        MemorySegment.copy(reader.segment(), reader.at(), filled, 0, captured);
        filled.asSlice(captured, whole - captured).fill((byte) 0);
        wrap(reader.linkType(), filled, 0, whole);
        length = captured;
        boolean headersSeen = isWhole() && view.payloadAt() <= captured;
        if (!headersSeen) {
            refuse(
                    "captured in part",
                    "only " + captured + " of " + whole + " bytes were captured");
        }
    }

    private void wrap(LinkType link, MemorySegment segment, long at, int bytes) {
        if (link.equals(LinkType.ETHERNET)) {
            verdict = view.wrapEthernet(segment, at, bytes);
        } else if (link.equals(LinkType.INFINIBAND) || link.equals(LinkType.USER0)) {
            verdict = view.wrapInfiniBand(segment, at, bytes);
        } else if (link.equals(LinkType.ERF)) {
            wrapErf(segment, at, bytes);
        } else {
            refuse(
                    "link type that carries no RDMA",
                    "link type " + link.code() + " is none that carries RDMA");
        }
        if (refusal.isEmpty() && !verdict.isOk()) {
            refusal = verdict.reason();
            refusalKind = refusal;
        }
    }

    private void wrapErf(MemorySegment segment, long at, int bytes) {
        ErfVerdict record = Erf.check(segment, at, bytes);
        if (!record.isOk()) {
            refuse("ERF record: " + record.reason(), "ERF record: " + record.reason());
            return;
        }
        long payloadAt = Erf.payloadAt(segment, at);
        int payloadLength = Erf.payloadLength(segment, at);
        length = payloadLength;
        boolean link = Erf.type(segment, at) == Erf.INFINIBAND_LINK;
        cutShort |= !link && Erf.wireLength(segment, at) > payloadLength;
        switch (Erf.type(segment, at)) {
            case Erf.INFINIBAND -> verdict = view.wrapInfiniBand(segment, payloadAt, payloadLength);
            case Erf.INFINIBAND_LINK -> {
                view.release();
                verdict = FlowControl.check(segment, payloadAt, payloadLength);
                flowControl = true;
                credits = verdict.isOk() ? FlowControl.parse(segment, payloadAt) : NO_CREDITS;
            }
            default -> verdict = view.wrapEthernet(segment, payloadAt, payloadLength);
        }
    }

    /// A frame that is not RDMA, or whose headers are incomplete.
    private void refuse(String kind, String why) {
        view.release();
        judged = false;
        verdict = Verdict.ETHERTYPE_FOREIGN;
        refusalKind = kind;
        refusal = why;
    }

    PacketView view() {
        return view;
    }

    long number() {
        return number;
    }

    long timeNs() {
        return timeNs;
    }

    /// Bytes on the wire as far as they were captured, without the capture's own headers.
    int length() {
        return length;
    }

    Verdict verdict() {
        return verdict;
    }

    /// Why the frame was refused, in words; empty when it was not.
    String refusal() {
        return refusal;
    }

    /// The refusal without the numbers of this frame, so that there are few different ones.
    String refusalKind() {
        return refusalKind;
    }

    /// Whether the verdict is a door's.
    boolean isJudged() {
        return judged;
    }

    boolean isCutShort() {
        return cutShort;
    }

    boolean isFlowControl() {
        return flowControl && verdict.isOk();
    }

    FlowControl flowControl() {
        return credits;
    }

    /// Whether there is a BTH with checksums to speak of.
    boolean hasChecksums() {
        return view.hasBth() && hasNetwork() && !cutShort;
    }

    boolean icrcIsRight() {
        return icrcRight;
    }

    /// The ICRC that the packet should have.
    int icrcNeeded() {
        return icrcNeeded;
    }

    boolean hasVcrc() {
        return hasChecksums() && view.encapsulation().isNative();
    }

    boolean vcrcIsRight() {
        return vcrcRight;
    }

    /// Whether all header accessors of the view hold.
    boolean isWhole() {
        return view.kind() == PacketKind.TRANSPORT
                && (verdict.isOk() || verdict.category() == Verdict.Category.ILLEGAL);
    }

    /// Whether the frame is malformed or has a wrong checksum, for `--bad` and `--strict`.
    boolean isBad() {
        boolean refused =
                switch (verdict.category()) {
                    case MALFORMED, ILLEGAL, CORRUPT -> !cutShort;
                    case ACCEPTED, FOREIGN, UNSUPPORTED -> false;
                };
        boolean corrupt = hasChecksums() && (!icrcRight || (hasVcrc() && !vcrcRight));
        return refused || corrupt;
    }

    boolean hasNetwork() {
        return view.encapsulation() != Encapsulation.BARE;
    }

    /// Native InfiniBand and RoCE v1 have no ECN, and so read as not capable.
    Ecn ecn() {
        if (view.encapsulation() == Encapsulation.ROCE_V2_IPV4) {
            return Ecn.of(Ipv4.trafficClass(view.segment(), view.networkAt()));
        }
        if (view.encapsulation() == Encapsulation.ROCE_V2_IPV6) {
            return Ecn.of(Grh.trafficClass(view.segment(), view.networkAt()));
        }
        return Ecn.NOT_CAPABLE;
    }

    String title() {
        if (flowControl) {
            return "IB-link";
        }
        return switch (view.kind()) {
            case TRANSPORT -> view.encapsulation().title();
            case PAUSE, PFC, LLDP -> "Ethernet";
            case NONE -> view.hasEthernet() ? "Ethernet" : "-";
        };
    }

    /// The sender's address, as its network names it.
    String source() {
        return address(true);
    }

    String destination() {
        return address(false);
    }

    private String address(boolean source) {
        MemorySegment segment = view.segment();
        if (view.kind() == PacketKind.TRANSPORT) {
            long at = view.networkAt();
            return switch (view.encapsulation()) {
                case IB_LOCAL ->
                        "lid " + (source ? Lrh.sourceLid(segment, at) : Lrh.destLid(segment, at));
                case IB_GLOBAL, ROCE_V1 -> grhAddress(segment, view.grhAt(), source);
                case ROCE_V2_IPV6 -> grhAddress(segment, at, source);
                case ROCE_V2_IPV4 ->
                        Texts.ipv4(
                                source ? Ipv4.source(segment, at) : Ipv4.destination(segment, at));
                case BARE -> "-";
            };
        }
        if (view.hasEthernet()) {
            Ethernet header = Ethernet.parse(segment, view.ethernetAt());
            return (source ? header.source() : header.destination()).toString();
        }
        return "-";
    }

    private static String grhAddress(MemorySegment segment, long at, boolean source) {
        return (source ? Grh.source(segment, at) : Grh.destination(segment, at)).toString();
    }
}
