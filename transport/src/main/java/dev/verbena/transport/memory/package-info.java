/// Registered memory: regions, windows, keys, and the one place where a peer's access is allowed or
/// refused. Knows nothing of packets and work requests.
package dev.verbena.transport.memory;
