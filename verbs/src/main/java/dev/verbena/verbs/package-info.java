/// The RDMA verbs as a Java program sees them, the same over every fabric.
///
/// Start with [dev.verbena.verbs.Devices], which opens a [dev.verbena.verbs.Device]; everything
/// else is made from there. Work goes out through [dev.verbena.verbs.SendBatch] and
/// [dev.verbena.verbs.ReceiveBatch] and comes back through [dev.verbena.verbs.CompletionQueue].
///
/// What the peer or the network does is a [dev.verbena.verbs.CompletionStatus]; what the caller
/// does wrong is a [dev.verbena.verbs.VerbsException]; a full queue is a `false`.
package dev.verbena.verbs;
