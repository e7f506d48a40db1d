/// Services without acknowledgements: unreliable connections, datagrams, multicast groups.
package dev.verbena.transport.datagram;
