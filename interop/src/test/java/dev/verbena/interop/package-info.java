/// What we write, other programs read: captures of ours, compared field by field with what tshark
/// prints of them. Read [dev.verbena.interop.TsharkTest] first.
@NullMarked
package dev.verbena.interop;

import org.jspecify.annotations.NullMarked;
