package dev.verbena.verbs.spi;

import static dev.verbena.verbs.spi.WorkKind.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.DatagramHeader;
import dev.verbena.verbs.InvalidRequestException;
import dev.verbena.verbs.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The first value that a rule refuses, the last that it takes, and its message.
class WorkRulesTest {
    private static final String WHO = "qp 0x1a";
    private static final int ALL = -1;

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(WHO + ", " + message);
    }

    private static void local(WorkKind kind, int rights, long offset, long length) {
        WorkRules.requireLocal(WHO, kind, "region 3", 100, rights, offset, length);
    }

    @Test
    void localMemoryIsInsideTheRegion() {
        local(SEND, 0, 0, 100);
        local(SEND, 0, 100, 0);
        refused(
                "SEND: no bytes 1 to 101 in region 3; stay inside the region",
                () -> local(SEND, 0, 1, 100));
        refused(
                "WRITE: no bytes -1 to 0 in region 3; stay inside the region",
                () -> local(WRITE, 0, -1, 1));
        refused(
                "READ: no bytes 1 to 0 in region 3; stay inside the region",
                () -> local(READ, ALL, 1, -1));
        assertThatThrownBy(() -> local(SEND, 0, Long.MAX_VALUE, 1)).hasMessageContaining("inside");
    }

    @Test
    void memoryThatTheDeviceFillsIsWritable() {
        local(RECEIVE, Access.LOCAL_WRITE.bit(), 0, 1);
        refused(
                "receive: region 3 may not be written; give it LOCAL_WRITE",
                () -> local(RECEIVE, ALL ^ Access.LOCAL_WRITE.bit(), 0, 1));
        refused("bind: it moves no bytes; leave local() out", () -> local(BIND_WINDOW, ALL, 0, 1));
    }

    @Test
    void aMessageHasALargestSize() {
        WorkRules.requireMessage(WHO, SEND, 60, 40, 100);
        refused(
                "SEND: a message of more than 100 bytes; split it",
                () -> WorkRules.requireMessage(WHO, SEND, 60, 41, 100));
        assertThat(WorkRules.mostBytes(SEND, QueuePairType.UD, 1024, 9000)).isEqualTo(1024);
        assertThat(WorkRules.mostBytes(RECEIVE, QueuePairType.UD, 1024, 9000)).isEqualTo(9000);
        assertThat(WorkRules.mostBytes(FETCH_ADD, QueuePairType.RC, 1024, 9000)).isEqualTo(8);
        assertThat(WorkRules.mostBytes(READ, QueuePairType.RC, 1024, 9000)).isEqualTo(9000);
    }

    @Test
    void anAnsweredRequestNeedsAReadAndAnAtomicEightBytes() {
        WorkRules.requireAnswerable(WHO, READ, 1, 0, 0);
        WorkRules.requireAnswerable(WHO, FETCH_ADD, 1, 8, 1);
        refused(
                "READ: the queue pair may have no READ or atomic in flight;"
                        + " connect with readsAsInitiator above 0",
                () -> WorkRules.requireAnswerable(WHO, READ, 0, 8, 1));
        refused(
                "fetch and add: 8 bytes for the old value;"
                        + " name eight bytes in one piece with local()",
                () -> WorkRules.requireAnswerable(WHO, FETCH_ADD, 1, 8, 2));
        assertThatThrownBy(() -> WorkRules.requireAnswerable(WHO, COMPARE_SWAP, 1, 7, 1))
                .hasMessageContaining("7 bytes");
    }

    private static void inline(WorkKind kind, boolean hasBytes, MemorySegment from, long length) {
        InlineRules.check(WHO, kind, 16, hasBytes, from, 0, length);
    }

    @Test
    void inlineBytesAreFewAndReadable() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(17);
            inline(SEND, false, from, 16);
            refused(
                    "SEND: 17 bytes are too many to be inline;"
                            + " use one inline() of at most 16 bytes, or local()",
                    () -> inline(SEND, false, from, 17));
            refused(
                    "SEND: it has other bytes already;"
                            + " use one inline() of at most 16 bytes, or local()",
                    () -> inline(SEND, true, from, 16));
            refused(
                    "READ: it cannot carry bytes inline; name memory with local()",
                    () -> inline(READ, false, from, 16));
            refused(
                    "SEND: no bytes 0 to 5 in the segment; it has 4 bytes",
                    () -> inline(SEND, false, from.asSlice(0, 4), 5));
        }
        MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(4);
        }
        refused(
                "SEND: the arena of the inline bytes is closed; post before closing",
                () -> inline(SEND, false, gone, 4));
    }

    @Test
    void aDatagramHasOneDestinationAndRoomForItsHeader() {
        DatagramRules.requireDestination(WHO, SEND, 0xFF_FFFF, false);
        refused(
                "SEND: no queue pair 16777216; a number has 24 bits",
                () -> DatagramRules.requireDestination(WHO, SEND, 1 << 24, false));
        refused(
                "SEND: it already has a destination; call to() once",
                () -> DatagramRules.requireDestination(WHO, SEND, 1, true));
        refused(
                "SEND: it goes to the queue pair's peer; leave to() out",
                () -> DatagramRules.requireDatagram(WHO, SEND, QueuePairType.RC));
        DatagramRules.requireHeaderRoom(WHO, DatagramHeader.LENGTH);
        refused(
                "receive: 39 bytes for a datagram; its header alone takes 40",
                () -> DatagramRules.requireHeaderRoom(WHO, DatagramHeader.LENGTH - 1));
    }
}
