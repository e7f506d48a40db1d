/// Plans of fabrics, made without a simulation.
///
/// Read [dev.verbena.plan.Plan] first: it is made of [dev.verbena.plan.Inputs] and a
/// [dev.verbena.plan.Catalog], and has a [dev.verbena.plan.FabricPlan] for each kind of network.
/// [dev.verbena.plan.Sizing] decides how many switches there are, [dev.verbena.plan.Cabling] says
/// which port leads where, and [dev.verbena.plan.PlanPicture] draws it. Every figure of a product
/// is a [dev.verbena.plan.Figure] with its source; what no source says is missing by name.
package dev.verbena.plan;
