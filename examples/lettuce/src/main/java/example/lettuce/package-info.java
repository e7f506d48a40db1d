/// Lettuce over RDMA; begin at [example.lettuce.RdmaRedisClient].
package example.lettuce;
