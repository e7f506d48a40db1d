/// Two scenarios with the same work, held against each other. Begin with [Comparison].
package dev.verbena.scenario.compare;
