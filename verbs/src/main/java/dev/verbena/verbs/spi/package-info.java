/// The interface that a fabric implements so that [dev.verbena.verbs.Devices] finds it, and the
/// rules that every provider checks: what a caller may do wrong is the same on each of them.
/// Programs do not need this package; read [dev.verbena.verbs.spi.DeviceProvider] first.
package dev.verbena.verbs.spi;
