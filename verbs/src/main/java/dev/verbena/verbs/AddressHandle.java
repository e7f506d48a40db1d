package dev.verbena.verbs;

/// The address of a peer, checked once and used by many datagrams (IBA 11.2.2).
///
/// Datagrams that were posted before the handle is closed are still sent.
public interface AddressHandle extends AutoCloseable {
    ProtectionDomain domain();

    Address address();

    @Override
    void close();
}
