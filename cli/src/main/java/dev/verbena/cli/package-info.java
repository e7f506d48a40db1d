/// The `verbena` command and its subcommands.
///
/// Not an API: programs use the modules below. Read [dev.verbena.cli.Main] first;
/// [dev.verbena.cli.DecodeCommand] reads captures, [dev.verbena.cli.Frame] takes one frame apart,
/// [dev.verbena.cli.FrameText] and [dev.verbena.cli.FrameJson] show it, and
/// [dev.verbena.cli.FlowTable] adds frames up to flows.
package dev.verbena.cli;
