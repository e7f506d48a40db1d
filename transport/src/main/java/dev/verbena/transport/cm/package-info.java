/// Connection management (IBA 12) as a machine that does no I/O: messages and times go in, messages
/// come out, and users get the events of their connections.
///
/// Read [dev.verbena.transport.cm.CmMachine] first, then [dev.verbena.transport.cm.CmConnection],
/// which has the states; [dev.verbena.transport.cm.SidrTable] resolves datagram services. Queue
/// pairs are not known here: the user of a connection changes its own queue pair.
package dev.verbena.transport.cm;
