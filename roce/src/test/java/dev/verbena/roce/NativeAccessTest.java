package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs in JVMs that deny native access, warn about it or allow it. Each writes bytes into a
/// device of this process, reads them back and compares.
@Timeout(300)
class NativeAccessTest {
    private static final String DENIED = "--illegal-native-access=deny";
    private static final String FLAG = "--enable-native-access=dev.verbena.roce";
    private static final int MOVES = 3;

    private final String uri = "roce://" + TestAddresses.ipv4();
    private final TransportDevice peer = TransferCheck.open("roce://" + TestAddresses.ipv4());

    @AfterEach
    void close() {
        peer.close();
    }

    @Test
    void deviceUsesTheSocketsOfTheJdkWhereNativeAccessIsDenied()
            throws IOException, InterruptedException {
        try (TransferCheckProcess process = TransferCheckProcess.inModule(DENIED, uri, peer, 1)) {
            assertThat(process.device())
                    .startsWith("sockets by the JDK, because native access is not allowed")
                    .contains(FLAG);
            process.movesOn(MOVES);
            process.end();
            assertThat(process.errors()).anySatisfy(line -> assertThat(line).contains(FLAG));
        }
    }

    @Test
    void pathThatWasAskedForIsRefusedWithTheFlagWhereNativeAccessIsDenied() {
        String foreign = uri + "?path=foreign";
        assertThatThrownBy(() -> TransferCheckProcess.inModule(DENIED, foreign, peer, 2).close())
                .hasMessageContaining("NoDeviceException")
                .hasMessageContaining("path=foreign cannot be had")
                .hasMessageContaining(FLAG)
                .hasMessageNotContaining("ExceptionInInitializerError");
    }

    @Test
    void congestionControlIsRefusedWithTheFlagWhereNativeAccessIsDenied() {
        String controlled = uri + "?cc=published&rp_max_rate=1000";
        assertThatThrownBy(() -> TransferCheckProcess.inModule(DENIED, controlled, peer, 3).close())
                .hasMessageContaining("InvalidRequestException")
                .hasMessageContaining(FLAG);
    }

    /// As JDK 25 does without any flag.
    @Test
    void systemCallsAreUsedAfterAWarningWhereNativeAccessIsWarnedAbout()
            throws IOException, InterruptedException {
        try (TransferCheckProcess process =
                TransferCheckProcess.inModule("--illegal-native-access=warn", uri, peer, 4)) {
            assertThat(process.device()).startsWith("sockets by Linux system calls");
            process.movesOn(MOVES);
            process.end();
            assertThat(process.errors())
                    .filteredOn(line -> line.contains("A restricted method"))
                    .hasSize(1);
        }
    }

    @Test
    void systemCallsAreUsedWithoutAWordWhereNativeAccessIsEnabled()
            throws IOException, InterruptedException {
        try (TransferCheckProcess process = TransferCheckProcess.inModule(FLAG, uri, peer, 5)) {
            assertThat(process.device()).startsWith("sockets by Linux system calls");
            process.movesOn(MOVES);
            process.end();
            assertThat(process.errors()).isEmpty();
        }
    }
}
