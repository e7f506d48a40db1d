package dev.verbena.conformance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Every rule finds a planted breach and accepts the same code without it.
class TidyRulesTest {
    private static final String A = "wire/src/main/java/dev/verbena/wire/A.java";
    private static final String B = "wire/src/main/java/dev/verbena/wire/B.java";
    private static final String WORDS = PlainWordsRule.PATH;

    @Test
    void refusesAMethodOfSeventyOneLines() {
        assertThat(
                        found(
                                new LengthRule(),
                                A,
                                "class A {\n void m() {\n" + "\n".repeat(69) + " }\n}"))
                .containsExactly(
                        A
                                + ":2 method-length: m has 71 lines, at most 70: give its parts"
                                + " names of their own");
        assertThat(
                        found(
                                new LengthRule(),
                                A,
                                "class A {\n void m() {\n" + "\n".repeat(68) + " }\n}"))
                .isEmpty();
    }

    @Test
    void refusesAConstructorOfSeventyOneLinesButNotItsComment() {
        String body = "A() {\n" + "\n".repeat(69) + "}\n}\n";
        assertThat(found(new LengthRule(), A, "class A {\n" + body)).hasSize(1);
        String comment = "/// Line.\n".repeat(71);
        assertThat(found(new LengthRule(), A, "class A {\n" + comment + "A() {}\n}\n")).isEmpty();
    }

    @Test
    void refusesAFileOfSixHundredAndOneLines() {
        assertThat(found(new LengthRule(), A, "class A {\n" + "\n".repeat(599) + "}\n"))
                .singleElement()
                .asString()
                .startsWith(A + ":601 file-length: 601 lines, at most 600");
        assertThat(found(new LengthRule(), A, "class A {\n" + "\n".repeat(598) + "}\n")).isEmpty();
    }

    @Test
    void refusesALineOfAHundredAndOneColumns() {
        String comment = "// " + "é".repeat(98);
        assertThat(found(new LengthRule(), A, "class A {}\n" + comment + "\n"))
                .containsExactly(A + ":2 line-length: 101 columns, at most 100: break it");
        assertThat(found(new LengthRule(), A, comment.substring(1) + "\n")).isEmpty();
        String wide = "x".repeat(100);
        assertThat(found(new LengthRule(), A, "import a." + wide + ";\n")).isEmpty();
        assertThat(found(new LengthRule(), A, "// https://a.example/" + wide + "\n")).isEmpty();
        assertThat(found(new LengthRule(), A, "String s = \"https://a.example/" + wide + "\";\n"))
                .hasSize(1);
    }

    @Test
    void refusesRestrictedMethodsInAPlainModule() {
        String text = "@SuppressWarnings(\"restricted\") class A {}";
        assertThat(found(new NativeAccessRule(), A, text))
                .containsExactly(
                        A
                                + ":1 native-access: the module wire calls nothing native: bind it"
                                + " in a provider");
        assertThat(found(new NativeAccessRule(), A, "@SuppressWarnings(\"unused\") class A {}"))
                .isEmpty();
        assertThat(found(new NativeAccessRule(), A, "@Named(\"restricted\") class A {}")).isEmpty();
    }

    @Test
    void refusesASecondClassWithRestrictedMethodsInAProvider() {
        String text = "class A { @SuppressWarnings({\"unused\", \"restricted\"}) void m() {} }";
        String first = "roce/src/main/java/dev/verbena/roce/A.java";
        String second = "roce/src/main/java/dev/verbena/roce/B.java";
        assertThat(found(new NativeAccessRule(), first, text, second, text))
                .singleElement()
                .asString()
                .startsWith(second + ":1 native-access: only " + first + " may");
        assertThat(found(new NativeAccessRule(), first, text)).isEmpty();
    }

    @Test
    void refusesAPathOfOneMachine() {
        for (String path :
                List.of(
                        "/" + "work/a",
                        "/" + "home/me/a",
                        "/" + "root/.m2",
                        "C:\\" + "Users\\me")) {
            assertThat(found(new MachinePathRule(), "README.md", "See\n`" + path + "`.\n"))
                    .as(path)
                    .singleElement()
                    .asString()
                    .startsWith("README.md:2 machine-path: ");
        }
        assertThat(found(new MachinePathRule(), A, "// \"" + "/" + "tmp\"")).hasSize(1);
        assertThat(found(new MachinePathRule(), A, "// docs/work/a, https://a.example/home/me"))
                .isEmpty();
        assertThat(found(new MachinePathRule(), A, "// /workers, /tmpl, /sys/class/net")).isEmpty();
    }

    @Test
    void letsAScriptOfALabNameTheTemporaryDirectoryAsAFallback() {
        String line = "dir=$(mktemp -d ${TMPDIR:-/" + "tmp}/lab.XX)\n";
        assertThat(found(new MachinePathRule(), "interop/rxe/run.sh", line)).isEmpty();
        assertThat(found(new MachinePathRule(), "docs/lab.md", line)).hasSize(1);
        assertThat(found(new MachinePathRule(), ".ci/run", "#!/bin/sh\ncd /" + "tmp/lab\n"))
                .hasSize(1);
    }

