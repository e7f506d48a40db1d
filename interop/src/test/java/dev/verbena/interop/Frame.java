package dev.verbena.interop;

import dev.verbena.wire.Opcode;
import java.util.Optional;

/// One frame as we read it back from a capture, and what tshark must print of it.
///
/// @param title what it is, for people
/// @param opcode of its BTH, when it has one
record Frame(String title, Optional<Opcode> opcode, Expect expect) {}
