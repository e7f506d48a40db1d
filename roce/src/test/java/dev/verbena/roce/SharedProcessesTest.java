package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.transport.TransportDevice;
import dev.verbena.verbs.NoDeviceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs that come and go at one address, while each moves bytes to a device elsewhere.
@Timeout(300)
class SharedProcessesTest {
    private static final int MOVES = 10;

    private final String uri = "roce://" + Places.ipv4();
    private final TransportDevice peer = Mover.open("roce://" + Places.ipv4());
    private final List<MoverProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(MoverProcess::close);
        peer.close();
    }

    private MoverProcess start() throws IOException {
        MoverProcess process = new MoverProcess(uri, peer, started.size());
        started.add(process);
        return process;
    }

    @Test
    void allMoveAtOnce() throws IOException, InterruptedException {
        start();
        start();
        start();
        assertThat(started).extracting(MoverProcess::slot).containsExactly(0, 1, 2);
        for (MoverProcess process : started) {
            process.movesOn(MOVES);
        }
        for (MoverProcess process : started) {
            assertThat(process.end()).as("packets that %s passed on", process).isZero();
        }
    }

    @Test
    void othersGoOnWhenOneEndsAndOneIsKilled() throws IOException, InterruptedException {
        MoverProcess ends = start();
        MoverProcess isKilled = start();
        MoverProcess stays = start();
        isKilled.movesOn(MOVES);

        ends.end();
        isKilled.movesOn(MOVES);
        stays.movesOn(MOVES);

        isKilled.kill();
        stays.movesOn(MOVES);

        List<MoverProcess> all = List.of(stays, start(), start());
        assertThat(all).extracting(MoverProcess::slot).containsExactly(2, 0, 1);
        for (MoverProcess process : all) {
            process.movesOn(MOVES);
        }
        for (MoverProcess process : all) {
            assertThat(process.end()).as("packets that %s passed on", process).isZero();
        }
    }

    @Test
    void programThatDoesNotAnswerIsNamed() throws IOException, InterruptedException {
        MoverProcess stopped = start();
        stopped.movesOn(1);
        stopped.stop();

        assertThatThrownBy(() -> Mover.open(uri).close())
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("process " + stopped.pid() + ", which is at this address");
    }
}
