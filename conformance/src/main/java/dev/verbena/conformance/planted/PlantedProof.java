package dev.verbena.conformance.planted;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The proof of one plan: tries its bugs, prints what became of each, and writes the page.
///
/// @param module what the bugs are planted in
/// @param plan the file that names them
/// @param page the page's file name in `docs`
/// @param title the page's title
public record PlantedProof(PlantedModule module, Path plan, String page, String title) {

    /// The plan `src/test/planted/NAME` of the Maven module whose tests are running.
    public static PlantedProof of(String module, String plan, String page, String title) {
        return new PlantedProof(
                PlantedModule.running(module),
                root().resolve(module).resolve("src/test/planted").resolve(plan),
                page,
                title);
    }

    /// A plan of another module, whose code the tests of the one that is running try.
    public static PlantedProof of(
            String module, String other, String plan, String page, String title) {
        return new PlantedProof(
                PlantedModule.running(module).plantedIn(other),
                root().resolve(other).resolve("src/test/planted").resolve(plan),
                page,
                title);
    }

    /// The same with tests of this tag alone, and a campaign of this size for them.
    public PlantedProof only(String tag, String campaign) {
        return new PlantedProof(module.only(tag, campaign), plan, page, title);
    }

    /// The bugs that no test caught. The new page is written to `target/planted` when every bug was
    /// tried.
    public List<PlantedResult> survivors() throws IOException, InterruptedException {
        PlantedRecord record = PlantedRecord.read(root().resolve("docs").resolve(page));
        PlantedChoice choice = PlantedChoice.wanted();
        long startNs = System.nanoTime();
        PlantedReport report =
                new PlantedReport(
                        new PlantedRun(module, PlantedRun.DEFAULT_LIMIT, record)
                                .run(PlantedBugs.read(plan), choice));
        System.out.println(report.table());
        System.out.printf(
                "%s took %d s%n%n", title, (System.nanoTime() - startNs) / 1_000_000_000L);
        if (choice.isAll()) {
            report.writeMarkdown(title, root().resolve("target/planted").resolve(page));
        }
        return report.survivors();
    }

    private static Path root() {
        return Path.of(System.getProperty("verbena.root", ".."));
    }
}
