/// The `verbena` command and its subcommands.
///
/// Not an API: programs use the modules below. Read [dev.verbena.cli.Main] first;
/// [dev.verbena.cli.ErrorLine] prints errors. [dev.verbena.cli.DecodeCommand] reads captures,
/// [dev.verbena.cli.CapturedFrame] parses one frame, [dev.verbena.cli.FrameText] and
/// [dev.verbena.cli.FrameJson] print it, and [dev.verbena.cli.FlowTable] sums frames up by flow.
/// [dev.verbena.cli.PerfCommand] measures: [dev.verbena.cli.PerfOptions] are the options of a test,
/// [dev.verbena.cli.PerfEnd] has the objects of one side, [dev.verbena.cli.PerfSide] is one step of
/// it, [dev.verbena.cli.PerfSession] the loop around the steps, [dev.verbena.cli.PerfExchange] the
/// control connection, and [dev.verbena.cli.PerfTable] the result. [dev.verbena.cli.SimCommand]
/// simulates, and [dev.verbena.cli.SimResult] prints the result. [dev.verbena.cli.PingpongRun] is
/// compatible with libibverbs' pingpong programs, and [dev.verbena.cli.DevinfoText] prints in the
/// form of `ibv_devinfo`. `doctor` and `explain` are packages of their own.
package dev.verbena.cli;
