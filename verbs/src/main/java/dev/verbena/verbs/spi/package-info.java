/// The interface that a fabric implements so that [dev.verbena.verbs.Devices] finds it. Programs do
/// not need this package; read [dev.verbena.verbs.spi.DeviceProvider] first.
package dev.verbena.verbs.spi;
