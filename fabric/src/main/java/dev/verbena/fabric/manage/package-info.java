/// Subnet management of a simulated InfiniBand fabric: the agents of its nodes, which answer a
/// subnet manager, and the ways of management datagrams between them.
///
/// ```text
///   manager ─ ManagementPort ─ Subnet ─ … ─ NodeAgent ─ Plane ─ the fabric's switches and NICs
/// ```
///
/// Read [dev.verbena.fabric.manage.Subnet] first. A datagram arrives at once: its way is checked
/// cable by cable, table by table, but takes no simulated time and no room on a link. Data takes
/// the routes that the manager has written. No agent keeps a clock; what must happen later is
/// scheduled on the [dev.verbena.fabric.manage.Plane].
package dev.verbena.fabric.manage;
