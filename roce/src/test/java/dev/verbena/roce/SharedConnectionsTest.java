package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs at one address, each of which listens and connects.
@Timeout(300)
@Tag("long")
@Tag("sockets")
class SharedConnectionsTest {
    private static final int PORT = 7000;
    private static final int ROUNDS = 8;

    /// Of each round: REQ and RTU of a connection that is made, REQ of one that is refused.
    private static final long MESSAGES = 3;

    /// A message without an answer is sent again after a second. None needs that, unless the
    /// machine stands still so long; then some do, but not one in every round.
    private static final long REPEATED_MOST = ROUNDS - 1;

    private final String place = TestAddresses.ipv4();
    private final String elsewhere = TestAddresses.ipv4();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void endAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private List<LineControlledProcess> start(int count) throws IOException {
        List<LineControlledProcess> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LineControlledProcess process = new LineControlledProcess("roce://" + place, "p" + i);
            opened.add(process);
            // One after the other, so that the first has number 0.
            started.add(process.ready());
        }
        return started;
    }

    private LineControlledDevice open(String where, String name) {
        LineControlledDevice device = new LineControlledDevice("roce://" + where, name);
        opened.add(device);
        return device;
    }

    @Test
    void threeProgramsListenAndConnectToEachOtherAndElsewhere() throws IOException {
        List<LineControlledProcess> all = start(3);
        for (int i = 0; i < 3; i++) {
            assertThat(all.get(i).ask("listen " + (PORT + i))).isEqualTo("listening");
        }
        for (LineControlledProcess from : all) {
            for (int i = 0; i < 3; i++) {
                assertThat(from.ask("connect " + place + " " + (PORT + i)))
                        .as("from %s", from)
                        .isEqualTo("connected to p" + i);
            }
            assertThat(from.ask("connect " + place + " " + (PORT + 3)))
                    .isEqualTo("failed NOBODY_LISTENS");
        }
        LineControlledProcess outside = new LineControlledProcess("roce://" + elsewhere, "outside");
        opened.add(outside);
        outside.ready().ask("listen " + PORT);
        for (int i = 0; i < 3; i++) {
            assertThat(all.get(i).ask("connect " + elsewhere + " " + PORT))
                    .isEqualTo("connected to outside");
            assertThat(outside.ask("connect " + place + " " + (PORT + i)))
                    .isEqualTo("connected to p" + i);
        }
    }

    @Test
    void portIsOneProgramsUntilItClosesOrEnds() throws IOException {
        List<LineControlledProcess> all = start(3);
        assertThat(all.get(1).ask("listen " + PORT)).isEqualTo("listening");
        for (int i : new int[] {0, 2}) {
            assertThat(all.get(i).ask("listen " + PORT))
                    .startsWith("refused")
                    .contains("another device at this address listens at port " + PORT);
        }

        all.get(1).ask("close " + PORT);
        assertThat(all.get(2).ask("listen " + PORT)).isEqualTo("listening");
        assertThat(all.get(0).ask("connect " + place + " " + PORT)).isEqualTo("connected to p2");

        all.get(2).kill();
        assertThat(all.get(1).ask("connect " + place + " " + PORT))
                .isEqualTo("failed NOBODY_LISTENS");
        assertThat(all.get(0).ask("listen " + PORT)).isEqualTo("listening");
        assertThat(all.get(1).ask("connect " + place + " " + PORT)).isEqualTo("connected to p0");
    }

    @Test
    void othersGoOnAndConnectAtOnceWhenTheFirstIsKilled() throws IOException {
        List<LineControlledProcess> all = start(3);
        LineControlledDevice outside = open(elsewhere, "outside");
        for (int i = 0; i < 3; i++) {
            all.get(i).ask("listen " + (PORT + i));
        }
        assertThat(all.get(1).ask("connect " + place + " " + (PORT + 2)))
                .isEqualTo("connected to p2");

        all.get(0).kill();

        assertThat(all.get(1).ask("send")).isEqualTo("sent");
        long before = outside.counter("mad_sent");
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(outside.obey("connect " + place + " " + (PORT + 1)))
                    .isEqualTo("connected to p1");
            assertThat(outside.obey("connect " + place + " " + PORT))
                    .isEqualTo("failed NOBODY_LISTENS");
        }
        assertThat(outside.counter("mad_sent") - before)
                .as("messages of %d rounds after a kill", ROUNDS)
                .isBetween(ROUNDS * MESSAGES, ROUNDS * MESSAGES + REPEATED_MOST);
        assertThat(all.get(2).ask("connect " + place + " " + (PORT + 1)))
                .isEqualTo("connected to p1");
    }

    @Test
    void programsThatStandStillDoNotKeepOthersFromConnecting() {
        LineControlledDevice drives = open(place, "drives");
        // No thread drives these: they exist, and read nothing.
        open(place + "?progress=caller", "still");
        open(place + "?progress=caller", "as still");
        LineControlledDevice outside = open(elsewhere, "outside");
        outside.obey("listen " + PORT);

        for (int i = 0; i < 20; i++) {
            assertThat(outside.obey("connect " + place + " " + PORT))
                    .isEqualTo("failed NOBODY_LISTENS");
        }
        assertThat(drives.counter("socket_rx_aside_pkts")).isGreaterThanOrEqualTo(20);
    }
}
