/// The RDMA verbs for Java programs, the same over every fabric.
///
/// Start with [dev.verbena.verbs.Devices], which opens a [dev.verbena.verbs.Device]; all other
/// objects are created from the device. Programs post work with [dev.verbena.verbs.SendBatch] and
/// [dev.verbena.verbs.ReceiveBatch], and get the results from a
/// [dev.verbena.verbs.CompletionQueue].
///
/// Errors of the peer or of the network are a [dev.verbena.verbs.CompletionStatus]; mistakes of the
/// caller are a [dev.verbena.verbs.VerbsException]; a full queue is the result `false`.
package dev.verbena.verbs;
