package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// `verbena demo-peer`: the second process of `verbena demo`. It reads orders from standard input,
/// a line each, and answers each with a line.
///
/// | order | answer |
/// |---|---|
/// | `open URI BYTES` | `opened ENDPOINT MEMORY` |
/// | `connect ENDPOINT` | `connected` |
/// | `look` | `holds CHECKSUM` |
/// | `count` | `counted NAME=VALUE …` |
///
/// It ends with its input, and so with the process that started it, however that one ends.
@Command(name = "demo-peer", hidden = true, description = "The second process of the demo.")
final class DemoPeerCommand implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

    private @Nullable DemoSide side;

    /// Made by picocli.
    DemoPeerCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            out.println(answer(order.split(" ", -1)));
            out.flush();
        }
        close();
        return CommandLine.ExitCode.OK;
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "open" -> open(words[1], Integer.parseInt(words[2]));
                case "connect" -> {
                    opened().connect(Endpoint.parse(words[1]));
                    yield "connected";
                }
                case "look" -> "holds " + opened().checksum();
                case "count" ->
                        opened().counters().entrySet().stream()
                                .map(it -> it.getKey() + "=" + it.getValue())
                                .collect(Collectors.joining(" ", "counted ", ""));
                default -> "refused: no order " + words[0];
            };
        } catch (RuntimeException refused) {
            // Whatever it is, the first process shows it: nothing reads what this one logs.
            return "refused: " + String.valueOf(refused.getMessage()).replace('\n', ' ');
        }
    }

    private String open(String uri, int bytes) {
        close();
        DemoSide opened = new DemoSide(uri, bytes);
        side = opened;
        return "opened %s %s"
                .formatted(
                        HexFormat.of().formatHex(opened.endpoint().toBytes()),
                        HexFormat.of().formatHex(opened.memory().toBytes()));
    }

    private DemoSide opened() {
        if (side == null) {
            throw new IllegalStateException("demo-peer: no device is open");
        }
        return side;
    }

    private void close() {
        if (side != null) {
            side.close();
        }
    }
}
