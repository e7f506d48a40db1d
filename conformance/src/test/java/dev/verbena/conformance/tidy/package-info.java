/// The house rules that the compiler does not check, as one cheap test over the source tree.
///
/// Everything is read from source text and parsed, never compiled, because these tests run before
/// most modules are built. Read `Tidy` first: it lists the rules.
package dev.verbena.conformance.tidy;
