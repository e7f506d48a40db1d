/// Vert.x whose HTTP server and client use RDMA below Netty.
package example.vertx;
