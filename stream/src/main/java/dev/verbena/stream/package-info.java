/// Byte streams over reliable connections: what TCP gives a program, by RDMA.
///
/// The bytes on the wire are those of rsocket, the stream of librdmacm, so that C programs which
/// use it are peers. [ByteStream] is the stream without waiting: it moves when its [StreamGroup] is
/// driven, by one thread at a time. [StreamSocket] and [StreamServer] wait, and may be shared
/// between threads. Begin with [StreamSocket].
package dev.verbena.stream;
