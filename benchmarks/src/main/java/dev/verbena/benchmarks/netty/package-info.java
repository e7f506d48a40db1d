/// Netty over RDMA beside Netty over TCP, on one machine: the same program with three transports.
///
/// Every figure is a line of a log, and the page is written from the log alone. Each figure comes
/// from a process of its own, and the transports take turns. Read [NettyBench] first.
@NullMarked
package dev.verbena.benchmarks.netty;

import org.jspecify.annotations.NullMarked;
