/// Tests of the scripts that run the stages of CI.
///
/// [dev.verbena.testkit.ci.StageTest] is the one to read.
package dev.verbena.testkit.ci;
