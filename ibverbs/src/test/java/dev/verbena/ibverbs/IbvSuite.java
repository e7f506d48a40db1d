package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.ConformanceSuite;
import dev.verbena.conformance.World;
import java.io.IOException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The suite on a device of this machine. Not by its name a test of every build, since few machines
/// have a device: the laboratory runs it, on the kernel's Soft-RoCE.
@ExtendWith(Deviations.class)
class IbvSuite implements ConformanceSuite, IbvLifetimeConformance {
    @Override
    public World world() {
        return new IbvWorld();
    }

    /// What [NativeAnswersTest] holds the driver in this process against.
    @Test
    void theKernelAnswersAsRecorded() throws IOException {
        String device = System.getProperty(IbvWorld.PROPERTY, "");
        boolean isRecorded =
                new Sysfs(Sysfs.ROOT, device).isRxe()
                        && System.getProperty("os.version", "").startsWith("6.1.");
        Assumptions.assumeTrue(isRecorded, "the record is that of Soft-RoCE of Linux 6.1");

        assertThat(NativeAnswers.of(RdmaStack.ofThisMachine(), device))
                .isEqualTo(RecordedAnswers.read().ofTheKernel());
    }
}
