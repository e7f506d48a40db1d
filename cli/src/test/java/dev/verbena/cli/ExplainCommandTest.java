package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
    private static final Pattern DOCTORS_CODE = Pattern.compile("VD[0-9]{3}");

    @Test
    void aPastedLogLineIsTheSameQuestionAsItsTwoNumbers() {
        String log = "NET/IB : Got completion with error 12, opcode 0, len 0, vendor err 129";
        assertThat(Command.run((Object[]) ("explain " + log).split(" ", -1)).out())
                .startsWith("RETRY_EXCEEDED  12  IBV_WC_RETRY_EXC_ERR\n")
                .isEqualTo(Command.run("explain", "12/129").out());
    }

    @Test
    void everyCodeOfTheDoctorThatIsNamedExists() {
        String codes = Command.run("doctor", "--list").out();
        String list = Command.run("explain", "--list").out();
        int named = 0;
        for (String line : list.lines().filter(it -> !it.isEmpty()).toList()) {
            String name = line.strip().split("\\s+", -1)[1];
            Command command = Command.run("explain", name);
            assertThat(command.status()).as(name).isZero();
            Matcher matcher = DOCTORS_CODE.matcher(command.out());
            while (matcher.find()) {
                assertThat(codes).contains(matcher.group());
                named++;
            }
        }
        assertThat(named).isGreaterThan(10);
    }

    @Test
    void jsonIsOneObject() {
        assertThat(Command.run("explain", "--json", "10/136").out())
                .startsWith("{\"name\":\"REMOTE_ACCESS_ERROR\",\"code\":10,")
                .contains("\"vendor\":\"vendor error 136 (0x88)", "\"look\":", "\"remedy\":")
                .endsWith("}\n");
    }

    @Test
    void aQuestionThatNobodyUnderstandsIsAskedWrongly() {
        Command command = Command.run("explain", "hello");
        assertThat(command.status()).isEqualTo(2);
        assertThat(command.err()).contains("nothing known in 'hello'");
    }
}
