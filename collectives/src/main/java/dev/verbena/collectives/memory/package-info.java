/// Memory that a rank sends from and receives into.
package dev.verbena.collectives.memory;
