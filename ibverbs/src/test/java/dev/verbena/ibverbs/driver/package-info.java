/// A driver in this process: it answers the calls of libibverbs and librdmacm as a device of the
/// kernel does, over [dev.verbena.transport.Loopback].
///
/// It knows nothing of the provider under test: structures have the layouts of [Layouts], which are
/// written after the C headers and not after the provider's constants. It takes note of calls that
/// would make the library in C read freed memory, wait for ever or leak: see [Misuse]. Read
/// [InProcessDriver] first.
package dev.verbena.ibverbs.driver;
