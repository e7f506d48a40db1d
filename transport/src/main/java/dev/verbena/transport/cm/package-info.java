/// Connection management (IBA 12) as a machine that does no I/O: messages and times go in, messages
/// come out, and users are told what became of their connections.
///
/// Read [dev.verbena.transport.cm.CmMachine] first, then [dev.verbena.transport.cm.CmConnection],
/// which has the states; who serves datagrams is [dev.verbena.transport.cm.SidrTable]'s. Queue
/// pairs are not known here: who uses a connection moves its own.
package dev.verbena.transport.cm;
