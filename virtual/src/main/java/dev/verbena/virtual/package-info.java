/// A network inside one process whose packets are whole RoCE v2 frames, for tests of programs.
///
/// Read [dev.verbena.virtual.VirtualNetwork] first; [dev.verbena.virtual.VirtualProvider] opens the
/// same by URI. Time is virtual, and one seed decides everything that looks like chance: keys and
/// numbers of the devices, and which packets are lost, doubled, overtaken or damaged. The same seed
/// and the same program give the same run, byte for byte.
///
/// It is not a model of any real network: there are no links, no switches, no rates, and a packet
/// takes as long as the settings say. Figures from such runs say nothing about hardware.
///
/// ```text
/// device ─▶ Port ─▶ Wire ─▶ Port ─▶ device
///                    │ Frames: headers, ICRC
///                    │ Fates: what becomes of it
///                    └ the capture, if there is one
/// ```
package dev.verbena.virtual;
