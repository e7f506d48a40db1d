package dev.verbena.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberTest {
    @Test
    void readsManagersWithTheirAddresses() {
        assertThat(Member.parse("a=127.0.0.1:7201, b=[::1]:7202"))
                .containsExactly(
                        new Member("a", "127.0.0.1", 7201), new Member("b", "[::1]", 7202));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a=:1",
                "a=h",
                "a=h:0",
                "a=h:65536",
                "a=h:x",
                "A=h:1",
                "../a=h:1",
                "a=h:1,a=h:2",
                "a=h:1,b=h:1",
                "a=h:1,b=h:2,c=h:3,d=h:4,e=h:5,f=h:6,g=h:7,h=h:8"
            })
    void refusesAListThatIsWrong(String text) {
        assertThatThrownBy(() -> Member.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
