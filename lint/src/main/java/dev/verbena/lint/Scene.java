package dev.verbena.lint;

import java.util.List;

/// All that was read, and what the caller knows besides.
record Scene(
        List<SwitchConfig> switches,
        List<HostSettings> hosts,
        List<OpenSmOptions> managers,
        List<Partitions> partitions,
        Assumptions assumptions) {}
