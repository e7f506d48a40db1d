/// Queue pairs 0 and 1: management datagrams between the wire and the agents that are registered
/// for their class.
package dev.verbena.transport.manage;
