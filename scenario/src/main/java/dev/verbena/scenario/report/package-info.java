/// What a run of a scenario gives: lines for a terminal, JSON, an HTML page, JUnit's XML. Begin
/// with [TextReport].
package dev.verbena.scenario.report;
