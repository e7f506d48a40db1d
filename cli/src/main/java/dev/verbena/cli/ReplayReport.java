package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.fabric.Topology;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.RankTimes;
import dev.verbena.job.replay.Replay;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// The result of a replay, as text and as JSON.
final class ReplayReport {
    private static final double PS_PER_US = 1e6;
    private static final String RULE = "-".repeat(80);

    /// Ranks that the text names of each job, those with the latest ends.
    private static final int NAMED = 16;

    private final Replay replay;
    private final String kind;
    private final Topology topology;
    private final List<RankTimes> times;

    ReplayReport(Replay replay, String kind, Topology topology) {
        this.replay = replay;
        this.kind = kind;
        this.topology = topology;
        times = replay.times();
    }

    private List<RankTimes> of(int job) {
        return times.stream().filter(it -> it.job() == job).toList();
    }

    private static double us(long ps) {
        return ps / PS_PER_US;
    }

    private static long end(List<RankTimes> ranks) {
        return ranks.stream().mapToLong(RankTimes::endPs).max().orElse(0);
    }

    String text() {
        Formatter out = new Formatter(Locale.ROOT);
        out.format("%s\n", RULE);
        out.format(" %s, %s\n", kind, topology);
        for (int job = 0; job < replay.jobs().size(); job++) {
            text(out, job);
        }
        out.format("%s\n", RULE);
        if (replay.kept() > 0) {
            out.format(
                    " %s arrived that no rank receives\n", Texts.plural(replay.kept(), "message"));
        }
        if (!replay.isOver()) {
            out.format(
                    " %s not finished after %.2f us\n",
                    Texts.plural(replay.left(), "node"), us(replay.spanPs()));
        }
        return out.toString();
    }

    private void text(Formatter out, int number) {
        Job job = replay.jobs().get(number);
        List<RankTimes> ranks = of(number);
        out.format(
                " %s: %s, %s\n%s\n",
                name(job),
                Texts.plural(ranks.size(), "rank"),
                Texts.plural(job.nodes(), "node"),
                RULE);
        out.format(
                " %-8s %13s %13s %13s %10s %16s\n",
                "rank", "end[us]", "calc[us]", "wait[us]", "messages", "bytes sent");
        List<RankTimes> latest =
                ranks.stream()
                        .sorted(Comparator.comparingLong(RankTimes::endPs).reversed())
                        .limit(NAMED)
                        .sorted(Comparator.comparingInt(RankTimes::rank))
                        .toList();
        for (RankTimes rank : latest) {
            out.format(
                    " %-8d %13.2f %13.2f %13.2f %10d %16d\n",
                    rank.rank(),
                    us(rank.endPs()),
                    us(rank.calcPs()),
                    us(rank.waitPs()),
                    rank.messages(),
                    rank.sentBytes());
        }
        if (ranks.size() > NAMED) {
            out.format(
                    " the %d ranks with the latest ends; --json has all %,d\n",
                    NAMED, ranks.size());
        }
        out.format(
                " %-8s %13.2f %13s %13s %10d %16d\n",
                "job",
                us(end(ranks)),
                "",
                "",
                ranks.stream().mapToLong(RankTimes::messages).sum(),
                ranks.stream().mapToLong(RankTimes::sentBytes).sum());
    }

    /// The name of its file, wherever that is.
    private static String name(Job job) {
        return job.name().substring(job.name().lastIndexOf('/') + 1);
    }

    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("fabric", kind);
            json.writeStringField("topology", topology.toString());
            json.writeBooleanField("over", replay.isOver());
            json.writeNumberField("end_us", us(replay.spanPs()));
            json.writeNumberField("nodes_left", replay.left());
            json.writeNumberField("messages_not_received", replay.kept());
            if (replay.problem().isPresent()) {
                json.writeStringField("problem", replay.problem().get());
            }
            json.writeArrayFieldStart("jobs");
            for (int job = 0; job < replay.jobs().size(); job++) {
                json(json, job);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text + "\n";
    }

    private void json(JsonGenerator json, int number) throws IOException {
        Job job = replay.jobs().get(number);
        json.writeStartObject();
        json.writeStringField("name", name(job));
        json.writeNumberField("nodes", job.nodes());
        json.writeNumberField("end_us", us(end(of(number))));
        json.writeArrayFieldStart("ranks");
        for (RankTimes rank : of(number)) {
            json.writeStartObject();
            json.writeNumberField("rank", rank.rank());
            json.writeNumberField("end_us", us(rank.endPs()));
            json.writeNumberField("calc_us", us(rank.calcPs()));
            json.writeNumberField("wait_us", us(rank.waitPs()));
            json.writeNumberField("messages", rank.messages());
            json.writeNumberField("sent_bytes", rank.sentBytes());
            json.writeNumberField("collectives", rank.collectives());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
