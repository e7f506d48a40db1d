/// The behaviour that every provider of devices must have, as tests against the verbs API only.
///
/// A provider shows two devices through a [dev.verbena.conformance.World] and runs everything with
/// a few lines among its own tests:
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
/// under construction can add the subjects one by one, and a single test can be named on the
/// command line. A function that a provider does not support is a [dev.verbena.conformance.Feature]
/// that its world lacks, with a reason: such tests are skipped, never silently.
///
/// The tests do not sleep, read no clock and start no thread; they assume neither that packets
/// arrive nor how long they take, only that the world's time passes when it is asked to. Read
/// [dev.verbena.conformance.World] first, then [dev.verbena.conformance.Connection].
package dev.verbena.conformance;
