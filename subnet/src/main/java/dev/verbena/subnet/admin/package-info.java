/// Subnet administration: answers ports that ask for paths, nodes and groups, join groups, offer
/// services, or want notices.
///
/// ```text
///   request ─▶ Administration ─ a question ─▶ Tables, Paths ─▶ Transfers (RMPP) ─▶ answer
///                     └──────── a change ──▶ Members, Services … ─▶ Command ─▶ SubnetState
///   notice ──▶ Reports ─▶ Report to each subscriber, until it answers
/// ```
///
/// Read [dev.verbena.subnet.admin.Administration] first. It knows the fabric by
/// [dev.verbena.subnet.admin.SubnetView] only. A change is answered after its command was applied.
package dev.verbena.subnet.admin;
