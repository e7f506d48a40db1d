/// Verbena and another implementation, cell by cell: what one side asks of the other, by which
/// service, under which conditions, and what both must see.
///
/// A cell is a script over two [dev.verbena.interop.matrix.Side]s, one that requests and one that
/// responds. Which of them is ours is none of its business, so every cell is played both ways; and
/// between two of ours, which is how the scripts themselves are tested. Read
/// [dev.verbena.interop.matrix.Cells] first.
@NullMarked
package dev.verbena.interop.matrix;

import org.jspecify.annotations.NullMarked;
