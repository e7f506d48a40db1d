/// Threads that take turns at the devices of a network in virtual time, chosen by seed.
///
/// For `dev.verbena.testkit` and `dev.verbena.simulation`, which say what their users see; programs
/// do not need this package, and it may change. Read [dev.verbena.verbs.baton.BatonScheduler]
/// first.
package dev.verbena.verbs.baton;
