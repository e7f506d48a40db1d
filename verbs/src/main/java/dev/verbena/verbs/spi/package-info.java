/// What a fabric implements so that [dev.verbena.verbs.Devices] finds it. Programs need nothing of
/// this package; read [dev.verbena.verbs.spi.DeviceProvider] first.
package dev.verbena.verbs.spi;
