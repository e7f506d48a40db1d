/// `verbena doctor`: what stops RDMA on a host, read from its files.
///
/// Read [dev.verbena.cli.doctor.Check] first: there is one for each area. It looks at a
/// [dev.verbena.cli.doctor.Host], which is this machine, a copy of its files or a record of them,
/// and says what it finds as a [dev.verbena.cli.doctor.Finding] with a
/// [dev.verbena.cli.doctor.Code] that never changes its meaning. Nothing here opens a device, sends
/// a packet or changes anything.
package dev.verbena.cli.doctor;
