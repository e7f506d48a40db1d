/// What all queue pairs have, whatever their service: settings and state, packets of requests,
/// messages on their way in, reports of finished work, the reaction to congestion.
package dev.verbena.transport.pair;
