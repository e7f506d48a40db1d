package dev.verbena.roce;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.Feature;
import dev.verbena.conformance.World;
import org.junit.jupiter.api.Tag;

/// Two devices that repeat only what is lost, on sockets that lose one packet in a hundred.
@Tag("long")
@Tag("sockets")
class SelectiveConformanceTest implements ConformanceSuite {
    @Override
    public World world() {
        return RoceWorld.at(
                        TestAddresses.ipv4(),
                        TestAddresses.ipv4(),
                        "progress=thread&recovery=selective&loss=0.01,7")
                .lacking(Feature.LOSSLESS, "it loses packets on purpose")
                .lacking(Feature.BYTES_IN_ORDER, "packets are placed when they come");
    }
}
