/// Seeds and proofs that every module's tests share. Read [dev.verbena.testkit.Seed] first.
package dev.verbena.testkit;
