package dev.verbena.job.goal;

import dev.verbena.job.goal.GoalLexer.Token;
import dev.verbena.job.replay.Budget;
import dev.verbena.job.replay.Job;
import dev.verbena.job.replay.Schedule;
import dev.verbena.job.replay.ScheduleBuilder;
import dev.verbena.job.replay.TraceException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the text form of GOAL:
///
/// ```text
/// num_ranks 2
/// rank 0 {
/// l1: calc 1500
/// l2: send 4096b to 1 tag 7
/// l2 requires l1
/// }
/// rank 1 {
/// l1: recv 4096b from 0 tag 7
/// }
/// ```
///
/// A statement is on one line. Labels are defined before they are used.
public final class GoalText {
    private static final long ANY = 0xFFFF_FFFFL;
    private static final int UNIT_MAX = 255;

    /// As many digits always fit in 64 bits.
    private static final int DIGITS_MAX = 18;

    private final String file;
    private final GoalLexer lexer;
    private final Budget budget = new Budget();
    private final List<Schedule> ranks = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private ScheduleBuilder builder;
    private Token token = Token.LINE;
    private int rankCount;

    private GoalText(String file, Reader in) {
        this.file = file;
        lexer = new GoalLexer(file, in);
        builder = new ScheduleBuilder(file, 0, 0, "line", budget);
    }

    /// Reads a job.
    ///
    /// @param file its name, for messages
    /// @throws TraceException with the line of what is malformed
    public static Job read(String file, Reader in) throws IOException {
        return new GoalText(file, in).job();
    }

    private Job job() throws IOException {
        start();
        expect("num_ranks");
        long count = number();
        if (count < 1 || count > Budget.RANKS_MAX) {
            throw lexer.wrong("num_ranks %d: use 1 to %,d".formatted(count, Budget.RANKS_MAX));
        }
        rankCount = (int) count;
        endOfLine();
        while (ranks.size() < rankCount) {
            rank();
        }
        start();
        if (token != Token.END) {
            throw lexer.wrong("text after rank %d, the last".formatted(rankCount - 1));
        }
        return new Job(file, ranks, List.of(), Job.Rules.CPUS);
    }

    private void rank() throws IOException {
        start();
        if (token == Token.END) {
            throw lexer.wrong(
                    "rank %d of %d is missing: the file ends".formatted(ranks.size(), rankCount));
        }
        expect("rank");
        long number = number();
        if (number != ranks.size()) {
            throw lexer.wrong(
                    "rank %d where rank %d belongs: ranks go up from 0"
                            .formatted(number, ranks.size()));
        }
        start();
        expectMark('{');
        builder = new ScheduleBuilder(file, ranks.size(), rankCount, "line", budget);
        labels.clear();
        for (start(); !isMark('}'); start()) {
            statement();
            endOfLine();
        }
        advance();
        ranks.add(builder.build());
    }

    private void statement() throws IOException {
        if (token == Token.END) {
            throw wrong("the file ends within the rank");
        }
        String first = word();
        switch (first) {
            case "calc", "send", "recv" -> {
                // A label may have the name of an operation.
                if (isMark(':')) {
                    labelled(first);
                } else {
                    operation(first);
                }
            }
            default -> {
                if (isMark(':')) {
                    labelled(first);
                } else {
                    dependency(first);
                }
            }
        }
    }

    private void labelled(String label) throws IOException {
        if (!Character.isLetter(label.charAt(0))) {
            throw wrong("label '%s' does not start with a letter".formatted(label));
        }
        advance();
        operation(word());
        if (labels.putIfAbsent(label, builder.nodes() - 1) != null) {
            throw wrong("label '%s' is there twice".formatted(label));
        }
    }

    private void operation(String name) throws IOException {
        int line = lexer.line();
        switch (name) {
            case "calc" -> {
                long ns = number();
                builder.calc(ns, (int) option("cpu", UNIT_MAX), line);
            }
            case "send", "recv" -> {
                boolean isSend = name.equals("send");
                long bytes = bytes();
                expect(isSend ? "to" : "from");
                int peer = rankOrAny(isSend);
                int tag = tag();
                int cpu = (int) option("cpu", UNIT_MAX);
                int nic = (int) option("nic", UNIT_MAX);
                if (isSend) {
                    builder.send(bytes, peer, tag, cpu, nic, line);
                } else {
                    builder.receive(bytes, peer, tag, cpu, nic, line);
                }
            }
            default -> throw wrong("'%s' is no operation: use calc, send or recv".formatted(name));
        }
    }

