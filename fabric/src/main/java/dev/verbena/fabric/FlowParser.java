package dev.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Reads a [FlowFile].
final class FlowParser {
    private static final int FLOWS_MAX = 10_000_000;

    private final List<String> lines;
    private final List<Flow> flows = new ArrayList<>();

    /// By flow, its line from 0.
    private final List<Integer> lineOf = new ArrayList<>();

    private final Map<Long, FlowTrigger> triggers = new TreeMap<>();
    private int nodes;

    FlowParser(List<String> lines) {
        this.lines = lines;
    }

    FlowFile parse() {
        for (int i = 0; i < lines.size(); i++) {
            try {
                line(i, lines.get(i).strip());
            } catch (IllegalArgumentException malformed) {
                throw at(i, malformed);
            }
        }
        for (FlowTrigger trigger : triggers.values()) {
            try {
                trigger.start(flows);
            } catch (IllegalArgumentException misfit) {
                throw at(trigger.line(), misfit);
            }
        }
        requireThatAllStart();
        return new FlowFile(nodes, flows);
    }

    private IllegalArgumentException at(int line, IllegalArgumentException reason) {
        return new IllegalArgumentException(
                "line %d, '%s': %s"
                        .formatted(line + 1, lines.get(line).strip(), reason.getMessage()),
                reason);
    }

    private void line(int number, String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        String[] words = line.split("\\s+");
        switch (words[0]) {
            case "Nodes" -> nodes = Math.clamp(number(words, 0), 0, Integer.MAX_VALUE);
            case "trigger" -> trigger(number, words);
            case "Connections", "Triggers" -> {}
            default -> {
                if (!words[0].contains("->")) {
                    throw new IllegalArgumentException("not a flow, and no other known line");
                }
                flow(number, words);
            }
        }
    }

    private FlowTrigger triggerOf(long id, int line) {
        if (id < 1) {
            throw new IllegalArgumentException("trigger %d: use 1 or more".formatted(id));
        }
        return triggers.computeIfAbsent(id, it -> new FlowTrigger(it, line));
    }

    private void flow(int line, String[] words) {
        int index = flows.size();
        if (index == FLOWS_MAX) {
            throw new IllegalArgumentException("more than " + FLOWS_MAX + " flows");
        }
        Set<String> seen = new HashSet<>();
        long startPs = 0;
        long bytes = 0;
        for (int i = 1; i < words.length; i += 2) {
            long value = number(words, i);
            switch (words[i]) {
                case "start" -> startPs = value;
                case "size" -> bytes = value;
                case "trigger" -> triggerOf(value, line).waiting.add(index);
                case "send_done_trigger" -> triggerOf(value, line).sent.add(index);
                case "recv_done_trigger" -> triggerOf(value, line).received.add(index);
                case "id" -> {}
                default -> throw new IllegalArgumentException("'" + words[i] + "' is unknown");
            }
            if (!seen.add(words[i])) {
                throw new IllegalArgumentException("'" + words[i] + "' is there twice");
            }
        }
        if (seen.contains("start") && seen.contains("trigger")) {
            throw new IllegalArgumentException("a time and a trigger both start it: use one");
        }
        int arrow = words[0].indexOf("->");
        int source = host(words[0].substring(0, arrow));
        int destination = host(words[0].substring(arrow + 2));
        if (nodes > 0 && Math.max(source, destination) >= nodes) {
            throw new IllegalArgumentException(
                    "no host %d: the file has %d nodes, from 0 on"
                            .formatted(Math.max(source, destination), nodes));
        }
        flows.add(Flow.of(source, destination, bytes).startingAt(startPs));
        lineOf.add(line);
    }

    private void trigger(int line, String[] words) {
        long id = 0;
        Long count = null;
        FlowTrigger.Kind kind = null;
        for (int i = 1; i < words.length; i++) {
            switch (words[i]) {
                case "id" -> id = number(words, i++);
                case "count" -> count = number(words, i++);
                case "oneshot", "multishot", "barrier" -> {
                    if (kind != null) {
                        throw new IllegalArgumentException("two kinds: use one");
                    }
                    kind = FlowTrigger.Kind.of(words[i]);
                }
                default -> throw new IllegalArgumentException("'" + words[i] + "' is unknown");
            }
        }
        if (kind == null) {
            throw new IllegalArgumentException(
                    "no kind: use oneshot, multishot or barrier count N");
        }
        if ((count != null) != (kind == FlowTrigger.Kind.BARRIER)) {
            throw new IllegalArgumentException("a barrier has a count, and no other trigger does");
        }
        triggerOf(id, line).define(kind, count == null ? 1 : count, line);
    }

    /// The number after a word.
    private static long number(String[] words, int word) {
        if (word + 1 >= words.length) {
            throw new IllegalArgumentException("no number after '" + words[word] + "'");
        }
        try {
            return Long.parseLong(words[word + 1]);
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException(
                    "'%s' after '%s' is not a number".formatted(words[word + 1], words[word]),
                    malformed);
        }
    }

    private static int host(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("'%s' is not a host".formatted(text), malformed);
        }
    }

    /// Lets all flows end that start, one after the other: flows that wait for each other are left.
    private void requireThatAllStart() {
        WaitingFlows waiting = new WaitingFlows(flows);
        BitSet started = new BitSet();
        ArrayDeque<Integer> ending = new ArrayDeque<>();
        for (int i = 0; i < flows.size(); i++) {
            if (flows.get(i).after().isNothing()) {
                ending.add(i);
            }
        }
        while (!ending.isEmpty()) {
            int flow = ending.removeFirst();
            started.set(flow);
            waiting.received(flow, ending::add);
            waiting.sent(flow, ending::add);
        }
        int never = started.nextClearBit(0);
        if (never < flows.size()) {
            throw at(
                    lineOf.get(never),
                    new IllegalArgumentException(
                            "it never starts: it waits for flows that wait for it"));
        }
    }
}
