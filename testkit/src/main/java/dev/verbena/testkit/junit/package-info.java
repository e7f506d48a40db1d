/// Tests of programs that use RDMA, on a laptop: devices come with the annotation, and a network
/// that loses, reorders and damages packets by seed.
///
/// ```
/// class GreetingTest {
///     @RdmaTest(loss = 0.02, reorder = 0.05, seeds = 200)
///     void arrives(RdmaPair pair) {
///         pair.left().memory().segment().setString(0, "hello");
///         pair.left().write(pair.right(), 0, 6);
///         pair.left().awaitSuccess();
///         assertEquals("hello", pair.right().memory().segment().getString(0));
///     }
/// }
/// ```
///
/// Read [dev.verbena.testkit.junit.RdmaTest] first. Devices are opened by URI, from
/// `verbena-virtual` unless a property names others; nothing here depends on a provider.
package dev.verbena.testkit.junit;
