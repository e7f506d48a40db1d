package dev.verbena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The catalogue: what comes with Verbena, what users add, and what is refused.
class CatalogTest {
    private static final String OURS =
            """
            switches:
              - name: T5
                fabric: roce
                ports:
                  400: {value: 96, source: our data sheet, date: 2026-01, mark: vendor}
                typicalWatts: {value: 800, source: our data sheet, date: 2026-01, mark: vendor}
                priceUsd: {low: 1000, high: 2000, source: our offer, date: 2026-02, mark: vendor}
            """;

    @Test
    void everyNumberOfTheBuiltInCatalogueHasASourceAndADate() {
        List<Figure> figures = new ArrayList<>();
        for (SwitchModel model : Catalog.builtIn().switches()) {
            figures.addAll(model.ports().values());
            add(figures, model.typicalWatts());
            add(figures, model.maxWatts());
            add(figures, model.latencyNs());
            add(figures, model.priceUsd());
        }
        for (Medium medium : Catalog.builtIn().media()) {
            figures.add(medium.reachMetres());
            figures.add(medium.nsPerMetre());
            add(figures, medium.wattsPerEnd());
        }
        assertThat(figures)
                .hasSizeGreaterThan(20)
                .allSatisfy(
                        it -> {
                            assertThat(it.source()).isNotBlank();
                            assertThat(it.date()).matches("(read )?20\\d\\d(-\\d\\d)?");
                        });
    }

    private static void add(List<Figure> figures, @Nullable Figure figure) {
        if (figure != null) {
            figures.add(figure);
        }
    }

    @Test
    void aCatalogueOfAUserComesBeforeTheBuiltInOne() {
        Catalog both = Catalog.builtIn().with(Catalog.parse("ours.yaml", OURS));
        Plan plan = Plan.of(Plans.inputs("gpus=512 fabric=roce"), both);
        FabricPlan roce = plan.fabrics().getFirst();
        assertThat(roce.models().getFirst().name()).isEqualTo("T5");
        assertThat(roce.plane().seating().most()).isLessThanOrEqualTo(48);
        Bill.Amount price = roce.bill().price();
        assertThat(price).isNotNull();
        assertThat(price.high()).isEqualTo(2000.0 * roce.switches());
        assertThat(both.switches()).hasSize(Catalog.builtIn().switches().size() + 1);
    }

    @Test
    void aNameThatBothHaveIsTheUsers() {
        Catalog own = Catalog.parse("ours.yaml", OURS.replace("T5", "SN5600"));
        Catalog both = Catalog.builtIn().with(own);
        assertThat(both.switches()).hasSize(Catalog.builtIn().switches().size());
        assertThat(both.switchNamed(Network.ROCE, "SN5600").radix(400)).isEqualTo(96);
    }

    @Test
    void wattsThatTheMakerDidNotStateAreNotCountedButNamed() {
        Catalog own = Catalog.parse("ours.yaml", OURS.replace("mark: vendor", "mark: secondary"));
        Plan plan = Plan.of(Plans.inputs("gpus=512 fabric=roce"), Catalog.builtIn().with(own));
        Bill bill = plan.fabrics().getFirst().bill();
        assertThat(bill.typicalWatts()).isNull();
        assertThat(bill.notCounted())
                .contains("typical watts of switch T5: 800 [2] is not the maker's figure");
    }

    @Test
    void aPriceWhoseSourceHasNoDateIsNotCountedButNamed() {
        Catalog own = Catalog.parse("ours.yaml", OURS.replace("2026-02", "read 2026-02"));
        Plan plan = Plan.of(Plans.inputs("gpus=512 fabric=roce"), Catalog.builtIn().with(own));
        Bill bill = plan.fabrics().getFirst().bill();
        assertThat(bill.price()).isNull();
        assertThat(bill.notCounted())
                .contains("price of switch T5: 1,000 to 2,000 [V] has no date");
    }

    @Test
    void anUnknownKeyIsNamedWithItsPlaceAndWithTheKnownOnes() {
        String wrong = OURS.replace("typicalWatts", "typicalWats");
        assertThatThrownBy(() -> Catalog.parse("ours.yaml", wrong))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith(
                        "ours.yaml:6:5: key \"typicalWats\" is not known; use name,")
                .hasMessageContaining("typicalWatts");
    }

    @Test
    void aFigureWithoutASourceIsRefused() {
        assertThatThrownBy(
                        () ->
                                Catalog.parse(
                                        "ours.yaml", OURS.replace("source: our data sheet, ", "")))
                .hasMessageStartingWith("ours.yaml:5:")
                .hasMessageContaining("key \"source\" is missing");
    }

    @Test
    void aWordThatIsNoneOfTheChoicesIsRefusedWithThem() {
        assertThatThrownBy(
                        () ->
                                Catalog.parse(
                                        "ours.yaml", OURS.replace("fabric: roce", "fabric: ip")))
                .hasMessage("ours.yaml:3:13: fabric: \"ip\" is not known; use ib or roce");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "value: 1",
                "value: 1.5",
                "value: 2000",
                "value: -3",
                "value: many",
                "value: [1, 2]",
                "low: 9, high: 8"
            })
    void aNumberOfLinksThatCannotBeIsRefused(String number) {
        assertThatThrownBy(() -> Catalog.parse("ours.yaml", OURS.replace("value: 96", number)))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("ours.yaml:5:");
    }

    @Test
    void theBuiltInMediaAreInTheOrderOfTheirReach() {
        assertThat(Catalog.builtIn().medium(400, 2).map(Medium::name)).contains("DAC");
        assertThat(Catalog.builtIn().medium(400, 2.5).map(Medium::name)).contains("ACC");
        assertThat(Catalog.builtIn().medium(400, 3.5).map(Medium::name)).contains("SR");
        assertThat(Catalog.builtIn().medium(400, 50).map(Medium::name)).contains("SR");
        assertThat(Catalog.builtIn().medium(400, 51).map(Medium::name)).contains("DR");
        assertThat(Catalog.builtIn().medium(400, 101).map(Medium::name)).contains("FR");
        assertThat(Catalog.builtIn().medium(400, 2001)).isEmpty();
    }
}
