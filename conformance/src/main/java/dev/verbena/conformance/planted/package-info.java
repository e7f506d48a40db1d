/// Proof that the tests of a module can fail: bugs are planted one at a time, and each must be
/// caught.
///
/// A plan names the bugs as edits of the source; the harness applies one to a copy, compiles it and
/// runs the module's tests against it in a JVM of its own. It is not a mutation engine: every bug
/// is written by hand, one that a developer could make. Read
/// [dev.verbena.conformance.planted.PlantedRun] first.
package dev.verbena.conformance.planted;
