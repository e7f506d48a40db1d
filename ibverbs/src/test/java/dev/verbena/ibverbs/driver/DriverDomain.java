package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;

/// A protection domain, and its memory by local key.
final class DriverDomain extends DriverObject {
    final DriverContext context;
    final ProtectionDomain domain;
    final Map<Integer, DriverRegion> regions = new HashMap<>();

    DriverDomain(DriverContext context) {
        this.domain = context.device.transport.protectionDomain();
        super(context.driver, Layouts.PD);
        this.context = context;
        Layouts.PD.put(address, "context", context.address);
        context.users++;
    }

    void close() {
        requireUnused();
        domain.close();
        context.users--;
        free();
    }
}
