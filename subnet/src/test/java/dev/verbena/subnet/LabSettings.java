package dev.verbena.subnet;

/// Settings of managers in tests.
final class LabSettings {
    /// Every fabric is accepted, and changes are found by traps only.
    static final ManagerSettings ANY =
            ManagerSettings.DEFAULT
                    .withEngines(new UpDownEngine(), new MinHopEngine())
                    .withSweepNs(0);

    private LabSettings() {}
}
