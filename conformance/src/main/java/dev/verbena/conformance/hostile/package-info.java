/// Programs that do what they must not, or have bad luck: a seeded campaign for every provider.
///
/// An episode opens two devices, lets a few threads do random things with them, most of them
/// useful, some forbidden, and then looks at what is left: see [HostileCampaign].
@NullMarked
package dev.verbena.conformance.hostile;

import org.jspecify.annotations.NullMarked;
