package dev.verbena.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// 10,000 channels at a time in one JVM, both ends of 5,000 connections.
@Tag("long")
@Tag("slow")
class ManyChannelsTest {
    private static final int CONNECTIONS = 5_000;
    private static final int CONNECTIONS_MIN = 1_000;
    private static final long LIMIT_S = 240;

    /// What docs/netty.md says of a channel: the two rings, and all else.
    private static final long BYTES_MAX = 300 << 10;

    private static final long HEAP_MAX = 24 << 10;
    private static final long SPARE_BYTES = 2L << 30;

    private static final Pattern RESULT =
            Pattern.compile(
                    ManyChannelsProgram.RESULT
                            + "(\\d+) open, (\\d+) echoed, heap (\\d+), native (\\d+)"
                            + " bytes each");

    @Test
    void eachEchoesAndTakesLittleMoreThanItsRings(@TempDir Path directory) throws Exception {
        int connections = connections();
        assumeTrue(connections >= CONNECTIONS_MIN, "this machine has too little memory");
        String output = run(directory.resolve("output"), connections);
        Matcher result = RESULT.matcher(output);
        assertThat(result.find()).as(output).isTrue();
        System.out.println(result.group());
        assertThat(result.group(1)).isEqualTo(String.valueOf(2 * connections));
        assertThat(result.group(2)).isEqualTo(String.valueOf(connections));
        long heap = Long.parseLong(result.group(3));
        long bytes = Long.parseLong(result.group(4));
        assertThat(heap).isLessThan(HEAP_MAX);
        assertThat(heap + bytes).isLessThan(BYTES_MAX);
    }

    /// All, or as many as the free memory of this machine allows.
    private static int connections() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                long free = (Long.parseLong(line.replaceAll("\\D", "")) << 10) - SPARE_BYTES;
                return (int) Math.min(CONNECTIONS, free / (2 * BYTES_MAX) / 50 * 50);
            }
        }
        return 0;
    }

    private static String run(Path output, int connections) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xms1g",
                                "-Xmx1g",
                                "-XX:+AlwaysPreTouch",
                                "-XX:+UseSerialGC",
                                "-XX:MaxDirectMemorySize=4g",
                                "-Dio.netty.leakDetection.level=disabled",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ManyChannelsProgram.class.getName(),
                                String.valueOf(connections))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS)).as("the program's end").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
