package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two of it, each on an address of its own; against librdmacm's it is tried in the laboratory.
@Tag("command")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RpingCommandTest {
    private static final String SERVER = address(1);
    private static final String CLIENT = "roce://" + address(2);

    /// Of this process alone: these tests also run in several processes at once, and the port of a
    /// listener belongs to the address.
    private static String address(int last) {
        long process = ProcessHandle.current().pid();
        return "127.%d.%d.%d".formatted(1 + (process >> 8) % 254, process & 0xFF, last);
    }

    private static Command rping(String words) {
        return Command.run((Object[]) ("rping " + words).split(" ", -1));
    }

    private static CompletableFuture<Command> server(String words) {
        return CompletableFuture.supplyAsync(() -> rping("-s -a " + SERVER + words));
    }

    /// Until the server listens, a client is refused.
    private static Command client(String words) {
        List<Command> tries = new ArrayList<>();
        do {
            assertThat(tries).as("the server did not start").hasSizeLessThan(200);
            tries.add(rping("-c -a " + SERVER + " -d " + CLIENT + words));
        } while (tries.getLast().err().contains("no program listens"));
        return tries.getLast();
    }

    @Test
    void dataGoesThereByReadAndComesBackByWrite() throws Exception {
        CompletableFuture<Command> server = server(" -v --wait 20");
        Command client = client(" -v -V -C 3 --wait 20");

        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out())
                .startsWith("client ping data: rdma-ping-0: ABCDEFGHIJ")
                .contains("\nclient ping data: rdma-ping-2: CDEFGHIJKL")
                .endsWith("\n3 pings of 64 bytes done\n");
        Command served = server.get(30, TimeUnit.SECONDS);
        assertThat(served.status()).as(served.err()).isZero();
        assertThat(served.out())
                .startsWith("server ping data: rdma-ping-0: ABCDEFGHIJ")
                .endsWith("\n3 pings of 64 bytes served\n");
    }

    @Test
    void moreDataThanTheServerHasRoomForIsRefused() throws Exception {
        CompletableFuture<Command> server = server(" -S 32 --wait 20");
        Command client = client(" -S 64 --wait 2");

        Command served = server.get(30, TimeUnit.SECONDS);
        assertThat(served.status()).isEqualTo(1);
        assertThat(served.err())
                .contains("the client has 64 bytes, and this side 32; use the same -S");
        assertThat(client.status()).as(client.out()).isEqualTo(1);
    }

    @Test
    void aServerWithoutAClientEndsAfterItsWait() {
        Command server = rping("-s -a " + address(3) + " --wait 1");

        assertThat(server.status()).isEqualTo(1);
        assertThat(server.out()).isEmpty();
        assertThat(server.err())
                .isEqualTo(
                        "verbena rping: %s port 7174: no client within 1 s\n"
                                .formatted(address(3)));
    }

    @Test
    void aClientWithoutAServerFails() {
        Command client = rping("-c -a %s -d roce://%s --wait 1".formatted(address(4), address(5)));

        assertThat(client.status()).isEqualTo(1);
        assertThat(client.out()).isEmpty();
        assertThat(client.err()).startsWith("verbena rping: ").hasLineCount(1);
    }
}
