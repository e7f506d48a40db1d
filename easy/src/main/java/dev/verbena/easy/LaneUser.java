package dev.verbena.easy;

/// Takes the reports of a [Lane], from the lane's thread.
interface LaneUser {
    void sent(int slot);

    /// A frame is at a place, which is the user's until [Lane#receive].
    void arrived(int slot, long bytes);

    /// The lane has ended; nothing else is reported.
    void failed(ChannelException why);
}
