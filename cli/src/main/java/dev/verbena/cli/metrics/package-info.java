/// Figures of a running program in Prometheus' text format: [MetricText] writes them, a
/// [MetricTarget] shows them at a port or in a file.
@org.jspecify.annotations.NullMarked
package dev.verbena.cli.metrics;
