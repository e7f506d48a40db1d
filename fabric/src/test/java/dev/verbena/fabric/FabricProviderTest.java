package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.LimitExceededException;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.WrongStateException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Alone, because it fills the table of fabrics, which is that of the process.
@Isolated
class FabricProviderTest {
    private static final String TWO =
            """
            Switch 4 "S-1" # "top"
            [1] "H-1"[1]
            [2] "H-2"[1]
            Ca 1 "H-1" # "left one"
            [1] "S-1"[1]
            Ca 1 "H-2" # "right one"
            [1] "S-1"[2]
            """;

    @TempDir Path directory;

    private static Fabric four() {
        return new Fabric(FatTree.single(4).topology(), FabricSettings.INFINIBAND);
    }

    @Test
    void aRegisteredFabricIsOpenedByHost() {
        Fabric fabric = four();
        try (var registered = Fabrics.register("known", fabric)) {
            assertThat(registered.fabric()).isSameAs(fabric);
            try (Device device = Devices.open("fabric://known/host-2")) {
                assertThat(device.name()).isEqualTo("host 2");
                assertThat(device.gids(1)).containsExactly(fabric.gid(2));
                assertThat(Devices.available())
                        .contains(URI.create("fabric://known/host-3"))
                        .doesNotContain(URI.create("fabric://known/host-2"));
                assertThatThrownBy(() -> Devices.open("fabric://known/host-2"))
                        .hasMessageContaining("its device is open already");
                assertThatThrownBy(() -> Devices.open("fabric://known/host-4"))
                        .isInstanceOf(NoDeviceException.class)
                        .hasMessageContaining("it has no host 'host-4'; its hosts are host-0 to");
                assertThatThrownBy(() -> Devices.open("fabric://known/host-1?hosts=4"))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("the program built and registered it");
                assertThatThrownBy(() -> Fabrics.register("known", four()))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("there is one of this name already");
            }
            // It outlives its devices, and is there until the registration is closed.
            Devices.open("fabric://known/host-2").close();
        }
        assertThatThrownBy(() -> Devices.open("fabric://known/host-2"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("register it first with Fabrics.register, or describe it");
    }

    @Test
    void closingARegistrationForgetsNoOther() {
        Fabrics.Registration first = Fabrics.register("again", four());
        first.close();
        try (var second = Fabrics.register("again", four())) {
            first.close();
            assertThat(Fabrics.find("again")).contains(second.fabric());
        }
        assertThat(Fabrics.find("again")).isEmpty();
    }

    @Test
    void thereAreOnlySoManyFabrics() {
        List<Fabrics.Registration> all = new ArrayList<>();
        Fabric fabric = four();
        try {
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i <= Fabrics.FABRICS_MAX; i++) {
                                    all.add(Fabrics.register("many-" + i, fabric));
                                }
                            })
                    .isInstanceOf(LimitExceededException.class);
            assertThat(all).isNotEmpty();
        } finally {
            all.forEach(Fabrics.Registration::close);
        }
    }

    @Test
    void theFirstUriDecidesForTheFabric() {
        try (Device first = Devices.open("fabric://d/host-0?hosts=8&radix=4&kind=ib&rate=100");
                Device second = Devices.open("fabric://d/host-7");
                Device third = Devices.open("fabric://d/host-3?kind=ib&rate=100&hosts=8")) {
            Fabric fabric = Fabrics.find("d").orElseThrow();
            assertThat(fabric.topology().switches()).isEqualTo(6);
            assertThat(second.port(1).linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
            assertThat(third.port(1).bitsPerSecond()).isEqualTo(100_000_000_000L);
            assertThat(first.name()).isEqualTo("host 0");
            assertThatThrownBy(() -> Devices.open("fabric://d/host-1?rate=400"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "fabric d: it is open with rate 100, and now 400 is asked for; the"
                                    + " first device decides for all: leave parameters out of later"
                                    + " ones, or use another name for the fabric");
            assertThatThrownBy(() -> Devices.open("fabric://d/host-1?kind=roce"))
                    .hasMessageContaining("it is open with kind ib, and now roce");
        }
        // All of it is forgotten with the last device.
        Devices.open("fabric://d/host-0?hosts=2").close();
        assertThat(Fabrics.find("d")).isEmpty();
    }

    @Test
    void aFileGivesTheHostsAndTheirNames() throws IOException {
        Path file = Files.writeString(directory.resolve("two hosts.txt"), TWO);
        String uri = file.toUri().getRawPath();
        try (Device left = Devices.open("fabric://f/left-one?topology=" + uri);
                Device right = Devices.open("fabric://f/right%20one")) {
            assertThat(left.gids(1)).isNotEqualTo(right.gids(1));
        }
        assertThatThrownBy(() -> Devices.open("fabric://f/a?topology=" + uri + "x"))
                .hasMessageContaining("it cannot be read")
                .hasMessageContaining("name a file in the form of ibnetdiscover");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    fabric:x                      | it names no fabric
                    fabric://a@b/host-0?hosts=2   | is no name for a fabric
                    fabric://x                    | it names no host
                    fabric://x/host-0             | describe it: fabric://x/host-0?hosts=16
                    fabric://x/host-0?kind=ib     | neither hosts nor topology is given
                    fabric://x/host-0?hosts=2&topology=f | topology and hosts are both given
                    fabric://x/host-0?hosts=1     | hosts cannot be '1'; use 2 to 131,072
                    fabric://x/host-0?hosts=many  | hosts cannot be 'many'
                    fabric://x/host-0?hosts=2&host=3 | no parameter host; use some of hosts,
                    fabric://x/host-0?hosts=2&hosts=3 | hosts stands there twice
                    fabric://x/host-0?hosts       | 'hosts' has no value; write it as hosts=16
                    fabric://x/host-0?hosts=2&kind=tcp | kind cannot be 'tcp'; use roce or ib
                    fabric://x/host-0?hosts=2&mtu=1500 | use 256, 512, 1024, 2048 or 4096
                    fabric://x/host-0?hosts=2&nic=fast | use ideal, adapter, connectx-3-pro
                    fabric://x/host-0?hosts=2&seed=one | write it as seed=42
                    fabric://x/host-0?hosts=2&length=-1 | length cannot be '-1'
                    fabric://x/host-0?hosts=9&chain=3&radix=8 | radix is for a tree, and chain is
                    fabric://x/host-0?hosts=99&tiers=1&radix=8 | it cannot be built
                    """)
    void whatIsNotUnderstoodIsRefusedWithARemedy(String uri, String message) {
        assertThatThrownBy(() -> new FabricProvider().open(URI.create(uri)))
                .hasMessageContaining(message);
        assertThat(Fabrics.find("x")).isEmpty();
    }

    @Test
    void aProgramThatOnlyPollsGetsOn() {
        try (Device left = Devices.open("fabric://p/host-0?hosts=2");
                Device right = Devices.open("fabric://p/host-1")) {
            CompletionQueue sent = left.completionQueue(4);
            CompletionQueue arrived = right.completionQueue(4);
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            MemoryRegion memory = there.allocate(64, Access.LOCAL_WRITE);
            MemoryRegion own = here.allocate(64);
            QueuePair to = here.queuePair(QueuePairType.RC, it -> it.completions(sent));
            QueuePair from = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
            to.connect(from.endpoint());
            from.connect(to.endpoint());
            from.receives().receive().local(memory, 0, 64).post();
            to.sends().send().local(own, 0, 64).signaled().post();

            Completion done = null;
            int polls = 0;
            while (done == null && polls < 1000) {
                done = sent.poll();
                polls++;
            }

            assertThat(done).isNotNull();
            long nowPs = Fabrics.find("p").orElseThrow().nowPs();
            assertThat(polls).isGreaterThan(2);
            assertThat(nowPs).isBetween(1_000_000L, 100_000_000L);
        }
    }

    @Test
    void aSecondThreadInTheFabricIsRefusedByName() throws InterruptedException {
        try (Device left = Devices.open("fabric://t/host-0?hosts=2")) {
            CompletionQueue queue = left.completionQueue(4);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            queue.onNotification(() -> {});
            // While this thread is inside of a call of the device: its guard is entered.
            Fabric fabric = Fabrics.find("t").orElseThrow();
            fabric.at(
                    1,
                    () -> {
                        Thread other =
                                Thread.ofPlatform()
                                        .name("other")
                                        .start(() -> attempt(left, thrown));
                        try {
                            other.join();
                        } catch (InterruptedException interrupt) {
                            Thread.currentThread().interrupt();
                        }
                    });
            queue.await(Duration.ofNanos(100), _ -> {});
            assertThat(thrown.get())
                    .isInstanceOf(WrongStateException.class)
                    .hasMessageContaining("thread other calls");
        }
    }

    private static void attempt(Device device, AtomicReference<Throwable> thrown) {
        try {
            device.protectionDomain();
        } catch (RuntimeException refused) {
            thrown.set(refused);
        }
    }
}
