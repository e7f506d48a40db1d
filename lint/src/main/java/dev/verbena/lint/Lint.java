package dev.verbena.lint;

import java.util.ArrayList;
import java.util.List;

/// Checks files.
public final class Lint {
    private Lint() {}

    /// The files of one network, by all rules. Those of several devices are also held against each
    /// other.
    ///
    /// @throws LintException when a file cannot be checked at all
    public static Report check(List<InputFile> files, Assumptions assumptions) {
        Findings findings = new Findings();
        HostReader hosts = new HostReader(findings);
        List<SwitchConfig> switches = new ArrayList<>();
        List<OpenSmOptions> managers = new ArrayList<>();
        List<Partitions> partitions = new ArrayList<>();
        for (InputFile file : files) {
            Text text = Text.of(file);
            if (text.content().isBlank()) {
                throw new LintException(file.name() + " is empty");
            }
            Kind kind = file.kind().orElseGet(() -> Kind.recognise(text));
            switch (kind) {
                case CONFIG_DB -> switches.add(SwitchReader.read(file, text, findings));
                case OPENSM -> managers.add(OpenSmReader.read(text, findings));
                case PARTITIONS -> partitions.add(PartitionReader.read(text, findings));
                case MLNX_QOS, CMA_ROCE_TOS, ETHTOOL, PAUSE, IP_LINK ->
                        hosts.read(file, kind, text);
            }
        }
        Scene scene = new Scene(switches, hosts.hosts(), managers, partitions, assumptions);
        Rule.ALL.forEach(rule -> rule.check(scene, findings));
        return findings.report();
    }
}
