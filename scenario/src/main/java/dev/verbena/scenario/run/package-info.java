/// Runs scenarios on the simulator that `verbena sim` and `verbena coll` use, and says what a run
/// shows. Begin with [ScenarioRun].
package dev.verbena.scenario.run;
