package dev.verbena.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.testkit.junit.RdmaHost;
import dev.verbena.testkit.junit.RdmaPair;
import dev.verbena.testkit.junit.RdmaTest;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the author of a test sees who asks for what cannot be.
class RdmaTestMistakesTest {
    @LaunchedOnly
    static class UnknownParameter {
        @RdmaTest
        void takes(CompletionQueue queue) {}
    }

    @Test
    void aParameterOfAnotherTypeIsAnsweredWithThoseThereAre() {
        assertThat(Launch.of(UnknownParameter.class).last().message())
                .startsWith("No ParameterResolver registered")
                .endsWith(
                        "@RdmaTest gives RdmaPair, RdmaGroup, RdmaHost, Device, QueuePair, Choices,"
                                + " RdmaThreads; ask an RdmaHost for its domain, memory and"
                                + " completions");
    }

    @LaunchedOnly
    static class TooMany {
        @RdmaTest
        void takes(Device one, Device other, Device third) {}
    }

    @Test
    void moreDevicesThanHostsAreAnsweredWithTheNumber() {
        assertThat(Launch.of(TooMany.class).last().message())
                .isEqualTo("Device number 3, and there are 2 hosts: say @RdmaTest(hosts = 3)");
    }

    @LaunchedOnly
    static class PairOfThree {
        @RdmaTest(hosts = 3)
        void takes(RdmaPair pair) {}
    }

    @Test
    void aPairOfThreeIsAGroup() {
        assertThat(Launch.of(PairOfThree.class).last().message())
                .isEqualTo("RdmaPair is for two hosts, and there are 3: take RdmaGroup");
    }

    @LaunchedOnly
    static class OneHost {
        @RdmaTest(hosts = 1)
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class NoSeed {
        @RdmaTest(seeds = 0)
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class TooMuchLoss {
        @RdmaTest(loss = 2)
        void takes(RdmaHost host) {}
    }

    @Test
    void numbersOutOfRangeAreRefusedBeforeAnythingRuns() {
        refused(OneHost.class, Map.of(), "OneHost.takes has hosts = 1: use 2 to 64");
        refused(NoSeed.class, Map.of(), "NoSeed.takes has seeds = 0: use 1 to 1000000");
        refused(TooMuchLoss.class, Map.of(), "TooMuchLoss.takes has loss = 2.0: use 0 to 1");
        refused(
                NoSeed.class,
                Map.of("verbena.seed", "seven"),
                "verbena.seed is 'seven': write a number, as -Dverbena.seed=7");
    }

    @LaunchedOnly
    static class LossyFabric {
        @RdmaTest(fabric = "kind=ib", loss = 0.1)
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class SlowFabric {
        @RdmaTest(fabric = "kind=ib", delay = "2us")
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class CapturedFabric {
        @RdmaTest(fabric = "kind=ib", pcap = true)
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class WrongFabric {
        @RdmaTest(fabric = "fabric://x/host-0")
        void takes(RdmaHost host) {}
    }

    @LaunchedOnly
    static class AbsentFabric {
        @RdmaTest(fabric = "kind=ib")
        void takes(RdmaHost host) {}
    }

    @Test
    void whatAFabricDoesNotHaveIsRefused() {
        String remedy = ": use one of them: links and switches have times of their own";
        refused(LossyFabric.class, Map.of(), "has a fabric and loss 0.1" + remedy);
        refused(SlowFabric.class, Map.of(), "has a fabric and delay 2us" + remedy);
        refused(CapturedFabric.class, Map.of(), "has a fabric and pcap" + remedy);
        refused(
                WrongFabric.class,
                Map.of(),
                "has fabric = fabric://x/host-0: use parameters such as kind=ib&radix=8");
        assertThat(Launch.of(AbsentFabric.class).last().message())
                .contains("opens fabric:// devices, and nothing provides them")
                .contains("verbena-fabric");
    }

    @LaunchedOnly
    static class WrongDelay {
        @RdmaTest(delay = "soon")
        void takes(RdmaHost host) {}
    }

    @Test
    void aDelayWithoutUnitIsRefused() {
        assertThat(Launch.of(WrongDelay.class).last().message())
                .contains("delay cannot be 'soon'; write it with its unit, as delay=2us");
    }

    @Test
    void aDeviceThatIsNotThereIsNamed() {
        Map<String, String> nowhere = Map.of("verbena.device", "nowhere://x");
        assertThat(Launch.of(TooMany.class, nowhere).last().message())
                .contains("@RdmaTest opens nowhere:// devices")
                .contains("<artifactId>verbena-nowhere</artifactId>");
    }

    private static void refused(Class<?> type, Map<String, String> properties, String message) {
        Launch launch = Launch.of(type, properties);
        assertThat(launch.ended).isEmpty();
        assertThat(launch.refused).hasSize(1);
        assertThat(launch.refused.getFirst()).hasMessageContaining(message);
    }

    @LaunchedOnly
    static class NoReceive {
        @RdmaTest
        void sends(RdmaPair pair) {
            pair.left().post(pair.right(), it -> it.send(pair.left().slice(0, 8)).signaled());
            pair.left().awaitCompletion();
        }
    }

    @Test
    void aSendWithoutAReceiveIsExplainedByTheRnrNaks() {
        assertThat(Launch.of(NoReceive.class).last().message())
                .startsWith("no completion came to left within ")
                .containsPattern(
                        "peers of \\S+ sent it [\\d,]+ RNR NAKs: no receive is posted there");
    }
}
