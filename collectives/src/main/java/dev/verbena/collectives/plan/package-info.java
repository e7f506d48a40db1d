/// What each rank sends and receives in a collective operation: plans, without memory or a network.
///
/// Read [dev.verbena.collectives.plan.Plan] first. A communicator carries a plan out over verbs,
/// the simulator's flow level turns the same plan into flows, and tests carry it out in plain
/// arrays.
package dev.verbena.collectives.plan;
