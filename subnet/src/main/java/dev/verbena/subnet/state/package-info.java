/// What a subnet manager must not forget: LIDs, multicast groups, services, subscriptions and
/// partitions.
///
/// [dev.verbena.subnet.state.SubnetState] is a state machine without a clock and without chance: it
/// changes by [dev.verbena.subnet.state.Command] only, and the same commands in the same order give
/// the same state. A command has bytes, so that several managers can keep one log of them. All that
/// follows from the state and the fabric, as forwarding tables do, is not here.
package dev.verbena.subnet.state;
