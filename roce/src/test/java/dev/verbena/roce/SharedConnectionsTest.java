package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs at one address, each of which listens and connects.
@Timeout(300)
class SharedConnectionsTest {
    private static final int PORT = 7000;

    private final String place = Places.ipv4();
    private final String elsewhere = Places.ipv4();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void endAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private List<ResidentProcess> start(int count) throws IOException {
        List<ResidentProcess> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ResidentProcess process = new ResidentProcess("roce://" + place, "p" + i);
            opened.add(process);
            // One after the other, so that the first has number 0.
            started.add(process.ready());
        }
        return started;
    }

    private Resident open(String where, String name) {
        Resident resident = new Resident("roce://" + where, name);
        opened.add(resident);
        return resident;
    }

    @Test
    void threeProgramsListenAndConnectToEachOtherAndElsewhere() throws IOException {
        List<ResidentProcess> all = start(3);
        for (int i = 0; i < 3; i++) {
            assertThat(all.get(i).ask("listen " + (PORT + i))).isEqualTo("listening");
        }
        for (ResidentProcess from : all) {
            for (int i = 0; i < 3; i++) {
                assertThat(from.ask("connect " + place + " " + (PORT + i)))
                        .as("from %s", from)
                        .isEqualTo("connected to p" + i);
            }
            assertThat(from.ask("connect " + place + " " + (PORT + 3)))
                    .isEqualTo("failed NOBODY_LISTENS");
        }
        ResidentProcess outside = new ResidentProcess("roce://" + elsewhere, "outside");
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
        List<ResidentProcess> all = start(3);
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
        List<ResidentProcess> all = start(3);
        Resident outside = open(elsewhere, "outside");
        for (int i = 0; i < 3; i++) {
            all.get(i).ask("listen " + (PORT + i));
        }
        assertThat(all.get(1).ask("connect " + place + " " + (PORT + 2)))
                .isEqualTo("connected to p2");

        all.get(0).kill();

        assertThat(all.get(1).ask("send")).isEqualTo("sent");
        long killedNs = System.nanoTime();
        assertThat(outside.obey("connect " + place + " " + (PORT + 1)))
                .isEqualTo("connected to p1");
        assertThat(outside.obey("connect " + place + " " + PORT))
                .isEqualTo("failed NOBODY_LISTENS");
        assertThat(all.get(2).ask("connect " + place + " " + (PORT + 1)))
                .isEqualTo("connected to p1");
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs);
        System.out.printf("SharedConnectionsTest: three requests %d ms after a kill%n", tookMs);
        // A request is sent again after a second: none had to be.
        assertThat(tookMs).isLessThan(1000);
    }

    @Test
    void programsThatStandStillDoNotKeepOthersFromConnecting() {
        Resident drives = open(place, "drives");
        // Nobody drives these: they are there, and read nothing.
        open(place + "?progress=caller", "still");
        open(place + "?progress=caller", "as still");
        Resident outside = open(elsewhere, "outside");
        outside.obey("listen " + PORT);

        for (int i = 0; i < 20; i++) {
            assertThat(outside.obey("connect " + place + " " + PORT))
                    .isEqualTo("failed NOBODY_LISTENS");
        }
        assertThat(drives.counter("socket_rx_aside_pkts")).isGreaterThanOrEqualTo(20);
    }
}
