/// `verbena plan`: which switches and cables a fabric needs, as text, JSON, markdown and a picture.
///
/// Read [dev.verbena.cli.plan.PlanReport] first: it turns a [dev.verbena.plan.Plan] into sections
/// of rows, each with a key, a text and a value. The three printers show these, so that the JSON
/// has every figure of the text.
package dev.verbena.cli.plan;
