/// Collective operations as flows: what each connection sends has a rate, and no packet moves.
///
/// Read [dev.verbena.job.flow.FlowRun] first. Plans, steps and links are those of the packet level
/// ([dev.verbena.job.RankRun]); queues, losses and congestion control are not there.
package dev.verbena.job.flow;
