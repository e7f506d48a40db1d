/// `verbena lint`: settings of switches, hosts and subnet managers, checked in files.
///
/// The rules are in [dev.verbena.lint]. Here are the command, which reads the files, and the forms
/// of its result: text, JSON, and SARIF for code hosts.
package dev.verbena.cli.lint;
