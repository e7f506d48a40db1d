/// Types of elements, and what a reduction does with two of them. Arithmetic over native memory,
/// and nothing else.
package dev.verbena.collectives.element;
