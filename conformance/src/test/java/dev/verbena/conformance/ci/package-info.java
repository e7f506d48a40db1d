/// Tests of the scripts that run the stages of CI.
///
/// [dev.verbena.conformance.ci.StageTest] is the one to read.
package dev.verbena.conformance.ci;
