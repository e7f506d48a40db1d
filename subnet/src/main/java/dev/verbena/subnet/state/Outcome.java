package dev.verbena.subnet.state;

import dev.verbena.wire.Gid;
import java.util.List;

/// What a command has done.
///
/// @param status 0, or a status of subnet administration for which nothing was changed
/// @param group the group of a join or leave; zero for other commands
/// @param events groups that came and went
/// @param groupLids multicast LIDs whose members are others now
public record Outcome(int status, Gid group, List<GroupEvent> events, List<Integer> groupLids) {
    static final Outcome DONE = refused(0);

    static Outcome refused(int status) {
        return new Outcome(status, Gid.ZERO, List.of(), List.of());
    }

    public boolean isDone() {
        return status == 0;
    }

    /// A group was created or deleted.
    public record GroupEvent(boolean isCreated, Gid group) {}
}
