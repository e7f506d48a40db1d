/// Links between ranks: connections made on first use, messages with credits and grants.
///
/// Read [dev.verbena.collectives.link.Link] first. A short message is written into a slot that the
/// receiver has set aside before; a long one goes where the receiver says, once it has said so.
/// Both are WRITEs with immediate data, and [dev.verbena.collectives.link.Signal] is what the
/// immediate data mean.
package dev.verbena.collectives.link;