    @Test
    void refusesAPublicTypeWithoutAFirstSentence() {
        assertThat(found(new FirstSentenceRule(), A, "\npublic class A {}"))
                .containsExactly(
                        A
                                + ":2 first-sentence: A has no doc comment: say in one sentence"
                                + " what it is");
        assertThat(
                        found(
                                new FirstSentenceRule(),
                                A,
                                "/// A thing\n///\n/// More.\npublic class A {}"))
                .singleElement()
                .asString()
                .contains("does not begin with a sentence");
        assertThat(found(new FirstSentenceRule(), A, "/** @since 1. */ public class A {}"))
                .hasSize(1);
        assertThat(found(new FirstSentenceRule(), A, "// A thing.\npublic class A {}")).hasSize(1);
        assertThat(found(new FirstSentenceRule(), A, "/// A thing.\n@Deprecated public class A {}"))
                .isEmpty();
        assertThat(found(new FirstSentenceRule(), A, "/** A\n * thing. */ public enum A {}"))
                .isEmpty();
        assertThat(found(new FirstSentenceRule(), A, "class A {}")).isEmpty();
    }

    @Test
    void refusesANestedPublicTypeWithoutAFirstSentence() {
        String head = "/// A thing.\npublic interface A {\n";
        assertThat(found(new FirstSentenceRule(), A, head + "record B() {}\n}")).hasSize(1);
        assertThat(found(new FirstSentenceRule(), A, head + "/// Its part.\nrecord B() {}\n}"))
                .isEmpty();
        assertThat(found(new FirstSentenceRule(), A, "/// A.\npublic class A { class B {} }"))
                .isEmpty();
        assertThat(found(new FirstSentenceRule(), A, "class A { public static class B {} }"))
                .hasSize(1);
    }

    @Test
    void refusesAPackageAndAModuleThatDoNotIntroduceThemselves() {
        String info = "wire/src/main/java/dev/verbena/wire/package-info.java";
        String module = "wire/src/main/java/module-info.java";
        assertThat(found(new PackageInfoRule(), A, "class A {}"))
                .containsExactly(
                        info
                                + ":1 package-info: is missing: add it, with a sentence on what is"
                                + " here",
                        module
                                + ":1 package-info: is missing: add it, with a sentence on what is"
                                + " here");
        assertThat(found(new PackageInfoRule(), info, "package a;", module, "module a {}"))
                .hasSize(2)
                .allMatch(finding -> finding.contains("has no doc comment"));
        assertThat(
                        found(
                                new PackageInfoRule(),
                                info,
                                "/// Bytes.\npackage a;",
                                module,
                                "/// Bytes.\n@Deprecated module a {}"))
                .isEmpty();
        assertThat(found(new PackageInfoRule(), "benchmarks/src/main/java/A.java", "class A {}"))
                .isEmpty();
    }

    @Test
    void refusesLeftovers() {
        for (String marker : List.of("TO" + "DO", "FIX" + "ME", "X".repeat(3), "HA" + "CK")) {
            assertThat(found(new LeftoverRule(), "README.md", "a\n(" + marker + ": b)\n"))
                    .as(marker)
                    .singleElement()
                    .asString()
                    .startsWith("README.md:2 leftover: a marker");
        }
        assertThat(found(new LeftoverRule(), A, "/// @" + "author me\n")).hasSize(1);
        assertThat(found(new LeftoverRule(), A, "\tint a;\n")).hasSize(1);
        assertThat(found(new LeftoverRule(), A, "int a; \n")).hasSize(1);
        assertThat(found(new LeftoverRule(), A, "int a;")).hasSize(1);
        assertThat(found(new LeftoverRule(), A, "int a;\n\n")).hasSize(1);
        assertThat(found(new LeftoverRule(), A, "// todo list, HACKS, 0xXXX, XXXXXX\n")).isEmpty();
        assertThat(found(new LeftoverRule(), "Makefile", "a:\n\tb\n")).isEmpty();
        assertThat(found(new LeftoverRule(), "mvnw.cmd", "a\r\nb\r\n")).isEmpty();
    }

    @Test
    void refusesAWordThatHasAPlainFormInCommentsTextsAndPages() {
        String list = "# words\nold word | new word\nskip docs/ not rewritten yet\n";
        for (String line : List.of("/// An Old  word.", "int a; // old word", "a(\"old word\");")) {
            assertThat(found(new PlainWordsRule(), A, "\n" + line + "\n", WORDS, list))
                    .as(line)
                    .containsExactly(A + ":2 plain-words: 'old word': write new word");
        }
        assertThat(found(new PlainWordsRule(), "README.md", "An old word.\n", WORDS, list))
                .hasSize(1);
        String code = "int old = word; // bold words, `old word`, [A#old word]\n";
        assertThat(found(new PlainWordsRule(), A, code, WORDS, list)).isEmpty();
        assertThat(found(new PlainWordsRule(), "docs/a.md", "old word\n", WORDS, list)).isEmpty();
    }

