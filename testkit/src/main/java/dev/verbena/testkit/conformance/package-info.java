/// What every provider of devices must do, as tests against the verbs alone.
///
/// A provider shows two devices through a [dev.verbena.testkit.conformance.World] and runs
/// everything with a few lines among its own tests:
///
/// ```
/// class RoceConformanceTest implements ConformanceSuite {
///     @Override
///     public World world() {
///         return new RoceWorld();
///     }
/// }
/// ```
///
/// Each subject is an interface of its own with the tests as default methods, so that a provider
/// under construction can take the subjects one by one, and a single test can be named on the
/// command line. What a provider cannot do is a [dev.verbena.testkit.conformance.Feature] that its
/// world lacks, with a reason: such tests are skipped, never silently.
///
/// The tests do not sleep, read no clock and start no thread; they assume neither that packets
/// arrive nor how long they take, only that the world's time passes when it is asked to. Read
/// [dev.verbena.testkit.conformance.World] first, then
/// [dev.verbena.testkit.conformance.Connection].
package dev.verbena.testkit.conformance;
