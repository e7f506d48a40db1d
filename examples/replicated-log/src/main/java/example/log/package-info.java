/// A log on one machine with copies on others, kept by RDMA WRITEs: the followers' programs have no
/// part in it. Read [ReplicatedLog] first.
package example.log;
