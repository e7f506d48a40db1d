/// RoCE v2 on plain UDP sockets: a device at an IP address, without root, kernel module or NIC.
///
/// Read [dev.verbena.roce.RoceProvider] first; it opens devices by URI. It is RDMA in its semantics
/// and in its bytes, to any peer that speaks RoCE v2. It is neither kernel bypass nor zero copy on
/// the receiving side: every packet passes the kernel's UDP, and payload is copied once from the
/// kernel's buffer into the region.
///
/// ```text
/// device ─▶ Train ─▶ Datagrams ─▶ kernel       headers, ICRC, payload from where it lies
/// device ◀─ Integrity ◀─ Arrival ◀─ Datagrams  checked once, placed once
///           └── Carrier: a turn of both; driven by a thread (ThreadCarrier) or by pollers
/// ```
package dev.verbena.roce;
