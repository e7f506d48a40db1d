/// The `verbena` command and its subcommands.
///
/// Not an API: programs use the modules below. Read [dev.verbena.cli.Main] first;
/// [dev.verbena.cli.DecodeCommand] reads captures, [dev.verbena.cli.Frame] takes one frame apart,
/// [dev.verbena.cli.FrameText] and [dev.verbena.cli.FrameJson] show it, and
/// [dev.verbena.cli.FlowTable] adds frames up to flows. [dev.verbena.cli.PerfCommand] measures:
/// [dev.verbena.cli.PerfOptions] is what to do, [dev.verbena.cli.PerfEnd] what a side has for it,
/// [dev.verbena.cli.PerfSide] what it does turn by turn, [dev.verbena.cli.PerfSession] the loop
/// around that, [dev.verbena.cli.PerfExchange] the way to the other side, and
/// [dev.verbena.cli.PerfTable] the result. [dev.verbena.cli.PingpongRun] does what libibverbs'
/// pingpong programs do, [dev.verbena.cli.DevinfoText] has `ibv_devinfo`'s look. The doctor and the
/// explainer have packages of their own: `doctor` and `explain`.
package dev.verbena.cli;
