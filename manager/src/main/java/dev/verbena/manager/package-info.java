/// Subnet managers that share a state: a library and the program `verbena-manager`, for the class
/// path, because the jars of Apache Ratis split packages.
///
/// ```text
///   ManagerRun ── Leader ── SubnetManager ── IbsimPort    one thread
///        │           └── Proposals ─┐
///        └── Replica ── RaftServer ─┴─ ReplicatedState    the same commands in all managers
/// ```
///
/// Read [dev.verbena.manager.ManagerRun] first. A manager leads while a majority of managers hears
/// it; it begins with an M_Key of its own, which all nodes get before it writes anything else.
@NullMarked
package dev.verbena.manager;

import org.jspecify.annotations.NullMarked;
