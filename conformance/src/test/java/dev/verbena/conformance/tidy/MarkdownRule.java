package dev.verbena.conformance.tidy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `dead-file` and `dead-link`: a reader who starts at the README reaches every page, and no link
/// leads nowhere.
final class MarkdownRule implements Rule {
    private static final List<String> DOORS =
            List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md");
    private static final Pattern LINK =
            Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)[^)]*\\)|^\\s*\\[[^\\]]+\\]:\\s*<?([^\\s>]+)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*|//.*|#.*");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    private record Link(int line, String target) {}

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        Set<String> reached = reachable(tree);
        for (SourceFile file : tree.textFiles()) {
            if (!file.isMarkdown()) {
                continue;
            }
            if (file.path().startsWith("docs/") && !reached.contains(file.path())) {
                findings.add(
                        Finding.inFile(
                                file.path(),
                                1,
                                "dead-file",
                                "no page leads here from "
                                        + String.join(", ", DOORS)
                                        + ": link it or remove it"));
            }
            for (Link link : links(file)) {
                if (resolve(file, link).filter(tree::holds).isEmpty()) {
                    findings.add(
                            Finding.inFile(
                                    file.path(),
                                    link.line(),
                                    "dead-link",
                                    link.target() + " does not exist: correct the link"));
                }
            }
        }
        return findings;
    }

    private static Set<String> reachable(SourceTree tree) {
        ArrayDeque<String> next = new ArrayDeque<>(DOORS);
        Set<String> reached = new HashSet<>();
        while (!next.isEmpty()) {
            String path = next.remove();
            Optional<SourceFile> page =
                    tree.file(path)
                            .filter(SourceFile::isMarkdown)
                            .or(
                                    () ->
                                            tree.file(
                                                    path.isEmpty()
                                                            ? "README.md"
                                                            : path + "/README.md"));
            if (page.isPresent() && reached.add(page.get().path())) {
                links(page.get()).forEach(link -> resolve(page.get(), link).ifPresent(next::add));
            }
        }
        return reached;
    }

    /// The links into the tree; what stands in code is not a link.
    private static List<Link> links(SourceFile file) {
        List<Link> links = new ArrayList<>();
        List<String> lines = file.lines();
        boolean fenced = false;
        for (int i = 0; i < lines.size(); i++) {
            boolean fence = lines.get(i).strip().startsWith("```");
            fenced ^= fence;
            if (fenced || fence) {
                continue;
            }
            // A code span inside the brackets is fine, so it goes and the link stays.
            Matcher matcher = LINK.matcher(CODE.matcher(lines.get(i)).replaceAll("code"));
            while (matcher.find()) {
                String target = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                if (target != null && !ELSEWHERE.matcher(target).matches()) {
                    links.add(new Link(i + 1, target));
                }
            }
        }
        return links;
    }

    /// The path from the root that a link leads to; nothing if it leaves the tree.
    private static Optional<String> resolve(SourceFile from, Link link) {
        String target = link.target();
        int end = target.indexOf('#');
        String path =
                URLDecoder.decode(
                        end < 0 ? target : target.substring(0, end), StandardCharsets.UTF_8);
        ArrayDeque<String> parts = new ArrayDeque<>();
        String full = path.startsWith("/") ? path : from.directory() + "/" + path;
        for (String part : full.split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    return Optional.empty();
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return Optional.of(String.join("/", parts));
    }
}
