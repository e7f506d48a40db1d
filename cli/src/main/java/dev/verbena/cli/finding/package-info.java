/// How commands show what they find: the words and colours of severities, and the sum at the end.
package dev.verbena.cli.finding;
