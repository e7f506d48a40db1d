/// A transport for Netty 4.2: [RdmaSocketChannel] and [RdmaServerSocketChannel] behave as Netty's
/// socket channels do and carry their bytes by RDMA, in the streams of `dev.verbena.stream`.
///
/// ```
/// var group = new MultiThreadIoEventLoopGroup(2, RdmaIoHandler.newFactory("roce://192.0.2.1"));
/// new Bootstrap().group(group).channel(RdmaSocketChannel.class) …
/// ```
package dev.verbena.netty;
