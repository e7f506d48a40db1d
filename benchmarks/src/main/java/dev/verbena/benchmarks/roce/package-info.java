/// The `roce` provider beside others, between two processes: a bare C program that makes the same
/// system calls, UCX, libfabric, iperf3, and a TCP socket in Java.
///
/// Every figure is a line of a log, and the page is written from the log alone. The programs run in
/// turns, so that all of them meet the same moments of a machine that others use too. Read
/// [RoceBench] first.
@NullMarked
package dev.verbena.benchmarks.roce;

import org.jspecify.annotations.NullMarked;
