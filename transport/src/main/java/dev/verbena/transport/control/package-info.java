/// Congestion control that can be replaced: the events of a controller and its answers
/// ([CongestionControl]), who makes them ([ControlProvider], found by `ServiceLoader`), and two
/// that come with the transport, `swift` and `nscc`.
///
/// Nothing here knows packets or queue pairs, so that a controller can be tried alone.
package dev.verbena.transport.control;
