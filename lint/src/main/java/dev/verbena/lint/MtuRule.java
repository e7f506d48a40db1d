package dev.verbena.lint;

import java.util.List;

/// Do packets of RoCE with 4,096 bytes fit?
final class MtuRule implements Rule {
    /// What the kernel sets aside for the headers of a RoCE packet; `verbena doctor` has the same.
    private static final int HEADER_BYTES = 96;

    private static final int PATH_MTU_MAX = 4_096;
    private static final int NEEDED = PATH_MTU_MAX + HEADER_BYTES;

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            for (SwitchPort port : config.pausing()) {
                port.mtu.ifPresent(mtu -> mtu(port.name, mtu, findings));
            }
        }
        for (HostSettings host : scene.hosts()) {
            host.mtu.ifPresent(mtu -> mtu(host.name, mtu, findings));
        }
    }

    private static void mtu(String name, Figure mtu, Findings findings) {
        if (mtu.value() < NEEDED) {
            findings.ofPort(
                    Code.VL601,
                    name,
                    mtu.place(),
                    "an MTU of %,d, and RoCE packets of 4,096 bytes need %,d"
                            .formatted(mtu.value(), NEEDED),
                    List.of(mtu.place().says("mtu " + mtu.value())),
                    "Use 9100 on switches and 4200 or more on hosts.");
        }
    }
}
