package dev.verbena.ibverbs;

/// Whom events of an id are for; called with the device's lock held.
interface CmUser {
    void happened(CmEvent event);

    /// The device is being closed, and the id with it.
    void deviceCloses();
}
