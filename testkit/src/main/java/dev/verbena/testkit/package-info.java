/// Seeds, random choices and waits of tests. Read [dev.verbena.testkit.Seed] first.
package dev.verbena.testkit;
