package dev.verbena.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("command")
final class MetricTargetTest {
    private final StringWriter said = new StringWriter();

    @Test
    void aNumberIsAPortOfTheLoopbackAddress() {
        assertThat(MetricTarget.parse("9400"))
                .isEqualTo(
                        new MetricTarget.Port(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9400)));
        assertThat(MetricTarget.parse("127.0.0.2:9400"))
                .isEqualTo(new MetricTarget.Port(new InetSocketAddress("127.0.0.2", 9400)));
        assertThat(MetricTarget.parse("sm.prom"))
                .isEqualTo(new MetricTarget.File(Path.of("sm.prom")));
        assertThat(MetricTarget.parse("./a:1")).isEqualTo(new MetricTarget.File(Path.of("./a:1")));
    }

    @Test
    void aPortThatIsNoneIsNamed() {
        assertThatThrownBy(() -> MetricTarget.parse("0")).hasMessageContaining("1 to 65535");
        assertThatThrownBy(() -> MetricTarget.parse("65536")).hasMessageContaining("65536");
        assertThatThrownBy(() -> MetricTarget.parse("127.0.0.1:99999999999"))
                .hasMessageContaining("1 to 65535");
        assertThatThrownBy(() -> MetricTarget.parse("")).hasMessageContaining("PORT");
    }

    private record Answer(int status, String type, String body) {}

    private static Answer ask(MetricServer server, String path, String method) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpURLConnection asked = (HttpURLConnection) address.toURL().openConnection();
        asked.setRequestMethod(method);
        int status = asked.getResponseCode();
        String body =
                status == HttpURLConnection.HTTP_OK
                        ? new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        : "";
        return new Answer(status, Objects.requireNonNullElse(asked.getContentType(), ""), body);
    }

    @Test
    void aPortAnswersWithTheFiguresThatWerePublishedLast() throws Exception {
        try (MetricServer server =
                new MetricServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertThat(ask(server, "/metrics", "GET").body()).isEmpty();
            MetricText first = new MetricText().gauge("g", "x").sample(1);
            MetricText second = new MetricText().gauge("g", "x").sample(2);
            server.publish(first);
            assertThat(ask(server, "/metrics", "GET").body()).isEqualTo(first.toString());
            server.publish(second);
            Answer answer = ask(server, "/metrics", "GET");
            assertThat(answer.body()).isEqualTo(second.toString());
            assertThat(answer.type()).startsWith("text/plain; version=0.0.4");
            assertThat(ask(server, "/metrics", "HEAD").body()).isEmpty();
            assertThat(ask(server, "/", "GET").status()).isEqualTo(404);
            assertThat(ask(server, "/metrics/x", "GET").status()).isEqualTo(404);
            assertThat(ask(server, "/metrics", "POST").status()).isEqualTo(405);
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (MetricServer server =
                new MetricServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String port = Integer.toString(server.port());
            assertThatThrownBy(() -> MetricTarget.open(Optional.of(port), new PrintWriter(said)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void aFileIsReplacedAndNothingElseIsLeft(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("sm.prom");
        try (MetricSink sink = MetricTarget.open(Optional.of(file.toString()), err())) {
            assertThat(file).isEmptyFile();
            sink.publish(new MetricText().gauge("g", "x").sample(1));
            assertThat(file).content().endsWith("g 1\n");
            sink.publish(new MetricText().gauge("g", "x").sample(2));
            assertThat(file).content().endsWith("g 2\n");
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedFirstAndLaterSaidOnce(@TempDir Path directory)
            throws Exception {
        Path none = directory.resolve("none/sm.prom");
        assertThatThrownBy(() -> MetricTarget.open(Optional.of(none.toString()), err()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such directory");
        Path gone = Files.createDirectory(directory.resolve("gone"));
        MetricSink sink = MetricTarget.open(Optional.of(gone.resolve("sm.prom").toString()), err());
        Files.delete(gone.resolve("sm.prom"));
        Files.delete(gone);
        sink.publish(new MetricText().gauge("g", "x").sample(1));
        sink.publish(new MetricText().gauge("g", "x").sample(1));
        assertThat(said.toString().lines()).hasSize(1).first().asString().contains("sm.prom");
        sink.close();
    }

    private PrintWriter err() {
        return new PrintWriter(said);
    }
}
