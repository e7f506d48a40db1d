package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.NoDeviceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs that come and go at one address, while each moves bytes to a device elsewhere.
@Tag("long")
@Timeout(300)
class SharedProcessesTest {
    private static final int MOVES = 10;

    private final String uri = "roce://" + TestAddresses.ipv4();
    private final TransportDevice peer = TransferCheck.open("roce://" + TestAddresses.ipv4());
    private final List<TransferCheckProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(TransferCheckProcess::close);
        peer.close();
    }

    private TransferCheckProcess start() throws IOException {
        TransferCheckProcess process = new TransferCheckProcess(uri, peer, started.size());
        started.add(process);
        return process;
    }

    @Test
    void allMoveAtOnce() throws IOException, InterruptedException {
        start();
        start();
        start();
        assertThat(started).extracting(TransferCheckProcess::slot).containsExactly(0, 1, 2);
        for (TransferCheckProcess process : started) {
            process.movesOn(MOVES);
        }
        for (TransferCheckProcess process : started) {
            assertThat(process.end()).as("packets that %s passed on", process).isZero();
        }
    }

    @Test
    void othersGoOnWhenOneEndsAndOneIsKilled() throws IOException, InterruptedException {
        TransferCheckProcess ends = start();
        TransferCheckProcess isKilled = start();
        TransferCheckProcess stays = start();
        isKilled.movesOn(MOVES);

        ends.end();
        isKilled.movesOn(MOVES);
        stays.movesOn(MOVES);

        isKilled.kill();
        stays.movesOn(MOVES);

        List<TransferCheckProcess> all = List.of(stays, start(), start());
        assertThat(all).extracting(TransferCheckProcess::slot).containsExactly(2, 0, 1);
        for (TransferCheckProcess process : all) {
            process.movesOn(MOVES);
        }
        for (TransferCheckProcess process : all) {
            assertThat(process.end()).as("packets that %s passed on", process).isZero();
        }
    }

    @Test
    void programThatDoesNotAnswerIsNamed() throws IOException, InterruptedException {
        TransferCheckProcess stopped = start();
        stopped.movesOn(1);
        stopped.stop();

        assertThatThrownBy(() -> TransferCheck.open(uri).close())
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("process " + stopped.pid() + ", which is at this address");
    }
}
