package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Device;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A program in a JVM that denies native access.
@Timeout(120)
class DeniedAccessTest {
    @Test
    void deviceIsRefusedWithTheFlagThatAllowsIt() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElse("java"),
                                "--illegal-native-access=deny",
                                "-XX:TieredStopAtLevel=1",
                                "--module-path",
                                places(IbvProvider.class, Device.class),
                                "--patch-module",
                                "dev.verbena.ibverbs=" + places(OpenProgram.class),
                                "--module",
                                "dev.verbena.ibverbs/" + OpenProgram.class.getName(),
                                "ibverbs://no_such_device")
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output)
                .startsWith("[]\n")
                .contains("NoDeviceException")
                .contains("--enable-native-access=dev.verbena.ibverbs")
                .doesNotContain("ExceptionInInitializerError");
    }

    /// The directories or archives that classes are in.
    private static String places(Class<?>... types) {
        return Stream.of(types)
                .map(DeniedAccessTest::place)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(Class<?> type) {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String url = String.valueOf(type.getResource(name));
        String place = url.substring(0, url.length() - name.length());
        boolean isArchive = place.startsWith("jar:");
        return Path.of(URI.create(isArchive ? place.substring(4, place.length() - 1) : place))
                .toString();
    }
}
