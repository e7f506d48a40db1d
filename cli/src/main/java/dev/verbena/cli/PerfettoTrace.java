package dev.verbena.cli;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.verbena.collectives.trace.RankTrace;
import dev.verbena.collectives.trace.TracedStep;
import dev.verbena.collectives.trace.TracedStep.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// Writes traces in the Trace Event Format of Chrome, which Perfetto reads.
///
/// A rank is a process. Its operations are one track, and the sends and the receives of each lane
/// another; a step has the time that it waited for its peer inside. The time from the post of a
/// long message to its acknowledgement is an asynchronous event, because such times overlap.
final class PerfettoTrace {
    private static final int OPERATIONS = 0;
    private static final int TRACKS_OF_LANE = 2;
    private static final double NS_PER_US = 1e3;

    private final List<RankTrace> traces;
    private final int perRank;
    private final long originNs;
    private final long leftOut;
    private long messages;

    /// @param stepsMax in all; the oldest steps are left out
    PerfettoTrace(List<RankTrace> traces, int stepsMax) {
        this.traces = traces;
        perRank = Math.max(1, stepsMax / Math.max(1, traces.size()));
        originNs =
                traces.stream()
                        .flatMap(it -> newest(it).stream())
                        .mapToLong(TracedStep::readyNs)
                        .min()
                        .orElse(0);
        leftOut =
                traces.stream()
                        .mapToLong(it -> it.overwritten() + it.steps().size() - newest(it).size())
                        .sum();
    }

    private List<TracedStep> newest(RankTrace trace) {
        int all = trace.steps().size();
        return trace.steps().subList(Math.max(0, all - perRank), all);
    }

    void write(Path file) throws IOException {
        try (JsonGenerator json =
                new JsonFactory().createGenerator(file.toFile(), JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringField("displayTimeUnit", "ns");
            json.writeObjectFieldStart("otherData");
            json.writeNumberField("steps_left_out", leftOut);
            json.writeEndObject();
            json.writeArrayFieldStart("traceEvents");
            for (RankTrace trace : traces) {
                rank(json, trace);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private void rank(JsonGenerator json, RankTrace trace) throws IOException {
        name(json, trace.rank(), OPERATIONS, "process_name", "rank " + trace.rank());
        name(json, trace.rank(), OPERATIONS, "thread_name", "operations");
        TreeSet<Integer> tracks = new TreeSet<>();
        for (TracedStep step : newest(trace)) {
            if (step.kind() != Kind.OPERATION && tracks.add(track(step))) {
                String title = (step.kind() == Kind.SEND ? "sends" : "receives") + " of lane ";
                name(json, trace.rank(), track(step), "thread_name", title + step.lane());
            }
            step(json, trace.rank(), step);
        }
    }

    private static int track(TracedStep step) {
        return 1 + TRACKS_OF_LANE * step.lane() + (step.kind() == Kind.SEND ? 0 : 1);
    }

    private void name(JsonGenerator json, int rank, int track, String what, String text)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", "M");
        json.writeNumberField("pid", rank);
        json.writeNumberField("tid", track);
        json.writeStringField("name", what);
        json.writeObjectFieldStart("args");
        json.writeStringField("name", text);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void step(JsonGenerator json, int rank, TracedStep step) throws IOException {
        if (step.kind() == Kind.OPERATION) {
            String name = "operation " + step.operation();
            slice(json, rank, OPERATIONS, name, step.hereNs(), step.doneNs(), step);
            return;
        }
        boolean isSend = step.kind() == Kind.SEND;
        String name = (isSend ? "send to " : "receive from ") + step.peer();
        slice(json, rank, track(step), name, step.readyNs(), step.doneNs(), step);
        if (step.waitedNs() > 0) {
            String wait = "wait for " + (isSend ? "a grant of " : "") + "rank " + step.peer();
            slice(json, rank, track(step), wait, step.readyNs(), step.hereNs(), step);
        }
        if (step.hasTransfer()) {
            transfer(json, rank, step, "b", step.doneNs());
            transfer(json, rank, step, "e", Math.max(step.doneNs(), step.ackedNs()));
            messages++;
        }
    }

    private void slice(
            JsonGenerator json,
            int rank,
            int track,
            String name,
            long fromNs,
            long untilNs,
            TracedStep step)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", "X");
        json.writeNumberField("pid", rank);
        json.writeNumberField("tid", track);
        json.writeStringField("name", name);
        time(json, "ts", fromNs - originNs);
        time(json, "dur", Math.max(0, untilNs - fromNs));
        json.writeObjectFieldStart("args");
        json.writeNumberField("operation", step.operation());
        json.writeNumberField("step", step.index());
        json.writeNumberField("bytes", step.bytes());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void transfer(JsonGenerator json, int rank, TracedStep step, String phase, long atNs)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", phase);
        json.writeStringField("cat", "message");
        json.writeStringField("id", "0x" + Long.toHexString(messages));
        json.writeNumberField("pid", rank);
        json.writeNumberField("tid", track(step));
        json.writeStringField("name", "message to " + step.peer());
        time(json, "ts", atNs - originNs);
        json.writeEndObject();
    }

    /// In microseconds, as the format wants it.
    private static void time(JsonGenerator json, String field, long ns) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(String.format(Locale.ROOT, "%.3f", ns / NS_PER_US));
    }

    @Override
    public String toString() {
        long steps = traces.stream().mapToLong(it -> newest(it).size()).sum();
        return "%,d steps of %d ranks, %,d older ones left out"
                .formatted(steps, traces.size(), leftOut);
    }
}
