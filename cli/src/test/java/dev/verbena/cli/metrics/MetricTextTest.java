package dev.verbena.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("command")
final class MetricTextTest {
    @Test
    void writesFamiliesWithHelpTypeAndSamples() {
        String text =
                new MetricText()
                        .counter("a_total", "Things.")
                        .sample(3, "kind", "x", "port", "1")
                        .sample(Long.MAX_VALUE, "kind", "y", "port", "1")
                        .gauge("b", "A share.")
                        .sample(0.5)
                        .toString();
        assertThat(text)
                .isEqualTo(
                        """
                        # HELP a_total Things.
                        # TYPE a_total counter
                        a_total{kind="x",port="1"} 3
                        a_total{kind="y",port="1"} 9223372036854775807
                        # HELP b A share.
                        # TYPE b gauge
                        b 0.5
                        """);
    }

    @Test
    void escapesWhatWouldEndALabelOrALine() {
        String text =
                new MetricText()
                        .gauge("g", "one\ntwo \\")
                        .sample(1, "node", "a\"} 7\nb\\")
                        .toString();
        assertThat(text.lines())
                .containsExactly(
                        "# HELP g one\\ntwo \\\\",
                        "# TYPE g gauge",
                        "g{node=\"a\\\"} 7\\nb\\\\\"} 1");
    }

    @Test
    void writesWhatIsNoNumberAsTheFormatHasIt() {
        String text =
                new MetricText()
                        .gauge("g", "x")
                        .sample(Double.POSITIVE_INFINITY, "of", "a")
                        .sample(Double.NEGATIVE_INFINITY, "of", "b")
                        .sample(Double.NaN, "of", "c")
                        .toString();
        assertThat(text).contains("} +Inf\n").contains("} -Inf\n").contains("} NaN\n");
    }

    @Test
    void refusesWhatNoReaderWouldTake() {
        MetricText text = new MetricText().gauge("g", "x").sample(1, "a", "1");
        assertThatThrownBy(() -> text.sample(2, "a", "1")).hasMessageContaining("there already");
        assertThatThrownBy(() -> text.gauge("g", "x")).hasMessageContaining("each name once");
        assertThatThrownBy(() -> text.gauge("g h", "x")).hasMessageContaining("g h");
        assertThatThrownBy(() -> text.counter("sent", "x")).hasMessageContaining("_total");
        assertThatThrownBy(() -> text.sample(1, "a-b", "1")).hasMessageContaining("label a-b");
        assertThatThrownBy(() -> text.sample(1, "a")).hasMessageContaining("no value");
        assertThatThrownBy(() -> new MetricText().sample(1)).hasMessageContaining("family");
    }
}
