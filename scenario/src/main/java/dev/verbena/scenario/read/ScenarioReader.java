package dev.verbena.scenario.read;

import dev.verbena.fabric.Topology;
import dev.verbena.fabric.Workload;
import dev.verbena.scenario.JobSpec;
import dev.verbena.scenario.Network;
import dev.verbena.scenario.Scenario;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads a scenario, or says everything that is wrong with it.
///
/// First the file is held to the schema, then values with units are read, then the parts are held
/// against each other. Each stage goes on after a problem, so that one run shows all of them.
public final class ScenarioReader {
    private static final long LIMIT_PS = 1_000_000_000_000L;
    private static final int SAMPLES = 128;
    private static final int PORTS_MAX = 4096;

    /// What was read.
    ///
    /// @param scenario null where there are problems
    public record Reading(@Nullable Scenario scenario, List<Problem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /// Opens the files that a scenario names.
    public interface Files {
        /// The lines of a file whose name is relative to the scenario.
        ///
        /// @throws IllegalArgumentException where there is none
        List<String> lines(String name);
    }

    private final Problems problems;
    private final Section root;
    private final Files files;

    private ScenarioReader(Document document, Files files) {
        problems = document.problems();
        root = new Section(document.root(), "", problems);
        this.files = files;
    }

    /// Reads a scenario.
    ///
    /// @param file what problems call the text
    public static Reading read(String file, String text, Files files) {
        Document document = Document.parse(file, text);
        if (document.root().isEmpty() && !document.problems().isEmpty()) {
            return new Reading(null, document.problems().sorted());
        }
        new SchemaCheck(document.problems()).check(document.root());
        return new ScenarioReader(document, files).reading();
    }

    private Reading reading() {
        Optional<Scenario> made = scenario();
        return problems.isEmpty() && made.isPresent()
                ? new Reading(made.get(), List.of())
                : new Reading(null, problems.sorted());
    }

    private Optional<Scenario> scenario() {
        NetworkReader networks = new NetworkReader(root, files);
        Optional<Topology> topology = networks.topology();
        long seed = root.whole("seed", 1);
        boolean isFlowLevel = root.text("level", "packet").equals("flow");
        WorkloadReader works =
                new WorkloadReader(
                        root, topology.map(Topology::hosts).orElse(0), seed, isFlowLevel);
        List<Workload> flows = works.flows();
        Optional<JobSpec> job = works.job();
        FaultReader wrongs = new FaultReader(root, seed, isFlowLevel, job);
        List<Scenario.Fault> faults = wrongs.faults(topology);
        CheckReader checks = new CheckReader(root, works.names(), job, isFlowLevel);
        Scenario.Recording recording = recording(topology);
        boolean hasWrong = !faults.isEmpty() || root.has("slow_hosts");
        if (topology.isEmpty()) {
            checks.read();
            networks.knobs(flows);
            return Optional.empty();
        }
        Optional<Network> network = networks.network(topology.get(), flows);
        List<Workload> moved = network.map(it -> networks.jittered(flows, it)).orElse(flows);
        var slow = wrongs.slow();
        var read = checks.read();
        return network.map(
                it ->
                        new Scenario(
                                root.text("scenario", ""),
                                root.text("about", "").strip(),
                                isFlowLevel,
                                it,
                                flows,
                                moved,
                                job,
                                slow,
                                faults,
                                hasWrong && root.isTrue("baseline", true),
                                root.ps("limit", LIMIT_PS),
                                recording,
                                read));
    }

    private Scenario.Recording recording(Optional<Topology> topology) {
        Section record = root.section("record");
        int ports = topology.map(it -> 2 * it.cables()).orElse(0);
        return new Scenario.Recording(
                record.integer("samples", SAMPLES),
                record.isTrue("ports", ports <= PORTS_MAX),
                record.isTrue("steps", true));
    }
}
