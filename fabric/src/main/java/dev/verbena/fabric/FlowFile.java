package dev.verbena.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Flows in the text form of htsim's connection matrices:
///
/// ```text
/// Nodes 128
/// Connections 2
/// 0->34 id 1 start 0 size 2000000 send_done_trigger 7
/// 34->2 id 2 trigger 7 size 2000000
/// trigger id 7 oneshot
/// ```
///
/// Times are in picoseconds. A flow with a trigger starts when the flow with the same
/// `send_done_trigger` is over.
///
/// @param nodes number of hosts that the file names
public record FlowFile(int nodes, List<Flow> flows) {
    private static final int FLOWS_MAX = 10_000_000;

    public FlowFile {
        flows = List.copyOf(flows);
    }

    /// Reads the lines of a file.
    ///
    /// @throws IllegalArgumentException with the number of a malformed line
    public static FlowFile parse(List<String> lines) {
        Parser parser = new Parser();
        for (int i = 0; i < lines.size(); i++) {
            try {
                parser.line(lines.get(i).strip());
            } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
                throw new IllegalArgumentException(
                        "line %d, '%s': %s"
                                .formatted(i + 1, lines.get(i).strip(), malformed.getMessage()),
                        malformed);
            }
        }
        return parser.file();
    }

    /// The flows of the lines so far.
    private static final class Parser {
        /// A flow; the flow that fires its trigger may follow in a later line.
        private record Draft(int source, int destination, long startPs, long bytes, long trigger) {}

        private static final long NONE = -1;

        private final List<Draft> drafts = new ArrayList<>();
        private final Map<Long, Integer> firedBy = new HashMap<>();
        private int nodes;

        void line(String line) {
            if (line.isEmpty() || line.startsWith("#")) {
                return;
            }
            String[] words = line.split("\\s+");
            if (words[0].equals("Nodes")) {
                nodes = Integer.parseInt(words[1]);
            } else if (words[0].contains("->")) {
                flow(words);
            } else if (!words[0].equals("Connections")
                    && !words[0].equals("Triggers")
                    && !words[0].equals("trigger")) {
                throw new IllegalArgumentException("not a flow, and no other known line");
            }
        }

        private void flow(String[] words) {
            if (drafts.size() == FLOWS_MAX) {
                throw new IllegalArgumentException("more than " + FLOWS_MAX + " flows");
            }
            int arrow = words[0].indexOf("->");
            int source = Integer.parseInt(words[0].substring(0, arrow));
            int destination = Integer.parseInt(words[0].substring(arrow + 2));
            long startPs = 0;
            long bytes = 0;
            long trigger = NONE;
            for (int i = 1; i < words.length; i += 2) {
                long value = Long.parseLong(words[i + 1]);
                switch (words[i]) {
                    case "start" -> startPs = value;
                    case "size" -> bytes = value;
                    case "trigger" -> trigger = value;
                    case "send_done_trigger" -> firedBy.put(value, drafts.size());
                    case "id" -> {}
                    default -> throw new IllegalArgumentException("'" + words[i] + "' is unknown");
                }
            }
            Flow.of(source, destination, bytes);
            drafts.add(new Draft(source, destination, startPs, bytes, trigger));
        }

        FlowFile file() {
            List<Flow> flows = new ArrayList<>(drafts.size());
            for (Draft draft : drafts) {
                int after = -1;
                if (draft.trigger != NONE) {
                    Integer by = firedBy.get(draft.trigger);
                    if (by == null) {
                        throw new IllegalArgumentException(
                                "no flow fires trigger %d, which %d->%d waits for"
                                        .formatted(draft.trigger, draft.source, draft.destination));
                    }
                    after = by;
                }
                flows.add(
                        new Flow(
                                draft.source,
                                draft.destination,
                                draft.startPs,
                                draft.bytes,
                                after));
            }
            return new FlowFile(nodes, flows);
        }
    }
}
