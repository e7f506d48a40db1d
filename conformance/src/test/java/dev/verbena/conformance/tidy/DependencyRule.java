package dev.verbena.conformance.tidy;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// `dependency`: the core modules run on the JDK and on each other, on nothing else; `testkit`,
/// which users add to their tests, on the API and on JUnit's.
final class DependencyRule implements Rule {
    private static final String RULE = "dependency";
    private static final Set<String> CORE = Set.of("wire", "verbs", "transport", "virtual");
    private static final String TESTKIT = "testkit";
    private static final Set<String> OF_TESTKIT =
            Set.of("dev.verbena:verbena-verbs", "org.junit.jupiter:junit-jupiter-api");
    private static final Set<String> HARMLESS = Set.of("test", "provided", "import");
    private static final Set<String> OURS = Set.of("dev.verbena", "${project.groupId}");

    @Override
    public List<Finding> check(SourceTree tree) {
        List<Finding> findings = new ArrayList<>();
        for (String module : CORE.stream().sorted().toList()) {
            tree.file(module + "/pom.xml")
                    .ifPresent(pom -> check(pom, (group, _) -> OURS.contains(group), findings));
        }
        tree.file(TESTKIT + "/pom.xml")
                .ifPresent(
                        pom ->
                                check(
                                        pom,
                                        (group, name) -> OF_TESTKIT.contains(group + ":" + name),
                                        findings));
        return findings;
    }

    /// @param allowed whether a module may have the artifact of this group and name
    private static void check(
            SourceFile pom, BiPredicate<String, String> allowed, List<Finding> findings) {
        NodeList dependencies = parse(pom).getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            String group = child(dependency, "groupId");
            String artifact = child(dependency, "artifactId");
            if (isOfTheModule(dependency)
                    && !HARMLESS.contains(child(dependency, "scope"))
                    && !allowed.test(group, artifact)) {
                findings.add(
                        Finding.inFile(
                                pom.path(),
                                lineOf(pom, "<artifactId>" + artifact + "<"),
                                RULE,
                                group
                                        + ":"
                                        + artifact
                                        + " would come to every user: do without, or use it in a"
                                        + " module further out"));
            }
        }
    }

    /// Not a plugin's dependency and not a managed version, which add nothing to the class path.
    private static boolean isOfTheModule(Element dependency) {
        String holder = dependency.getParentNode().getParentNode().getNodeName();
        return holder.equals("project") || holder.equals("profile");
    }

    private static Element parse(SourceFile pom) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(pom.text())))
                    .getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalArgumentException(pom.path() + " is not XML", e);
        }
    }

    private static String child(Element element, String name) {
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                return node.getTextContent().strip();
            }
        }
        return "";
    }

    private static int lineOf(SourceFile file, String text) {
        int at = Math.max(0, file.text().indexOf(text));
        return 1 + (int) file.text().substring(0, at).chars().filter(c -> c == '\n').count();
    }
}
