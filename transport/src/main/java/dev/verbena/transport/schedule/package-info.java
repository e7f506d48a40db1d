/// Who sends next, whose deadline comes next, and how fast each may send.
package dev.verbena.transport.schedule;
