/// Reads scenarios from YAML; a problem has its line, its column and a remedy. Begin with
/// [ScenarioReader].
package dev.verbena.scenario.read;
