/// Simulated networks of hosts and switches whose every NIC runs the transport itself.
///
/// ```text
///   program ─ device ─ Nic ═ link ═ switch ═ link ═ … ═ Nic ─ device ─ program
/// ```
///
/// Read [dev.verbena.fabric.Fabric] first: it holds the clock and everything that happens by it. A
/// port's sending half is an [dev.verbena.fabric.OutPort], what lies between two ports is a
/// [dev.verbena.fabric.Link] for each direction, and a [dev.verbena.fabric.Node] is what they end
/// in: a NIC or a switch.
///
/// Time is counted in picoseconds. What happens at one instant happens in the order of
/// [dev.verbena.fabric.Event#order], which the place in the topology decides and nothing else: the
/// same seed gives the same run, whatever was built or scheduled first.
package dev.verbena.fabric;
