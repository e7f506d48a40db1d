package dev.verbena.cli;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Dcbx;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Ecn;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Feth;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Lldp;
import dev.verbena.wire.Lrh;
import dev.verbena.wire.Operation;
import dev.verbena.wire.PacketKind;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Pause;
import dev.verbena.wire.Pfc;
import dev.verbena.wire.Pkey;
import dev.verbena.wire.Rdeth;
import dev.verbena.wire.Reth;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.Verdict;
import dev.verbena.wire.XrcEth;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Help.Ansi;

/// A frame as one line for people who know RDMA.
final class FrameText {
    private static final int ADDRESS_WIDTH_MIN = 10;
    private static final int OPCODE_WIDTH_MIN = 22;

    private final Ansi ansi;

    private long firstNs;
    private int sourceWidth = ADDRESS_WIDTH_MIN;
    private int destWidth = ADDRESS_WIDTH_MIN;
    private int opcodeWidth = OPCODE_WIDTH_MIN;

    /// @param ansi whether the output is a terminal that shows colours
    FrameText(Ansi ansi) {
        this.ansi = ansi;
    }

    static String heading() {
        return "    #       time  link     source       destination  packet";
    }

    /// Times are shown from this frame on, the first of the capture.
    void startAt(CapturedFrame first) {
        firstNs = first.timeNs();
    }

    String line(CapturedFrame frame) {
        String source = frame.source();
        String destination = frame.destination();
        // Columns only ever grow, so that lines stay under each other without reading ahead.
        sourceWidth = Math.max(sourceWidth, source.length());
        destWidth = Math.max(destWidth, destination.length());
        return Texts.right(Long.toString(frame.number()), 5)
                + " "
                + Texts.right(Texts.seconds(frame.timeNs() - firstNs), 10)
                + "  "
                + Texts.left(frame.title(), 8)
                + " "
                + Texts.left(source, sourceWidth)
                + " > "
                + Texts.left(destination, destWidth)
                + "  "
                + packet(frame);
    }

    private String packet(CapturedFrame frame) {
        StringJoiner words = new StringJoiner("  ");
        if (frame.isFlowControl()) {
            words.add(flowControl(frame.flowControl()));
        } else if (frame.view().hasBth()) {
            transport(frame, words);
        } else if (frame.verdict().isOk()) {
            words.add(control(frame.view()));
        }
        if (!frame.refusal().isEmpty()) {
            words.add(refusal(frame));
        }
        if (frame.isCutShort()) {
            words.add("(captured in part)");
        } else if (frame.hasChecksums()) {
            words.add(checksums(frame));
        }
        return words.toString();
    }

    private String refusal(CapturedFrame frame) {
        if (frame.isBad()) {
            return alarm("REFUSED: " + frame.refusal());
        }
        boolean foreign = frame.verdict().category() == Verdict.Category.FOREIGN;
        return (foreign && !frame.isCutShort() ? "not RDMA: " : "") + frame.refusal();
    }

    private void transport(CapturedFrame frame, StringJoiner words) {
        PacketView view = frame.view();
        opcodeWidth = Math.max(opcodeWidth, view.opcode().toString().length());
        words.add(
                Texts.left(view.opcode().toString(), opcodeWidth)
                        + "  qp "
                        + Texts.hex24(view.destQp())
                        + " psn "
                        + Texts.hex24(view.psn()));
        if (frame.isWhole()) {
            // Behind a datagram's own words, its headers and length are the same every time.
            MadText.of(frame).ifPresentOrElse(words::add, () -> headers(view, words));
        }
        String flags = flags(frame);
        if (!flags.isEmpty()) {
            words.add(flags);
        }
    }

    private void headers(PacketView view, StringJoiner words) {
        for (ExtendedHeader header : view.opcode().headers()) {
            words.add(header(header, view));
        }
        if (view.payloadLength() > 0) {
            words.add(view.payloadLength() + " B");
        }
    }

    private String header(ExtendedHeader header, PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.at(header);
        return switch (header) {
            case RDETH -> "eec " + Texts.hex24(Rdeth.endToEndContext(segment, at));
            case DETH ->
                    "from qp "
                            + Texts.hex24(Deth.sourceQp(segment, at))
                            + " qkey "
                            + Texts.hex32(Deth.qkey(segment, at));
            case XRCETH -> "srq " + Texts.hex24(XrcEth.sharedReceiveQueue(segment, at));
            case FETH ->
                    "placement "
                            + Feth.placement(segment, at)
                            + " selectivity "
                            + Feth.selectivity(segment, at);
            case RETH ->
                    "va "
                            + Texts.hex64(Reth.address(segment, at))
                            + " rkey "
                            + Texts.hex32(Reth.rkey(segment, at))
                            + " len "
                            + Reth.lengthBytes(segment, at);
            case ATOMIC_ETH ->
                    "va "
                            + Texts.hex64(AtomicEth.address(segment, at))
                            + " rkey "
                            + Texts.hex32(AtomicEth.rkey(segment, at))
                            + atomicOperands(view.opcode().operation(), segment, at);
            case AETH -> syndrome(Aeth.syndrome(segment, at)) + ", msn " + Aeth.msn(segment, at);
            case ATOMIC_ACK_ETH -> "was " + Texts.hex64(AtomicAckEth.original(segment, at));
            case IMM_DT -> "imm " + Texts.hex32(ImmDt.data(segment, at));
            case IETH -> "invalidate rkey " + Texts.hex32(Ieth.rkey(segment, at));
            case SACK_ETH -> selective(segment, at);
        };
    }

