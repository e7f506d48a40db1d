/// Small programs over the verbs API for any device: what it costs beside plain C, and what it
/// leaves behind when it is killed.
@NullMarked
package dev.verbena.interop.loop;

import org.jspecify.annotations.NullMarked;
