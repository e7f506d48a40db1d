package dev.verbena.ibverbs;

import dev.verbena.verbs.CompletedOperation;
import dev.verbena.verbs.Completion;
import dev.verbena.verbs.CompletionStatus;
import dev.verbena.verbs.spi.ObjectNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// The cursor of a completion queue: shows a `struct ibv_wc`.
final class IbvCompletion implements Completion {
    private static final int FIRST_RECEIVE = 128;
    private static final CompletedOperation[] OPERATIONS = operations();
    private static final CompletionStatus[] STATUSES = statuses();

    /// The current completion, copied: other threads may fetch the next ones.
    private final MemorySegment memory = Arena.ofAuto().allocate(Structs.Wc.SIZE, Structs.POINTER);

    private final long at = memory.address();

    private final Owners owners;
    private final boolean isRxe;
    private long id;

    IbvCompletion(Owners owners, boolean isRxe) {
        this.owners = owners;
        this.isRxe = isRxe;
    }

    private static CompletedOperation[] operations() {
        CompletedOperation[] byCode = new CompletedOperation[FIRST_RECEIVE + 2];
        Arrays.fill(byCode, CompletedOperation.SEND);
        for (CompletedOperation operation : CompletedOperation.values()) {
            byCode[operation.code()] = operation;
        }
        return byCode;
    }

    private static CompletionStatus[] statuses() {
        CompletionStatus[] byCode = new CompletionStatus[32];
        for (int code = 0; code < byCode.length; code++) {
            byCode[code] = CompletionStatus.of(code);
        }
        return byCode;
    }

    /// Shows the completion and ends its request; false when the program must not see it: its
    /// request no longer exists, or was signaled only for this provider.
    boolean show(long completion) {
        Memory.copy(completion, at, Structs.Wc.SIZE);
        long number = Memory.getLong(at + Structs.Wc.ID);
        Requests requests = owners.find(number);
        if (requests == null) {
            return false;
        }
        int place = Requests.placeOf(number);
        id = requests.id(place);
        Object companion = requests.companion(place);
        // The queue may have been reset, and the place be that of a new request by now.
        VarHandle.acquireFence();
        if (owners.find(number) == null) {
            return false;
        }
        if (Memory.getInt(at + Structs.Wc.STATUS) != 0 && companion instanceof WindowBind bind) {
            bind.failed();
        }
        requests.retire(place);
        return !Requests.isSilent(number) || Memory.getInt(at + Structs.Wc.STATUS) != 0;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public CompletionStatus status() {
        return STATUSES[Memory.getInt(at + Structs.Wc.STATUS) & 31];
    }

    @Override
    public CompletedOperation operation() {
        int code = Memory.getInt(at + Structs.Wc.OPCODE);
        return code < 0 || code >= OPERATIONS.length ? CompletedOperation.SEND : OPERATIONS[code];
    }

    private boolean isReceive() {
        return Memory.getInt(at + Structs.Wc.OPCODE) >= FIRST_RECEIVE;
    }

    @Override
    public long byteLength() {
        return movesBytes()
                ? Integer.toUnsignedLong(Memory.getInt(at + Structs.Wc.BYTE_LENGTH))
                : 0;
    }

    /// Devices leave any value in the length of operations that move no bytes.
    private boolean movesBytes() {
        return switch (operation()) {
            case BIND_WINDOW, LOCAL_INVALIDATE -> false;
            default -> true;
        };
    }

    @Override
    public int queuePair() {
        return Memory.getInt(at + Structs.Wc.QP);
    }

    @Override
    public boolean hasImmediate() {
        return isReceive() && has(Structs.Wc.WITH_IMMEDIATE);
    }

    @Override
    public int immediate() {
        return hasImmediate() ? Integer.reverseBytes(Memory.getInt(at + Structs.Wc.IMMEDIATE)) : 0;
    }

    @Override
    public boolean hasInvalidatedKey() {
        return isReceive()
                && (has(Structs.Wc.WITH_INVALIDATE)
                        || (isRxe && has(Structs.Wc.KERNEL_INVALIDATE)));
    }

    @Override
    public int invalidatedKey() {
        return hasInvalidatedKey() ? Memory.getInt(at + Structs.Wc.IMMEDIATE) : 0;
    }

    /// libibverbs does not report it.
    @Override
    public boolean isSolicited() {
        return false;
    }

    @Override
    public int sourceQueuePair() {
        return isReceive() ? Memory.getInt(at + Structs.Wc.SOURCE_QP) : 0;
    }

    @Override
    public int sourceLid() {
        return isReceive() ? Memory.getShort(at + Structs.Wc.SOURCE_LID) : 0;
    }

    @Override
    public int serviceLevel() {
        return isReceive() ? Memory.getByte(at + Structs.Wc.SERVICE_LEVEL) : 0;
    }

    @Override
    public boolean hasGlobalHeader() {
        return isReceive() && has(Structs.Wc.GRH);
    }

    @Override
    public int vendorError() {
        return status() == CompletionStatus.SUCCESS
                ? 0
                : Memory.getInt(at + Structs.Wc.VENDOR_ERROR);
    }

    private boolean has(int flag) {
        return (Memory.getInt(at + Structs.Wc.FLAGS) & flag) != 0;
    }

    @Override
    public String toString() {
        assert memory.scope().isAlive();
        return ObjectNames.completion(this);
    }
}
