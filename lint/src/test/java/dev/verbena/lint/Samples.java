package dev.verbena.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The healthy files of `docs/lint`, and what a change of their text makes rules say.
final class Samples {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));
    private static final Path HERE = Path.of("src/test/resources/dev/verbena/lint");

    static final List<String> SWITCHES = List.of("leaf1.json", "spine1.json");
    static final List<String> HOST =
            List.of(
                    "gpu1.mlnx_qos.txt",
                    "gpu1.cma_roce_tos.txt",
                    "gpu1.ethtool.txt",
                    "gpu1.pause.txt",
                    "gpu1.link.txt");
    static final List<String> SUBNET = List.of("opensm.conf", "partitions.conf");

    /// The round trip is 12 us: six links of 500 ns in both directions and six switches of 500 ns.
    static final Assumptions KNOWN =
            Assumptions.NONE.withRoundTripUs(12).withTopology(SubnetShape.TREE).withDscp(26);

    private Samples() {}

    static List<String> all() {
        List<String> all = new ArrayList<>(SWITCHES);
        all.addAll(HOST);
        all.addAll(SUBNET);
        return all;
    }

    static String text(String name) throws IOException {
        Path sample = ROOT.resolve("docs/lint").resolve(name);
        return Files.readString(Files.exists(sample) ? sample : HERE.resolve(name));
    }

    static InputFile file(String name, String text) {
        return InputFile.of(name, text.getBytes(StandardCharsets.UTF_8));
    }

    static List<InputFile> files(List<String> names) throws IOException {
        List<InputFile> files = new ArrayList<>();
        for (String name : names) {
            files.add(file(name, text(name)));
        }
        return files;
    }

    static Report check(String name, String text) {
        return Lint.check(List.of(file(name, text)), KNOWN);
    }

    /// The first of a text, changed: it must be there.
    static String changed(String text, String from, String to) {
        assertThat(text).contains(from);
        int at = text.indexOf(from);
        return text.substring(0, at) + to + text.substring(at + from.length());
    }

    static Set<String> codes(Report report) {
        Set<String> codes = new TreeSet<>();
        report.findings().forEach(finding -> codes.add(finding.code().name()));
        return codes;
    }
}
