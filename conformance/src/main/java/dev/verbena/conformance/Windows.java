package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.LocalSlice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.RemoteSlice;

/// The common part of the tests of memory windows: the left side owns and binds, the right side
/// accesses.
final class Windows {
    static final Access[] ALL = {Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};

    private Windows() {}

    /// Memory that only windows open.
    static MemoryRegion region(Side side) {
        return side.domain().allocate(8192, Access.LOCAL_WRITE, Access.WINDOW_BIND);
    }

    /// Binds and waits until that is done.
    static RemoteSlice bind(Side side, MemoryWindow window, LocalSlice to, Access... rights) {
        side.post(batch -> batch.bind(window, to, rights).id(77).signaled());
        Seen done = side.sent().next().succeeded().of(CompletedOperation.BIND_WINDOW, 0);
        assertThat(done.id()).isEqualTo(77);
        return through(window, to);
    }

    /// The slice that a peer reaches through a window.
    static RemoteSlice through(MemoryWindow window, LocalSlice bound) {
        return new RemoteSlice(
                bound.region().address() + bound.offset(), bound.length(), window.remoteKey());
    }

    /// Fails the test unless a peer can write there.
    static void takes(Side peer, RemoteSlice target) {
        peer.post(batch -> batch.write(peer.slice(0, target.length()), target).signaled());
        peer.sent().next().succeeded();
    }

    /// Fails the test unless a peer is refused; its queue pair is lost by that.
    static void refuses(Side peer, RemoteSlice target) {
        peer.fails(
                CompletionStatus.REMOTE_ACCESS_ERROR,
                batch -> batch.write(peer.slice(0, target.length()), target));
    }
}
