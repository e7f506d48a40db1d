/// Management datagrams (IBA 13.4): the common header, names for people, the connection-management
/// messages, and the attributes of subnet management, subnet administration and performance
/// management, byte for byte.
///
/// Read [dev.verbena.wire.mad.Mad] first, then [dev.verbena.wire.mad.CmMessage] for connections and
/// [dev.verbena.wire.mad.Smp] for subnets. Everywhere in this package `at` is the first byte of the
/// 256-byte datagram, except for the parts that say otherwise ([dev.verbena.wire.mad.CmPath],
/// [dev.verbena.wire.mad.RdmaCmHeader], `Payload`); the byte tables of connection-management
/// messages count from the end of the common header, as IBA's do. A receiver asks `check` once,
/// after which no accessor and no `parse` can fail. No connection's state lives here.
package dev.verbena.wire.mad;
