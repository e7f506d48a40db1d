/// Rules over the settings of a lossless network: SONiC's `config_db.json`, saved output of host
/// tools, OpenSM's options and partitions.
///
/// Read [dev.verbena.lint.Lint] first. Files become a checked model ([dev.verbena.lint.Scene]), in
/// which each value knows its line; a [dev.verbena.lint.Rule] for each subject looks at the model
/// and reports through [dev.verbena.lint.Findings]. A [dev.verbena.lint.Code] keeps its meaning.
/// Where a rule lacks a value, it reports what it could not judge. No class here opens a file.
package dev.verbena.lint;
