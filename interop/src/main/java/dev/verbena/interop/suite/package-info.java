/// Runs test classes where there is no build: in the guest of the laboratory, or on a host that has
/// the device. [SuiteMain] is the program.
@NullMarked
package dev.verbena.interop.suite;

import org.jspecify.annotations.NullMarked;
