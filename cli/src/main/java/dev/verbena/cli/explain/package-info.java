/// `verbena explain`: a failed completion, or a failed call, as a tree of causes.
///
/// [dev.verbena.cli.explain.Question] makes out what is asked, even from a pasted line of a log;
/// [dev.verbena.cli.explain.Explanation] is the answer. What is known of each status is in
/// [dev.verbena.cli.explain.LocalCauses] and [dev.verbena.cli.explain.RemoteCauses], of set-up
/// calls in [dev.verbena.cli.explain.Errno], of vendors' codes in
/// [dev.verbena.cli.explain.VendorSyndrome].
package dev.verbena.cli.explain;
