package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// The JSON that perftest writes with `--out_json`, an object on a line for each size.
///
/// Bandwidth is always in Gb/sec and times in microseconds.
final class PerfJson implements PerfReport {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .disable(com.fasterxml.jackson.core.StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .build();
    private static final double GIGABIT = 125e6;

    private final Writer out;
    private @Nullable Setting setting;

    PerfJson(Writer out) {
        this.out = out;
    }

    @Override
    public void begin(Setting begun) {
        setting = begun;
    }

    @Override
    public void row(PerfResult result, boolean isWarm) {
        if (setting == null || result instanceof PerfResult.None) {
            return;
        }
        try {
            try (JsonGenerator json = FACTORY.createGenerator(out)) {
                json.writeStartObject();
                json.writeObjectFieldStart("test_info");
                testInfo(json, setting);
                json.writeEndObject();
                json.writeObjectFieldStart("results");
                results(json, result, setting.options().amount().durationSeconds() > 0);
                if (setting.options().mayLose()) {
                    json.writeNumberField("n_lost", result.lost());
                }
                if (!isWarm) {
                    json.writeBooleanField("is_warm", false);
                }
                json.writeEndObject();
                json.writeEndObject();
            }
            out.write('\n');
            out.flush();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void testInfo(JsonGenerator json, Setting setting) throws IOException {
        PerfOptions options = setting.options();
        json.writeStringField("test", PerfTable.title(options, "_"));
        json.writeStringField("Dual_port", "OFF");
        json.writeStringField("Device", setting.device().name());
        json.writeNumberField("Number_of_qps", options.pairs().count());
        json.writeStringField("Transport_type", "IB");
        json.writeStringField("Connection_type", options.pairs().type().toString());
        json.writeStringField("Using_SRQ", "OFF");
        json.writeStringField("PCIe_relax_order", "OFF");
        json.writeStringField("ibv_wr_API", "ON");
        json.writeNumberField("TX_depth", options.posting().txDepth());
        if (options.posting().postList() > 1) {
            json.writeNumberField("Post_List", options.posting().postList());
        }
        if (options.measure().verb().needsReceives()) {
            json.writeNumberField("RX_depth", options.posting().rxDepth());
        }
        if (options.measure().kind() == PerfKind.BW) {
            json.writeNumberField("CQ_Moderation", options.posting().cqModeration());
        }
        json.writeNumberField("Mtu", setting.mtu());
        json.writeStringField("Link_type", PerfTable.linkType(setting));
        json.writeNumberField("GID_index", 0);
        if (options.measure().verb().isRoundTrip()) {
            json.writeNumberField("Outstand_reads", setting.there().endpoints().getFirst().reads());
        } else {
            json.writeNumberField("Max_inline_data", options.posting().inlineBytes());
        }
        json.writeStringField("rdma_cm_QPs", "OFF");
        json.writeStringField("Data_ex_method", "Ethernet");
    }

    private static void results(JsonGenerator json, PerfResult result, boolean isDuration)
            throws IOException {
        switch (result) {
            case PerfResult.None none -> {}
            case PerfResult.Bandwidth it -> {
                json.writeNumberField("MsgSize", it.bytes());
                json.writeNumberField("n_iterations", it.messages());
                number(json, "BW_peak", it.peak() / GIGABIT, 6);
                number(json, "BW_average", it.average() / GIGABIT, 6);
                number(json, "MsgRate", it.rate() / 1e6, 6);
            }
            case PerfResult.Latency it -> {
                json.writeNumberField("MsgSize", it.bytes());
                json.writeNumberField("n_iterations", it.messages());
                number(json, "t_avg", it.average(), 3);
                if (isDuration) {
                    number(json, "tps_average", it.perSecond(), 2);
                }
                number(json, "t_min", it.min(), 3);
                number(json, "t_max", it.max(), 3);
                number(json, "t_typical", it.typical(), 3);
                number(json, "t_stdev", it.deviation(), 3);
                number(json, "percentile_99", it.percentile99(), 3);
                number(json, "percentile_99.9", it.percentile999(), 3);
            }
        }
    }

    private static void number(JsonGenerator json, String name, double value, int digits)
            throws IOException {
        json.writeNumberField(name, new BigDecimal(value).setScale(digits, RoundingMode.HALF_UP));
    }

    @Override
    public void samples(double[] values) {}

    @Override
    public void end() {}
}
