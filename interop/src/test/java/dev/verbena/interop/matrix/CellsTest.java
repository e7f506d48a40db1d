package dev.verbena.interop.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The scripts of the matrix, between two devices of ours: all of them can be green, and each of
/// them notices when a side does something else.
class CellsTest {
    private static Stream<Cell> cells() {
        return Cells.all().stream();
    }

    private static Stream<Cell> cellsUnderFaults() {
        return cells().filter(it -> it.extent() == Cell.Extent.FAULTS);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void everyCellIsGreenBetweenOurselves(Cell cell) {
        for (int mtu : List.of(1024, 4096)) {
            Result result = run(cell, new Conditions(4, mtu, true, Faults.NONE), "");
            assertThat(result.outcome()).as(result.reason()).isEqualTo(Result.GREEN);
            assertThat(result.packets()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("cellsUnderFaults")
    void cellsThatKnowOfFaultsAreGreenOverABadNetwork(Cell cell) {
        Conditions bad = new Conditions(4, 1024, true, Faults.ALL);
        Result result = run(cell, bad, "loss=0.005&duplicate=0.01&reorder=0.01&seed=7");
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Result.GREEN);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void everyCellIsRedWhenTheResponderIsAnother(Cell cell) {
        try (Device left = Devices.open("virtual://left?network=deaf");
                Device right = Devices.open("virtual://right?network=deaf")) {
            Side requester = new VerbsSide("left", left);
            Side responder = new FaultySide(new VerbsSide("right", right));
            Result result =
                    new CellRunner(new Conditions(4, 1024, true, Faults.NONE), null, 1)
                            .cell(cell, requester, responder, requester);
            assertThat(result.isRed()).isTrue();
            assertThat(result.reason()).isNotBlank();
        }
    }

    @Test
    void aLostMessageIsNoticedWhereNoneMayBe() {
        Cell cell =
                cells().filter(it -> it.name().startsWith("UC messages")).findFirst().orElseThrow();
        Conditions good = new Conditions(4, 1024, true, Faults.NONE);
        Result result = run(cell, good, "loss=0.05&seed=7");
        assertThat(result.isRed()).isTrue();
        assertThat(result.reason()).contains("enough of the messages");
    }

    @Test
    void namesOfCellsAreUnique() {
        assertThat(cells().map(Cell::name)).doesNotHaveDuplicates();
    }

    @Test
    void theOrdinarySetUpLetsThePeerDoEverything() {
        assertThat(Setup.ORDINARY.rights())
                .containsAll(Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
    }

    private static Result run(Cell cell, Conditions conditions, String faults) {
        String network =
                "?network=" + conditions.mtu() + Integer.toHexString(cell.name().hashCode());
        String more = faults.isEmpty() ? "" : "&" + faults;
        try (Device left = Devices.open("virtual://left" + network + more);
                Device right = Devices.open("virtual://right" + network)) {
            Side requester = new VerbsSide("left", left);
            Side responder = new VerbsSide("right", right);
            return new CellRunner(conditions, null, 1).cell(cell, requester, responder, requester);
        }
    }
}
