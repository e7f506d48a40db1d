package dev.verbena.conformance.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// `plain-words`: comments and texts of Java sources, and pages, use none of the listed words.
final class PlainWordsRule implements Rule {
    static final String PATH = "conformance/src/test/resources/plain-words.txt";

    private static final String RULE = "plain-words";
    private static final Pattern SKIP = Pattern.compile("skip (\\S+) \\S.*");
    private static final Pattern WORD = Pattern.compile("([^|]+?)\\s*\\|\\s*(\\S.*)");

    /// String literals, and comments up to the end of the line.
    private static final Pattern PROSE = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"|//.*");

    /// Code inside of prose: code spans and references, whose names are not prose.
    private static final Pattern CODE = Pattern.compile("`[^`]*`|\\[[^\\]]*#[^\\]]*\\]");

    private record Word(String text, String plain, Pattern pattern) {}

    /// The list of words, as the file has it.
    private static final class Words {
        private final List<Word> words = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();
        private final List<Finding> findings = new ArrayList<>();

        private void add(int number, String line) {
            Matcher skip = SKIP.matcher(line);
            Matcher word = WORD.matcher(line);
            if (skip.matches()) {
                skipped.add(skip.group(1));
            } else if (word.matches()) {
                words.add(new Word(word.group(1), word.group(2), pattern(word.group(1))));
            } else {
                findings.add(
                        Finding.inFile(
                                PATH, number, RULE, "write: word | plain form, or: skip path why"));
            }
        }

        private static Pattern pattern(String text) {
            String spaced =
                    Pattern.compile("\\s+")
                            .splitAsStream(text)
                            .map(Pattern::quote)
                            .collect(Collectors.joining("\\s+"));
            return Pattern.compile("\\b" + spaced + "\\b", Pattern.CASE_INSENSITIVE);
        }

        private boolean covers(SourceFile file) {
            return (file.isJava() || file.isMarkdown())
                    && skipped.stream().noneMatch(file.path()::startsWith);
        }
    }

    @Override
    public List<Finding> check(SourceTree tree) {
        Words words = new Words();
        List<String> list = tree.file(PATH).map(SourceFile::lines).orElse(List.of());
        for (int i = 0; i < list.size(); i++) {
            String line = list.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                words.add(i + 1, line);
            }
        }
        List<Finding> findings = new ArrayList<>(words.findings);
        tree.textFiles().stream()
                .filter(words::covers)
                .forEach(file -> findings.addAll(check(file, words.words)));
        return findings;
    }

    private static List<Finding> check(SourceFile file, List<Word> words) {
        List<Finding> findings = new ArrayList<>();
        List<String> lines = file.lines();
        for (int i = 0; i < lines.size(); i++) {
            String prose = prose(file, lines.get(i));
            for (Word word : words) {
                if (word.pattern().matcher(prose).find()) {
                    String message = "'" + word.text() + "': write " + word.plain();
                    findings.add(Finding.inFile(file.path(), i + 1, RULE, message));
                }
            }
        }
        return findings;
    }

    private static String prose(SourceFile file, String line) {
        String text =
                file.isMarkdown()
                        ? line
                        : PROSE.matcher(line)
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.joining(" "));
        return CODE.matcher(text).replaceAll("code");
    }
}
