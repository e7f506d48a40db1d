/// RDMA for programs that want neither buffers nor receives nor polling: messages, requests with
/// deadlines, remote memory.
///
/// Start with [dev.verbena.easy.RdmaNode], which listens and connects. A
/// [dev.verbena.easy.MessageChannel] carries messages and requests; a
/// [dev.verbena.easy.RemoteMemory] reads and writes what the peer exports; a
/// [dev.verbena.easy.VersionedCell] is a value that is never seen half written.
///
/// Everything may be shared between threads. What the peer or the network does is an
/// [java.io.IOException], what the caller does wrong is a [dev.verbena.verbs.VerbsException]. It is
/// no faster than verbs: messages are copied once on each side. Programs that need every
/// microsecond use verbs.
package dev.verbena.easy;
