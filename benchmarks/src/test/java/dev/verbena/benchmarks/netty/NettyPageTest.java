package dev.verbena.benchmarks.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.benchmarks.results.Entry;
import dev.verbena.benchmarks.results.ResultLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NettyPageTest {
    private static final Path ROOT = Path.of(System.getProperty("verbena.root", ".."));

    private static ResultLog log(double nio, double ours) {
        ResultLog log = new ResultLog();
        add(log, NettyTransport.NIO, nio);
        add(log, NettyTransport.NIO, 2 * nio);
        add(log, NettyTransport.ROCE, ours);
        add(log, NettyTransport.ROCE, 2 * ours);
        return log;
    }

    private static void add(ResultLog log, NettyTransport transport, double value) {
        NettyFigure figure = NettyFigure.RATE;
        log.add(
                new Entry.Figure(
                        NettyBench.PLACE, figure.subject, transport.label, value, figure.unit));
    }

    @Test
    void saysThatItIsSlowerWhereItIs() {
        assertThat(new NettyPage(log(20, 10)).text())
                .contains("0.50 of NIO's, which is **worse**")
                .contains("| 30.00 (20.00 to 40.00) |  | 15.00 (10.00 to 20.00) |")
                .contains("| 0.50 (0.50 to 0.50) |");
        assertThat(new NettyPage(log(10, 20)).text()).contains("which is **better**");
        assertThat(new NettyPage(log(10, 10.2)).text()).contains("which is **about the same**");
    }

    @Test
    void aShorterTimeIsBetter() {
        assertThat(NettyFigure.MEDIAN.verdict(0.5)).isEqualTo("better");
        assertThat(NettyFigure.PROCESSOR.verdict(2)).isEqualTo("worse");
    }

    @Test
    void thePageInTheRepositoryIsThatOfTheKeptLog() throws IOException {
        assertThat(Files.readString(ROOT.resolve(NettyBench.PAGE)))
                .isEqualTo(NettyBench.pageOf(ROOT.resolve(NettyBench.KEPT)));
    }
}
