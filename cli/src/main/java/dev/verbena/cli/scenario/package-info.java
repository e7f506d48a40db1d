/// `verbena run` and `verbena init`: scenarios on the command line.
package dev.verbena.cli.scenario;
