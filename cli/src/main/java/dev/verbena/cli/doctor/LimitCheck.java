package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// May this process lock memory, and open files?
final class LimitCheck implements Check {
    private static final String LOCKED = "Max locked memory";
    private static final String OPEN = "Max open files";

    /// Below it not even the queues of a few queue pairs fit; 64 KiB was Linux' default for long.
    private static final long LOCKED_MIN = 1 << 20;

    private static final long LOCKED_ENOUGH = 1 << 30;
    private static final long OPEN_ENOUGH = 1024;

    @Override
    public List<Finding> examine(Host host) {
        Privileges privileges = new Privileges(host);
        List<Finding> findings = new ArrayList<>();
        if (!privileges.has(Privileges.IPC_LOCK)) {
            locked(privileges).ifPresent(findings::add);
        }
        if (privileges.limit(OPEN) < OPEN_ENOUGH) {
            findings.add(
                    new Finding(
                            Code.VD603,
                            "each device, event channel and socket is an open file",
                            List.of(privileges.limitEvidence(OPEN)),
                            "Raise the limit where the program is started.",
                            "ulimit -n 65536"));
        }
        RdmaDevice.all(host).stream()
                .flatMap(device -> translated(host, device).stream())
                .forEach(findings::add);
        return findings;
    }

    private static Optional<Finding> locked(Privileges privileges) {
        long bytes = privileges.limit(LOCKED);
        if (bytes >= LOCKED_ENOUGH) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        bytes < LOCKED_MIN ? Code.VD601 : Code.VD602,
                        (bytes >> 10) + " KiB may be locked; registering more says ENOMEM",
                        List.of(
                                privileges.limitEvidence(LOCKED),
                                privileges.capabilityEvidence("CAP_IPC_LOCK")),
                        "Raise the limit: limits.conf, LimitMEMLOCK= of a service, --ulimit of"
                                + " docker.",
                        "ulimit -l unlimited"));
    }

    private static Optional<Finding> translated(Host host, RdmaDevice device) {
        String type = device.busPath() + "/iommu_group/type";
        return host.text(type)
                .filter(value -> value.startsWith("DMA"))
                .map(
                        _ ->
                                new Finding(
                                        Code.VD604,
                                        device.name() + " reads and writes memory by an IOMMU",
                                        List.of(host.evidence(type)),
                                        "Where GPUs and NICs talk to each other, it slows them"
                                                + " down.",
                                        "iommu=pt on the kernel's command line"));
    }
}
