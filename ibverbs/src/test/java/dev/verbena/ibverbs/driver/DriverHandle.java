package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.AddressHandle;

/// An address handle.
final class DriverHandle extends DriverObject {
    private final DriverDomain domain;
    final AddressHandle handle;
    int inFlight;

    DriverHandle(DriverDomain domain, long attr) {
        this.handle = domain.domain.addressHandle(Attributes.address(attr));
        super(domain.driver, Layouts.PD);
        this.domain = domain;
        domain.users++;
    }

    void close() {
        if (inFlight > 0) {
            driver.misuse.add(this + " was destroyed with " + inFlight + " datagrams on it");
        }
        handle.close();
        domain.users--;
        free();
    }
}
