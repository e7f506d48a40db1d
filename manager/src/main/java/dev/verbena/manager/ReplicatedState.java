package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import dev.verbena.subnet.state.SubnetState;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/// The state that all managers have: a state machine of Ratis over [SubnetState].
///
/// Ratis applies entries of its log on a thread of its own. A manager that leads has a copy, which
/// follows by the same commands in the same order on the manager's thread.
final class ReplicatedState extends BaseStateMachine {
    /// What a manager that leads has of the state.
    ///
    /// @param state a copy, of the moment
    /// @param more commands that were applied since
    record Copy(SubnetState state, Queue<Batch.Item> more) {}

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final ClientId own;
    private final Runnable news;
    private SubnetState state = new SubnetState();
    private @Nullable Queue<Batch.Item> follower;
    private long unreadable;

    /// @param own who may propose: no one but the manager in this process
    /// @param news runs when commands were applied, or the leader is another one
    ReplicatedState(ClientId own, Runnable news) {
        this.own = own;
        this.news = news;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage directory)
            throws IOException {
        super.initialize(server, group, directory);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            storage.init(directory);
                            load();
                        },
                        IOException.class);
    }

    /// Ratis pauses it before a snapshot of the leader takes its place.
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        load();
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    private synchronized void load() throws IOException {
        SingleFileSnapshotInfo snapshot = storage.loadLatestSnapshot();
        if (snapshot != null) {
            File file = snapshot.getFile().getPath().toFile();
            MD5Hash saved = snapshot.getFile().getFileDigest();
            // A manager that ended between the file and its digest has none; the file is whole.
            if (saved != null && !saved.equals(MD5FileUtil.computeMd5ForFile(file))) {
                throw new IOException(
                        file + " is damaged: remove the store of this manager, and start it again");
            }
            state = StateFile.read(snapshot.getFile().getPath());
            setLastAppliedTermIndex(snapshot.getTermIndex());
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
        return storage.getLatestSnapshot();
    }

    @Override
    public synchronized long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        if (last == null || last.getIndex() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        StateFile.write(file.toPath(), state);
        FileInfo info = new FileInfo(file.toPath(), MD5FileUtil.computeAndSaveMd5ForFile(file));
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(info, last));
        return last.getIndex();
    }

    /// Refuses what did not come from this process: the port of Ratis takes requests of anyone.
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext begun = super.startTransaction(request);
        boolean isOwn = request.getClientId().equals(own);
        if (!isOwn || request.getMessage().getContent().size() > Batch.BYTES_MAX) {
            begun.setException(
                    new IOException(
                            isOwn
                                    ? "an entry of %d bytes: at most %d"
                                            .formatted(
                                                    request.getMessage().getContent().size(),
                                                    Batch.BYTES_MAX)
                                    : "only managers propose commands"));
        }
        return begun;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        synchronized (this) {
            apply(bytes);
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        }
        news.run();
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void apply(byte[] bytes) {
        Batch batch;
        try {
            batch = Batch.parse(bytes);
        } catch (IllegalArgumentException wrong) {
            // All managers pass it over, so that their states stay equal.
            unreadable++;
            return;
        }
        for (Batch.Item item : batch.items()) {
            state.apply(item.command());
            if (follower != null) {
                follower.add(item);
            }
        }
    }

    /// A copy of the state that commands applied from now on belong to, instead of an earlier one.
    synchronized Copy copy() {
        SubnetState copy = new SubnetState();
        for (Command command : state.commands()) {
            copy.apply(command);
        }
        Queue<Batch.Item> more = new ConcurrentLinkedQueue<>();
        follower = more;
        return new Copy(copy, more);
    }

    /// No copy follows any more.
    synchronized void release() {
        follower = null;
    }

    /// The commands that make an empty state equal to this one.
    synchronized List<Command> commands() {
        return new ArrayList<>(state.commands());
    }

    /// Entries of the log that no manager could read.
    synchronized long unreadable() {
        return unreadable;
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        news.run();
    }

    @Override
    public void notifyLeaderReady() {
        news.run();
    }
}
