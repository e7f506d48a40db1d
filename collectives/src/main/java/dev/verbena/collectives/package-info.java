/// All-reduce and its family over verbs: the same program over sockets, NICs and simulated fabrics.
///
/// It is driven by its caller: no thread, no clock and no socket of its own. It is not a launcher
/// of processes; the command `verbena coll` is.
package dev.verbena.collectives;
