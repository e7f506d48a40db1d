/// Carries plans out: steps of a [dev.verbena.collectives.plan.Plan] become messages on
/// [links][dev.verbena.collectives.link.Link].
///
/// Read [dev.verbena.collectives.run.Run] first.
package dev.verbena.collectives.run;
