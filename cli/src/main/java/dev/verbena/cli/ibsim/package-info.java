/// `verbena ibsim`: a simulated subnet for the programs of OpenSM and infiniband-diags, by the
/// protocol of ibsim.
///
/// Read [dev.verbena.cli.ibsim.IbsimServer] first. The layouts of the messages are in
/// [dev.verbena.cli.ibsim.ControlMessage] and [dev.verbena.cli.ibsim.DataMessage].
package dev.verbena.cli.ibsim;
