/// A gRPC service whose client and server use RDMA below Netty.
package example.grpc;