    private static String selective(MemorySegment segment, long at) {
        int early = 0;
        for (int word = 0; word < SackEth.WORDS; word++) {
            early += Long.bitCount(SackEth.word(segment, at, word));
        }
        return "next "
                + Texts.hex24(SackEth.start(segment, at))
                + " seen "
                + Texts.hex24(SackEth.seen(segment, at))
                + " early "
                + early;
    }

    private static String atomicOperands(Operation operation, MemorySegment segment, long at) {
        String operand = Texts.hex64(AtomicEth.swapOrAdd(segment, at));
        return operation == Operation.FETCH_ADD
                ? " add " + operand
                : " compare " + Texts.hex64(AtomicEth.compare(segment, at)) + " swap " + operand;
    }

    private String syndrome(int syndrome) {
        String words = AethSyndrome.words(syndrome);
        return AethSyndrome.kind(syndrome) == AethSyndrome.Kind.ACK ? words : alarm(words);
    }

    /// Words that must not be overlooked.
    private String alarm(String words) {
        return ansi.enabled() ? ansi.string("@|bold,red " + words + "|@") : words;
    }

    /// Unusual fields only: a packet in the default partition has none.
    private static String flags(CapturedFrame frame) {
        PacketView view = frame.view();
        MemorySegment segment = view.segment();
        long bth = view.bthAt();
        StringJoiner flags = new StringJoiner(" ");
        if (Bth.ackRequest(segment, bth)) {
            flags.add("ackreq");
        }
        if (Bth.solicited(segment, bth)) {
            flags.add("solicited");
        }
        if (Bth.fecn(segment, bth)) {
            flags.add("FECN");
        }
        if (Bth.becn(segment, bth)) {
            flags.add("BECN");
        }
        if (frame.ecn() == Ecn.CONGESTION) {
            flags.add("CE");
        }
        int pkey = Bth.pkey(segment, bth);
        if (pkey != Pkey.DEFAULT_FULL) {
            flags.add(String.format(Locale.ROOT, "pkey 0x%04x", pkey));
        }
        if (view.encapsulation().isNative()) {
            flags.add("vl " + Lrh.virtualLane(segment, view.networkAt()));
            flags.add("sl " + Lrh.serviceLevel(segment, view.networkAt()));
        }
        return flags.toString();
    }

    private String checksums(CapturedFrame frame) {
        String icrc = "icrc ok";
        if (!frame.icrcIsRight()) {
            PacketView view = frame.view();
            icrc =
                    alarm(
                            "icrc BAD: has "
                                    + wire(Icrc.stored(view.segment(), view.icrcAt()))
                                    + ", needs "
                                    + wire(frame.icrcNeeded()));
        }
        if (!frame.hasVcrc()) {
            return icrc;
        }
        return icrc + " " + (frame.vcrcIsRight() ? "vcrc ok" : alarm("vcrc BAD"));
    }

    /// A checksum as its bytes lie on the wire, which is how other tools print it.
    private static String wire(int icrc) {
        return Texts.hex32(Integer.reverseBytes(icrc)).substring(2);
    }

    private static String flowControl(FlowControl flow) {
        return (flow.operation() == FlowControl.INITIALIZE ? "flow control init" : "flow control")
                + "  vl "
                + flow.virtualLane()
                + "  fctbs "
                + flow.totalSent()
                + "  fccl "
                + flow.creditLimit()
                + "  lpcrc ok";
    }

    private static String control(PacketView view) {
        MemorySegment segment = view.segment();
        long at = view.controlAt();
        if (view.kind() == PacketKind.PAUSE) {
            return "PAUSE  all priorities for " + Pause.quanta(segment, at) + " quanta";
        }
        StringJoiner words = new StringJoiner("  ");
        if (view.kind() == PacketKind.PFC) {
            Pfc pfc = Pfc.parse(segment, at);
            words.add("PFC");
            for (int priority = 0; priority < Pfc.PRIORITIES; priority++) {
                if (pfc.isEnabled(priority)) {
                    int quanta = pfc.quanta(priority);
                    words.add(
                            "priority "
                                    + priority
                                    + (quanta == 0 ? " resumes" : " pauses " + quanta + " quanta"));
                }
            }
            return words.toString();
        }
        words.add("LLDP");
        for (Dcbx dcbx : Lldp.dcbx(segment, at, view.controlLength())) {
            words.add(dcbx(dcbx));
        }
        return words.toString();
    }

    private static String dcbx(Dcbx dcbx) {
        return switch (dcbx) {
            case Dcbx.EtsConfiguration ets -> "ETS percent " + ets.ets().percents();
            case Dcbx.EtsRecommendation ets -> "ETS recommended " + ets.ets().percents();
            case Dcbx.PfcConfiguration pfc ->
                    "PFC on priorities "
                            + IntStream.range(0, Pfc.PRIORITIES)
                                    .filter(priority -> ((pfc.enabled() >> priority) & 1) != 0)
                                    .boxed()
                                    .toList();
            case Dcbx.ApplicationPriority app ->
                    app.applications().stream()
                            .map(FrameText::application)
                            .collect(Collectors.joining("  "));
        };
    }

    private static String application(Dcbx.Application application) {
        int protocol = application.protocol();
        String what =
                switch (application.selector()) {
                    case 1 -> String.format(Locale.ROOT, "EtherType 0x%04x", protocol);
                    case 2 -> "TCP port " + protocol;
                    case 3 -> "UDP port " + protocol;
                    case 4 -> "port " + protocol;
                    case 5 -> "DSCP " + protocol;
                    default -> "selector " + application.selector() + " " + protocol;
                };
        return what + " in priority " + application.priority();
    }
}
