/// Connections by messages: what programs see of them, what the messages of
/// [dev.verbena.transport.cm] mean for queue pairs, and the queue pair that carries them.
package dev.verbena.transport.connect;
