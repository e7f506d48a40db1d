package dev.verbena.manager;

import dev.verbena.subnet.state.Command;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.TimeDuration;

/// The part of one manager in the log of all: a server of Ratis.
final class Replica implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    /// Entries after which the state is written as a whole and the log before it is dropped.
    private static final long SNAPSHOT_ENTRIES = 4096;

    private static final int SNAPSHOTS = 2;
    private static final RaftGroupId GROUP =
            RaftGroupId.valueOf(
                    UUID.nameUUIDFromBytes(
                            "verbena subnet managers".getBytes(StandardCharsets.UTF_8)));

    private final RaftPeerId id;
    private final int majority;
    private final long timeoutMs;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final ReplicatedState state;
    private final RaftServer server;

    /// @param id of this manager among the members
    /// @param listen the port of its own socket; 0: the one that others know
    /// @param store a directory of its own, made if it is not there
    /// @param timeoutMs without word of the leader after which another is elected, at least
    /// @param news runs when commands were applied, or the leader is another one
    Replica(List<Member> members, String id, int listen, Path store, long timeoutMs, Runnable news)
            throws IOException {
        this(members, id, listen, store, timeoutMs, _ -> {}, news);
    }

    /// The same with other settings of Ratis.
    Replica(
            List<Member> members,
            String id,
            int listen,
            Path store,
            long timeoutMs,
            Consumer<RaftProperties> changes,
            Runnable news)
            throws IOException {
        this.id = RaftPeerId.valueOf(id);
        this.timeoutMs = timeoutMs;
        majority = members.size() / 2 + 1;
        state = new ReplicatedState(client, news);
        Member own =
                members.stream()
                        .filter(it -> it.id().equals(id))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "%s is none of the managers: name it in both places"
                                                        .formatted(id)));
        Files.createDirectories(store);
        RaftProperties properties = properties(own, listen, store, timeoutMs);
        changes.accept(properties);
        boolean isKnown = Files.isDirectory(store.resolve(GROUP.getUuid().toString()));
        server =
                RaftServer.newBuilder()
                        .setServerId(this.id)
                        .setGroup(RaftGroup.valueOf(GROUP, peers(members)))
                        .setStateMachine(state)
                        .setProperties(properties)
                        .setOption(isKnown ? StartupOption.RECOVER : StartupOption.FORMAT)
                        .build();
    }

    private static List<RaftPeer> peers(List<Member> members) {
        return members.stream()
                .map(it -> RaftPeer.newBuilder().setId(it.id()).setAddress(it.address()).build())
                .toList();
    }

    private static RaftProperties properties(Member own, int listen, Path store, long timeoutMs) {
        RaftProperties all = new RaftProperties();
        all.set("raft.rpc.type", SupportedRpcType.NETTY.name());
        all.set("raft.netty.server.host", own.host());
        all.set("raft.netty.server.port", Integer.toString(listen == 0 ? own.port() : listen));
        RaftServerConfigKeys.setStorageDir(all, List.of(store.toFile()));
        RaftServerConfigKeys.Rpc.setTimeoutMin(all, ms(timeoutMs));
        RaftServerConfigKeys.Rpc.setTimeoutMax(all, ms(2 * timeoutMs));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(all, ms(timeoutMs));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(all, ms(2 * timeoutMs));
        RaftServerConfigKeys.Rpc.setRequestTimeout(all, ms(4 * timeoutMs));
        RaftServerConfigKeys.LeaderElection.setPreVote(all, true);
        // A leader that lost its majority for a moment may be the only one that can be elected.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(all, ms(2 * timeoutMs));
        // A process that was stopped for a time goes on as a standby.
        RaftServerConfigKeys.setCloseThreshold(all, TimeDuration.valueOf(1, TimeUnit.DAYS));
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(all, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(all, SNAPSHOT_ENTRIES);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(all, SNAPSHOTS);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, true);
        return all;
    }

    private static TimeDuration ms(long count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }

    void start() throws IOException {
        server.start();
    }

    /// Until when this manager may act as the leader: a majority has heard it a short time ago. By
    /// the clock `System.nanoTime`; in the past if it does not lead.
    ///
    /// The others elect a leader only after [#timeoutMs] without word, so that two leaders overlap
    /// for moments only; what one writes in them nodes refuse, by their M_Key.
    long leaseEndNs() throws IOException {
        if (server.getLifeCycleState().isClosingOrClosed()) {
            throw new IOException("its log was closed, see messages of Ratis: start it again");
        }
        long nowNs = System.nanoTime();
        DivisionInfo info = server.getDivision(GROUP).getInfo();
        if (!info.isLeader() || !info.isLeaderReady()) {
            return nowNs - 1;
        }
        long[] agesMs =
                info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                        .mapToLong(ServerRpcProto::getLastRpcElapsedTimeMs)
                        .sorted()
                        .toArray();
        if (agesMs.length < majority - 1) {
            return nowNs - 1;
        }
        long ageMs = majority == 1 ? 0 : agesMs[majority - 2];
        return nowNs + (timeoutMs - ageMs) * NS_PER_MS;
    }

    /// A number for a proposal, which no other of this process has.
    long nextNumber() {
        return calls.incrementAndGet();
    }

    /// Proposes an entry; the reply comes after it was applied here, or when it was not.
    CompletableFuture<RaftClientReply> submit(Batch batch) {
        return submit(client, batch);
    }

    /// The same in the name of any program.
    CompletableFuture<RaftClientReply> submit(ClientId by, Batch batch) {
        try {
            return server.submitClientRequestAsync(
                    RaftClientRequest.newBuilder()
                            .setClientId(by)
                            .setServerId(id)
                            .setGroupId(GROUP)
                            .setCallId(nextNumber())
                            .setMessage(
                                    Message.valueOf(UnsafeByteOperations.unsafeWrap(batch.bytes())))
                            .setType(RaftClientRequest.writeRequestType())
                            .build());
        } catch (IOException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    ReplicatedState.Copy copy() {
        return state.copy();
    }

    void release() {
        state.release();
    }

    List<Command> commands() {
        return state.commands();
    }

    /// Writes the state as a whole, as happens by itself after many entries.
    void takeSnapshot() throws IOException {
        state.takeSnapshot();
    }

    @Override
    public void close() throws IOException {
        try {
            server.close();
        } catch (InterruptedIOException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
