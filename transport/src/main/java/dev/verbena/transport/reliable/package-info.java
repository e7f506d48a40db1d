/// Reliable connections: what to send, what an answer means, what a request does, and recovery from
/// loss.
///
/// ```
/// send queue ─▶ Requester ─▶ carrier         carrier ─▶ Completer ─▶ Requester ─▶ completions
///                   ▲ LossRecovery           carrier ─▶ Responder ─▶ ResponseQueue ─▶ carrier
/// ```
package dev.verbena.transport.reliable;
