/// Scenarios: a fabric, its traffic, what goes wrong, and what must hold. Begin with [Scenario].
package dev.verbena.scenario;