    private int rankOrAny(boolean isSend) throws IOException {
        if (isAny()) {
            if (isSend) {
                throw wrong("a send goes to one rank, not to any");
            }
            return Schedule.ANY;
        }
        long number = number();
        if (number == ANY && !isSend) {
            return Schedule.ANY;
        }
        if (number >= rankCount) {
            throw wrong("there is no rank %d: num_ranks is %d".formatted(number, rankCount));
        }
        return (int) number;
    }

    private int tag() throws IOException {
        if (!isWord("tag")) {
            return 0;
        }
        advance();
        if (isAny()) {
            return Schedule.ANY;
        }
        long number = number();
        if (number > ANY) {
            throw wrong("tag %d: use 0 to %,d, or -1 for any".formatted(number, ANY - 1));
        }
        return (int) number;
    }

    /// Whether -1 is next; takes it.
    private boolean isAny() throws IOException {
        if (!isMark('-')) {
            return false;
        }
        advance();
        if (number() != 1) {
            throw wrong("no number is negative but -1, for any");
        }
        return true;
    }

    private long option(String name, long most) throws IOException {
        if (!isWord(name)) {
            return 0;
        }
        advance();
        long number = number();
        if (number > most) {
            throw wrong("%s %d: use 0 to %d".formatted(name, number, most));
        }
        return number;
    }

    private void dependency(String label) throws IOException {
        int node = known(label);
        String kind = word();
        int other = known(word());
        switch (kind) {
            case "requires" -> builder.afterFinish(node, other);
            case "irequires" -> builder.afterStart(node, other);
            default -> throw wrong("'%s': use requires or irequires".formatted(kind));
        }
    }

    private int known(String label) {
        Integer node = labels.get(label);
        if (node == null) {
            throw wrong("label '%s' is not defined before".formatted(label));
        }
        return node;
    }

    private TraceException wrong(String problem) {
        return builder.wrong(lexer.line(), problem);
    }

    // ---- words

    private void advance() throws IOException {
        token = lexer.next();
    }

    /// Goes to the first token of a line.
    private void start() throws IOException {
        while (token == Token.LINE) {
            advance();
        }
    }

    private void endOfLine() {
        if (token != Token.LINE && token != Token.END && !isMark('}')) {
            throw lexer.wrong("%s does not belong here".formatted(found()));
        }
    }

    private String found() {
        return switch (token) {
            case WORD -> "'" + lexer.word() + "'";
            case MARK -> "'" + lexer.mark() + "'";
            case LINE -> "the end of the line";
            case END -> "the end of the file";
        };
    }

    private boolean isMark(char mark) {
        return token == Token.MARK && lexer.mark() == mark;
    }

    private boolean isWord(String word) {
        return token == Token.WORD && lexer.word().equals(word);
    }

    private void expect(String word) throws IOException {
        if (!isWord(word)) {
            throw lexer.wrong("%s where '%s' belongs".formatted(found(), word));
        }
        advance();
    }

    private void expectMark(char mark) throws IOException {
        if (!isMark(mark)) {
            throw lexer.wrong("%s where '%s' belongs".formatted(found(), mark));
        }
        advance();
    }

    private String word() throws IOException {
        if (token != Token.WORD) {
            throw lexer.wrong("%s where a word belongs".formatted(found()));
        }
        String word = lexer.word();
        advance();
        return word;
    }

    private long number() throws IOException {
        if (token != Token.WORD) {
            throw lexer.wrong("%s where a number belongs".formatted(found()));
        }
        long number = parse(lexer.word());
        advance();
        return number;
    }

    private long bytes() throws IOException {
        String word = token == Token.WORD ? lexer.word() : "";
        if (!word.endsWith("b")) {
            throw lexer.wrong(
                    "%s where a number of bytes belongs, such as 4096b".formatted(found()));
        }
        long number = parse(word.substring(0, word.length() - 1));
        advance();
        return number;
    }

    private long parse(String word) {
        if (word.isEmpty() || !word.chars().allMatch(it -> it >= '0' && it <= '9')) {
            throw lexer.wrong("'%s' is not a number".formatted(word));
        }
        if (word.length() > DIGITS_MAX) {
            throw lexer.wrong("%s is too large".formatted(word));
        }
        return Long.parseLong(word);
    }
}
