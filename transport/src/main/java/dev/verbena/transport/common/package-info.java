/// What every room uses: settings, counters, events, tables of numbers, the way in for calls of a
/// program, and whether the device is open.
package dev.verbena.transport.common;
