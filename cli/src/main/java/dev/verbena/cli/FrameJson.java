package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Eth;
import dev.verbena.wire.ExtendedHeader;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.PacketView;
import dev.verbena.wire.Rdeth;
import dev.verbena.wire.Reth;
import dev.verbena.wire.SackEth;
import dev.verbena.wire.XrcEth;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/// Frames as JSON, one object to a line, and the summary as a last object of its own.
///
/// Numbers are numbers, except addresses and keys of more than 53 bits' worth, which are
/// hexadecimal text so that no reader rounds them.
final class FrameJson {
    private final JsonGenerator json;
    private final PrintWriter out;

    FrameJson(PrintWriter out) throws IOException {
        this.out = out;
        this.json = new JsonFactory().createGenerator(out).setRootValueSeparator(null);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    }

    void write(CapturedFrame frame) throws IOException {
        json.writeStartObject();
        json.writeNumberField("frame", frame.number());
        json.writeNumberField("time_ns", frame.timeNs());
        json.writeStringField("link", frame.title());
        json.writeStringField("source", frame.source());
        json.writeStringField("destination", frame.destination());
        json.writeNumberField("length", frame.length());
        if (frame.isJudged()) {
            json.writeStringField("verdict", frame.verdict().toString());
        }
        if (frame.isCutShort()) {
            json.writeBooleanField("cut_short", true);
        }
        if (!frame.refusal().isEmpty()) {
            json.writeStringField("reason", frame.refusal());
        }
        if (frame.view().hasBth()) {
            writeTransport(frame);
        }
        if (frame.hasChecksums()) {
            json.writeBooleanField("icrc_ok", frame.icrcIsRight());
        }
        if (frame.hasVcrc()) {
            json.writeBooleanField("vcrc_ok", frame.vcrcIsRight());
        }
        endLine();
    }

    private void endLine() throws IOException {
        json.writeEndObject();
        json.flush();
        out.println();
    }

    private void writeTransport(CapturedFrame frame) throws IOException {
        PacketView view = frame.view();
        MemorySegment segment = view.segment();
        long bth = view.bthAt();
        json.writeNumberField("opcode", view.opcode().code());
        json.writeStringField("name", view.opcode().toString());
        json.writeNumberField("qp", view.destQp());
        json.writeNumberField("psn", view.psn());
        json.writeNumberField("pkey", Bth.pkey(segment, bth));
        json.writeBooleanField("ack_request", Bth.ackRequest(segment, bth));
        json.writeBooleanField("solicited", Bth.solicited(segment, bth));
        json.writeBooleanField("fecn", Bth.fecn(segment, bth));
        json.writeBooleanField("becn", Bth.becn(segment, bth));
        json.writeNumberField("ecn", frame.ecn().code());
        if (frame.isWhole()) {
            json.writeNumberField("payload", view.payloadLength());
            json.writeNumberField("pad", Bth.padCount(segment, bth));
            for (ExtendedHeader header : view.opcode().headers()) {
                writeHeader(Eth.parse(header, segment, view.at(header)));
            }
            var mad = MadText.of(frame);
            if (mad.isPresent()) {
                json.writeStringField("mad", mad.get());
            }
        }
    }

    private void writeHeader(Eth header) throws IOException {
        switch (header) {
            case Rdeth rdeth -> json.writeNumberField("ee_context", rdeth.endToEndContext());
            case Deth deth -> {
                json.writeNumberField("qkey", Integer.toUnsignedLong(deth.qkey()));
                json.writeNumberField("source_qp", deth.sourceQp());
            }
            case XrcEth xrc -> json.writeNumberField("xrc_srq", xrc.sharedReceiveQueue());
            case Feth feth -> {
                json.writeNumberField("placement", feth.placement());
                json.writeNumberField("selectivity", feth.selectivity());
            }
            case Reth reth -> {
                json.writeStringField("va", Texts.hex64(reth.address()));
                json.writeNumberField("rkey", Integer.toUnsignedLong(reth.rkey()));
                json.writeNumberField("dma_length", reth.lengthBytes());
            }
            case AtomicEth atomic -> {
                json.writeStringField("va", Texts.hex64(atomic.address()));
                json.writeNumberField("rkey", Integer.toUnsignedLong(atomic.rkey()));
                json.writeStringField("swap_or_add", Texts.hex64(atomic.swapOrAdd()));
                json.writeStringField("compare", Texts.hex64(atomic.compare()));
            }
            case Aeth aeth -> {
                json.writeNumberField("syndrome", aeth.syndrome());
                json.writeStringField("says", AethSyndrome.words(aeth.syndrome()));
                json.writeNumberField("msn", aeth.msn());
            }
            case AtomicAckEth ack -> json.writeStringField("original", Texts.hex64(ack.original()));
            case ImmDt imm ->
                    json.writeNumberField("immediate", Integer.toUnsignedLong(imm.data()));
            case Ieth ieth ->
                    json.writeNumberField("invalidate_rkey", Integer.toUnsignedLong(ieth.rkey()));
            case SackEth sack -> {
                json.writeNumberField("next", sack.start());
                json.writeNumberField("seen", sack.seen());
                json.writeStringField(
                        "early",
                        Texts.hex64(sack.fourth())
                                + Texts.hex64(sack.third()).substring(2)
                                + Texts.hex64(sack.second()).substring(2)
                                + Texts.hex64(sack.first()).substring(2));
            }
        }
    }

    void writeSummary(FlowTable table) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("summary");
        json.writeNumberField("frames", table.frames());
        json.writeNumberField("seconds", table.seconds());
        json.writeNumberField("bad", table.bad());
        json.writeNumberField("icrc_right", table.icrcRight());
        json.writeNumberField("icrc_wrong", table.icrcWrong());
        json.writeNumberField("vcrc_right", table.vcrcRight());
        json.writeNumberField("vcrc_wrong", table.vcrcWrong());
        writeCounts("kinds", table.kinds());
        writeCounts("refused", table.refusals());
        json.writeArrayFieldStart("flows");
        for (CapturedFlow flow : table.flows()) {
            writeFlow(flow);
        }
        json.writeEndArray();
        json.writeNumberField("packets_outside_table", table.outsideTable());
        json.writeEndObject();
        endLine();
    }

    private void writeCounts(String name, Map<String, Long> counts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> entry : counts.entrySet()) {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    private void writeFlow(CapturedFlow flow) throws IOException {
        json.writeStartObject();
        json.writeStringField("source", flow.key().source());
        json.writeStringField("destination", flow.key().destination());
        json.writeNumberField("qp", flow.key().destQp());
        json.writeStringField("service", flow.key().service().title());
        json.writeNumberField("packets", flow.packets());
        json.writeNumberField("payload_bytes", flow.payloadBytes());
        json.writeNumberField("first_psn", flow.firstPsn());
        json.writeNumberField("newest_psn", flow.newestPsn());
        json.writeNumberField("retransmissions", flow.retransmissions());
        json.writeNumberField("sequence_naks", flow.sequenceNaks());
        json.writeNumberField("fatal_naks", flow.fatalNaks());
        json.writeNumberField("rnr_naks", flow.receiverNotReady());
        json.writeNumberField("ce_marks", flow.congestionMarks());
        json.writeNumberField("cnps", flow.congestionNotifications());
        json.writeNumberField("wrong_icrcs", flow.wrongChecksums());
        json.writeEndObject();
    }
}
