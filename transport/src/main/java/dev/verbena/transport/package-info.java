/// Queue pairs, memory protection and recovery from loss, as one machine that does no I/O.
///
/// Read [dev.verbena.transport.TransportDevice] first: a carrier drives it, and a program sees it
/// as a [dev.verbena.verbs.Device].
///
/// # The carrier contract
///
/// A carrier moves packets for a device: the socket loop of RoCE is one, the event loop of a
/// simulated fabric another. It calls four methods, never two at a time, and passes the time to
/// each, in nanoseconds that never run backwards:
///
/// | call | when |
/// |---|---|
/// | `handlePacket(nowNs, packet)` | a packet arrived; its bytes are not read after the call |
/// | `handleTimeout(nowNs)` | at the time that `pollTimeout` returned, or later |
/// | `pollTransmit(nowNs, classMask, budgetBytes, sink)` | there is room on the link |
/// | `pollTimeout()` | after the others: when to call next; O(1) |
///
/// A carrier that may be behind with what has arrived also passes to `handleTimeout` the time until
/// which it has handed all packets over: a request does not time out whose answer waits to be read.
///
/// Mutate, then drain: after `handlePacket`, `handleTimeout`, or a post, the carrier calls
/// `pollTransmit` until it yields nothing more of the classes that may go, then `pollTimeout`.
///
/// * **Classes.** Every packet has a class from 0 to 15, the service level of its path. A class
///   that is not in the mask yields nothing and holds back no other: a paused priority or a virtual
///   lane without credit is left out of the mask.
/// * **Budget.** No more than `budgetBytes` are yielded by one call, counted from BTH through ICRC.
/// * **An outgoing packet** is headers from the BTH on, in memory that the sink provides; pieces of
///   payload, as references into registered memory; an interned path; ECN. References hold until
///   `accept` returns, or until `letMemoryGo` for a carrier that calls `holdMemory` before. Pad,
///   ICRC and all network headers are the carrier's.
/// * **Phantoms.** A simulation may transmit a length in place of bytes: its carrier sets
///   `TransportOptions.carriesPhantoms`, checks `OutboundPacket.isPhantom`, and wraps such a packet
///   with `PacketView.wrapPhantom` at the other end. A carrier that does not set it gets none.
/// * **An incoming packet** is a [dev.verbena.wire.PacketView] that the carrier wrapped, the
///   carrier's verdict on structure and integrity, and where it came from and went to. A packet to
///   a multicast group is handed in once for the device, which copies it for its members.
/// * **Threads.** A device is written by one thread at a time. Where there are several, the carrier
///   gives it a [dev.verbena.transport.carrier.Guard] and holds that around each of its own calls;
///   calls of a program enter the guard themselves. `Driver.turn`, `idle` and `closed` are called
///   without the guard, `wake`, `rouse`, `joined` and `left` with it.
/// * **Driver.** The device needs a [dev.verbena.transport.carrier.Driver] from its carrier, so
///   that `await` can wait and a post can wake the carrier. For carriers in virtual time there is
///   one, [dev.verbena.transport.TurnPort].
package dev.verbena.transport;
