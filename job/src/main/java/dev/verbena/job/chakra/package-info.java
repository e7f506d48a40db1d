/// Execution traces of MLCommons Chakra.
///
/// Read [dev.verbena.job.chakra.ChakraTrace] first: it makes a job of the files of all ranks. A
/// file is a stream of protobuf messages, which a small reader of our own takes apart; it knows the
/// fields that a simulation needs and skips the others. The readers open no file.
package dev.verbena.job.chakra;
