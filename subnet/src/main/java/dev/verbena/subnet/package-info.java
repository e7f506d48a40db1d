/// A subnet manager: it finds the nodes of an InfiniBand subnet, gives them LIDs, computes routes,
/// writes forwarding tables, and makes ports active.
///
/// ```text
///   SubnetManager ── Discovery ── SubnetGraph      what the nodes have answered
///        │    │
///        │    ├──── LidPlan, PortSetup             what each port is to be
///        │    └──── Routing ── RoutingEngine       one task for each destination switch
///        │             └────── ForwardingTables    blocks of 64 entries, written when they differ
///        └─ SmpWindow ── DatagramSink              requests in flight, timeouts, retries
/// ```
///
/// Read [dev.verbena.subnet.SubnetManager] first. A driver hands in datagrams and the time, then
/// calls `transmit` until there is no datagram left, and calls `handleTimeout` at `timeoutNs`. The
/// manager keeps no thread, no socket and no clock, so that the same code runs on a simulated
/// fabric and on a socket.
package dev.verbena.subnet;
