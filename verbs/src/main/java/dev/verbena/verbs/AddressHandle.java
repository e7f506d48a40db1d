package dev.verbena.verbs;

/// A way to peers, checked once and used by many datagrams (IBA 11.2.2).
///
/// Datagrams that were posted before it is closed still leave by it.
public interface AddressHandle extends AutoCloseable {
    ProtectionDomain domain();

    Address address();

    @Override
    void close();
}