    @Test
    void refusesALineOfTheWordListThatSaysTooLittle() {
        assertThat(found(new PlainWordsRule(), WORDS, "skip docs/\nword |\n"))
                .containsExactly(
                        WORDS + ":1 plain-words: write: word | plain form, or: skip path why",
                        WORDS + ":2 plain-words: write: word | plain form, or: skip path why");
    }

    @Test
    void refusesAPageWithoutALinkToIt() {
        assertThat(found(new MarkdownRule(), "README.md", "Hello.\n", "docs/a.md", "A\n"))
                .containsExactly(
                        "docs/a.md:1 dead-file: no page leads here from README.md, ARCHITECTURE.md,"
                                + " CONTRIBUTING.md: link it or remove it");
        assertThat(
                        found(
                                new MarkdownRule(),
                                Map.of(
                                        "README.md", "[a](docs/a.md#part), [`docs`](docs)\n",
                                        "docs/a.md", "[b]: ../docs/b.md\n",
                                        "docs/b.md", "B\n",
                                        "docs/README.md", "Index\n")))
                .isEmpty();
    }

    @Test
    void refusesALinkThatLeadsNowhere() {
        assertThat(found(new MarkdownRule(), "README.md", "one\n[a](docs/a.md \"title\")\n"))
                .containsExactly(
                        "README.md:2 dead-link: docs/a.md does not exist: correct the link");
        assertThat(found(new MarkdownRule(), "README.md", "[a](../other/a.md)\n")).hasSize(1);
        assertThat(
                        found(
                                new MarkdownRule(),
                                "README.md",
                                """
                                [a](https://a.example) [b](#part) `[c](none)` [m](wire/src)
                                ```
                                [d](none)
                                ```
                                ![e](<wire/src/main/../test/e.txt>)
                                """,
                                "wire/src/test/e.txt",
                                ""))
                .isEmpty();
    }

    @Test
    void refusesAForeignDependencyOfTheCore() {
        assertThat(found(new DependencyRule(), "wire/pom.xml", pom("com.example", "compile")))
                .containsExactly(
                        "wire/pom.xml:4 dependency: com.example:thing would come to every user: do"
                                + " without, or use it in a module further out");
        assertThat(found(new DependencyRule(), "wire/pom.xml", pom("com.example", ""))).hasSize(1);
        assertThat(found(new DependencyRule(), "wire/pom.xml", pom("com.example", "runtime")))
                .hasSize(1);
        assertThat(found(new DependencyRule(), "wire/pom.xml", pom("com.example", "test")))
                .isEmpty();
        assertThat(found(new DependencyRule(), "wire/pom.xml", pom("dev.verbena", ""))).isEmpty();
        assertThat(found(new DependencyRule(), "cli/pom.xml", pom("com.example", ""))).isEmpty();
    }

    @Test
    void refusesMoreThanTheApisInWhatUsersAddToTheirTests() {
        String pom = pom("org.junit.jupiter", "").replace("thing", "junit-jupiter-api");
        assertThat(found(new DependencyRule(), "testkit/pom.xml", pom)).isEmpty();
        assertThat(found(new DependencyRule(), "testkit/pom.xml", pom("org.assertj", "test")))
                .isEmpty();
        assertThat(found(new DependencyRule(), "testkit/pom.xml", pom("org.assertj", "compile")))
                .hasSize(1);
        String provider = pom("dev.verbena", "").replace("thing", "verbena-virtual");
        assertThat(found(new DependencyRule(), "testkit/pom.xml", provider)).hasSize(1);
        String api = pom("dev.verbena", "").replace("thing", "verbena-verbs");
        assertThat(found(new DependencyRule(), "testkit/pom.xml", api)).isEmpty();
    }

    private static String pom(String group, String scope) {
        return """
        <project>
          <dependencies>
            <dependency>
              <groupId>%s</groupId><artifactId>thing</artifactId><scope>%s</scope>
            </dependency>
          </dependencies>
        </project>
        """
                .formatted(group, scope)
                .replace("<scope></scope>", "");
    }

    @Test
    void leavesAFileThatDoesNotParseToTheCompiler() {
        assertThat(found(new LengthRule(), A, "class A { // no end", B, "class B {}")).isEmpty();
    }

    private static List<String> found(Rule rule, String path, String text) {
        return found(rule, Map.of(path, text));
    }

    private static List<String> found(
            Rule rule, String path, String text, String path2, String text2) {
        return found(rule, Map.of(path, text, path2, text2));
    }

    private static List<String> found(Rule rule, Map<String, String> texts) {
        return rule.check(SourceTree.of(texts)).stream().map(Finding::toString).toList();
    }
}
