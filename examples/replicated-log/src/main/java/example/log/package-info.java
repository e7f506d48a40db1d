/// A log on one machine with copies on others, kept by RDMA WRITEs: the followers' programs do
/// nothing. Read [ReplicatedLog] first.
package example.log;
