package dev.verbena.easy;

import java.lang.foreign.MemorySegment;

/// What moves the frames of a channel: a queue pair, or a socket.
///
/// It reports by [LaneUser]. Except [#end], calls come with the channel's lock held, and none
/// waits.
interface Lane {
    /// The memory that [Slab] divides.
    MemorySegment memory();

    /// Sends the frame at a place; the place is the lane's until [LaneUser#sent].
    void send(int slot, int bytes);

    /// The place may take a message again.
    void receive(int slot);

    /// The peer's address.
    String peer();

    /// Ends all of it; no report comes afterwards. Called once, without the channel's lock.
    void end();
}
