package dev.verbena.ibverbs.driver;

/// An object that a program has made: its structure in memory, and how often others use it.
abstract class DriverObject {
    final InProcessDriver driver;
    final long address;

    /// Objects that keep it from being destroyed.
    int users;

    /// Events about it that were fetched and not acknowledged.
    int unacknowledged;

    DriverObject(InProcessDriver driver, CStruct layout) {
        this.driver = driver;
        this.address = driver.heap.allocate(layout);
        driver.objects.put(address, this);
        Stubs.add(address, driver);
    }

    /// Ends its structure.
    final void free() {
        driver.objects.remove(address);
        driver.heap.free(address);
    }

    final void requireUnused() {
        Refusal.unless(users == 0, Refusal.EBUSY);
    }

    @Override
    public String toString() {
        return "%s at 0x%x".formatted(getClass().getSimpleName(), address);
    }
}
