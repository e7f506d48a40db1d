package dev.verbena.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Address;
import dev.verbena.verbs.ConnectionFailedException.Reason;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QueuePairState;
import dev.verbena.verbs.WrongStateException;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Rules for peers: ports, addresses, attributes, and the words for a failed connection.
class ConnectionRulesTest {
    private static final Gid PEER = Gid.parse("192.0.2.10");

    /// A port with two partition keys, an MTU of 1024 and three GIDs.
    @ParameterizedTest
    @CsvSource({"0, 1", "65536, 1", "1, 0"})
    void aPortHasSixteenBitsAndABacklog(int port, int backlog) {
        ConnectionRules.requirePort("dev", 65535, 1);
        assertThatThrownBy(() -> ConnectionRules.requirePort("dev", port, backlog))
                .hasMessage(
                        "dev: port %d with a backlog of %d; use port 1 to 65535 and a backlog of at"
                                + " least 1",
                        port, backlog);
    }

    @Test
    void privateDataHasALargestLength() {
        ConnectionRules.requireData("dev", 56, 56);
        assertThatThrownBy(() -> ConnectionRules.requireData("dev", 57, 56))
                .hasMessage(
                        "dev: 57 bytes of private data; send at most 56 along, and the rest later");
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void everyReasonHasWords(Reason reason) {
        boolean isOurs = reason == Reason.NO_ANSWER || reason == Reason.OTHER;
        assertThat(ConnectionRefusals.ofConnection(reason, "mine").equals("mine"))
                .isEqualTo(isOurs);
        assertThat(ConnectionRefusals.ofQuestion(reason, "mine").equals("mine"))
                .isEqualTo(isOurs || reason == Reason.STALE);
    }

    @Test
    void anAddressFitsThePort() {
        Address address = Address.to(PEER);
        AddressRules.requireWay("pd", LinkLayer.ETHERNET, address, 1);
        assertThatThrownBy(() -> AddressRules.requireWay("pd", LinkLayer.INFINIBAND, address, 1))
                .hasMessageContaining("no way without a lid");
        Address nowhere = address.withGid(Gid.NONE);
        assertThatThrownBy(() -> AddressRules.requireWay("pd", LinkLayer.ETHERNET, nowhere, 1))
                .hasMessageContaining("no way without a gid");
        assertThatThrownBy(() -> AddressRules.requireSource("pd", address, 0))
                .hasMessage("pd: the port has no gid at index 0; use 0 to -1");
        Gid other = Gid.parse("fe80::1");
        AddressRules.requireSameVersion("pd", LinkLayer.INFINIBAND, other, PEER);
        AddressRules.requireSameVersion("pd", LinkLayer.ETHERNET, other, Gid.parse("224.0.0.1"));
        assertThatThrownBy(
                        () ->
                                AddressRules.requireSameVersion(
                                        "pd", LinkLayer.ETHERNET, other, PEER))
                .hasMessageContaining("fe80::1 and 192.0.2.10 are of different IP versions");
    }

    @ParameterizedTest
    @EnumSource(QueuePairState.class)
    void aStateTakesItsRequests(QueuePairState state) {
        var problems = EnumSet.noneOf(WorkKind.class);
        try {
            StateRules.requireSends("qp", state);
        } catch (WrongStateException refused) {
            assertThat(refused).hasMessageContaining(state.symbol() + " and cannot send");
            problems.add(WorkKind.SEND);
        }
        try {
            StateRules.requireReceives("qp", state);
        } catch (WrongStateException refused) {
            assertThat(refused).hasMessageContaining(state.symbol() + " and cannot receive");
            problems.add(WorkKind.RECEIVE);
        }
        assertThat(problems.contains(WorkKind.SEND)).isEqualTo(!state.takesSends());
        assertThat(problems.contains(WorkKind.RECEIVE)).isEqualTo(!state.takesReceives());
    }
}
