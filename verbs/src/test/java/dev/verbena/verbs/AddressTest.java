package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ways to groups, and back to where a datagram came from.
class AddressTest {
    private static final Gid SENDER = Gid.parse("2001:db8::7");
    private static final List<Gid> OURS = List.of(Gid.parse("fe80::1"), Gid.parse("2001:db8::8"));

    @Test
    void replyGoesToTheSenderTheWayItCame() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        Headers.ipv6(memory, 8, 0x68, 0xA_BCDE, SENDER, Gid.parse("2001:db8::8"));

        Address reply = Address.replyTo(completion(true, 0, 3), memory, 8, OURS);

        assertThat(reply).isEqualTo(new Address(0, SENDER, 3, 0x68, 0xA_BCDE, 64, 1, 4791));
    }

    @Test
    void replyOverIpv4GoesToAnIpv4Address() {
        MemorySegment memory = MemorySegment.ofArray(new byte[40]);
        Headers.ipv4(memory, 0, 0x20, 0xC000_0201, 0xC000_0202);

        Address reply = Address.replyTo(completion(true, 0, 0), memory, 0, OURS);

        assertThat(reply)
                .isEqualTo(new Address(0, Gid.parse("192.0.2.1"), 0, 0x20, 0, 64, 0, 4791));
    }

    @Test
    void replyWithoutAHeaderGoesByLidAlone() {
        MemorySegment noise = MemorySegment.ofArray(new byte[40]);
        noise.fill((byte) 0x45);

        Address reply = Address.replyTo(completion(false, 0x1234, 5), noise, 0, OURS);

        assertThat(reply).isEqualTo(new Address(0x1234, Gid.NONE, 5, 0, 0, 64, 0, 4791));
    }

    /// The last two bits: not for marking, for marking in two ways, and marked by a switch.
    @ParameterizedTest
    @CsvSource({"0x68, 0x68", "0x69, 0x69", "0x6a, 0x6a", "0x6b, 0x6a", "0x03, 0x02"})
    void replyDoesNotSayThatItMetCongestion(String came, String goes) {
        MemorySegment memory = MemorySegment.ofArray(new byte[40]);
        Headers.ipv6(memory, 0, Integer.decode(came), 0, SENDER, SENDER);

        Address reply = Address.replyTo(completion(true, 0, 0), memory, 0, OURS);

        assertThat(reply.trafficClass()).isEqualTo(Integer.decode(goes));
    }

    @Test
    void groupIsAWayOfItsOwn() {
        Gid group = Gid.parse("239.1.2.3");

        assertThat(Address.multicast(group, 0))
                .isEqualTo(new Address(0, group, 0, 0, 0, 64, 0, 4791));
        assertThat(Address.multicast(Gid.parse("ff12::1"), 0xC001).lid()).isEqualTo(0xC001);
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "fe80::1", "::"})
    void portIsNoGroup(String port) {
        assertThatThrownBy(() -> Address.multicast(Gid.parse(port), 0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("is not a multicast group");
    }

    private static Completion completion(boolean global, int lid, int level) {
        Map<String, Object> answers =
                Map.of("hasGlobalHeader", global, "sourceLid", lid, "serviceLevel", level);
        return (Completion)
                Proxy.newProxyInstance(
                        Completion.class.getClassLoader(),
                        new Class<?>[] {Completion.class},
                        (proxy, method, arguments) -> answers.get(method.getName()));
    }
}
