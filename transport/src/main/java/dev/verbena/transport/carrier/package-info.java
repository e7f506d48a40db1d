/// What a device and its carrier hand each other: packets, paths, time, threads. A carrier is
/// written against this package and [dev.verbena.transport.TransportDevice]; the contract stands
/// there.
package dev.verbena.transport.carrier;
