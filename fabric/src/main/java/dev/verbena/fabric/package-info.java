/// Simulated networks of hosts and switches whose every NIC runs the transport itself.
///
/// ```text
///   program ─ device ─ Nic ═ link ═ switch ═ link ═ … ═ Nic ─ device ─ program
/// ```
///
/// Read [dev.verbena.fabric.Fabric] first: it holds the clock and all events. The sending half of a
/// port is an [dev.verbena.fabric.OutPort], one direction of a cable is a
/// [dev.verbena.fabric.Link], and a [dev.verbena.fabric.Node] is the end of links: a NIC or a
/// switch.
///
/// Time is in picoseconds. Events of one instant run in the order of
/// [dev.verbena.fabric.Event#order], which depends on the place in the topology alone: the same
/// seed gives the same run, whatever was built or scheduled first.
package dev.verbena.fabric;
