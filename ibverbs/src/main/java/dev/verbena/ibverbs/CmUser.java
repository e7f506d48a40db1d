package dev.verbena.ibverbs;

/// The receiver of the events of an id; called with the device's lock held.
interface CmUser {
    void happened(CmEvent event);

    /// The device is being closed, and the id with it.
    void deviceCloses();
}
