package dev.verbena.fabric;

/// Congestion control in a whole fabric. All are 0 where switches do not mark, as in InfiniBand.
///
/// @param marked packets that switches marked with congestion experienced
/// @param noticesSent congestion notification packets (CNPs) that receivers sent
/// @param noticesReceived CNPs that arrived at senders
public record CongestionCounts(long marked, long noticesSent, long noticesReceived) {}
