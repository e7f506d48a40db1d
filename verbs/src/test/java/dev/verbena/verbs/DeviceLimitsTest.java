package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceLimitsTest {
    /// Each limit gets a value of its own, so that two that are swapped are found.
    private static final int FIRST = 100;

    private static List<Method> setters() {
        return Arrays.stream(DeviceLimitsBuilder.class.getMethods())
                .filter(it -> it.getReturnType() == DeviceLimitsBuilder.class)
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .toList();
    }

    private static void set(DeviceLimitsBuilder builder, Method setter, int value)
            throws ReflectiveOperationException {
        if (setter.getParameterTypes()[0] == long.class) {
            setter.invoke(builder, (long) value);
        } else {
            setter.invoke(builder, value);
        }
    }

    private static DeviceLimitsBuilder allBut(String skipped) throws ReflectiveOperationException {
        DeviceLimitsBuilder builder = DeviceLimits.builder();
        int value = FIRST;
        for (Method setter : setters()) {
            if (!setter.getName().equals(skipped)) {
                set(builder, setter, value);
            }
            value++;
        }
        return builder;
    }

    @Test
    void everyLimitIsReadBackUnderItsName() throws ReflectiveOperationException {
        DeviceLimits limits = allBut("none").build();
        DeviceLimits copy = limits.toBuilder().build();
        long value = FIRST;
        assertThat(setters()).hasSize(18);
        for (Method setter : setters()) {
            Method reader = DeviceLimits.class.getMethod(setter.getName());
            assertThat(((Number) reader.invoke(limits)).longValue()).isEqualTo(value);
            assertThat(((Number) reader.invoke(copy)).longValue()).isEqualTo(value);
            value++;
        }
        assertThat(copy).isEqualTo(limits).hasSameHashCodeAs(limits);
    }

    @Test
    void everyLimitCountsInAComparisonAndStandsInTheText() throws ReflectiveOperationException {
        DeviceLimits limits = allBut("none").build();
        for (Method setter : setters()) {
            DeviceLimitsBuilder other = limits.toBuilder();
            set(other, setter, setter.getName().equals("workRequests") ? 99 : 255);
            assertThat(other.build()).as(setter.getName()).isNotEqualTo(limits);
        }
        assertThat(limits.toString()).contains("queuePairs=").contains("pendingEvents=");
        assertThat(limits).isNotEqualTo("limits");
    }

    @Test
    void limitsThatAreNotAllSetAreRefused() throws ReflectiveOperationException {
        for (Method setter : setters()) {
            DeviceLimitsBuilder builder = allBut(setter.getName());
            assertThatThrownBy(builder::build)
                    .as(setter.getName())
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith("device limits: ")
                    .hasMessageContaining("is not set");
        }
        assertThatThrownBy(allBut("queuePairs")::build)
                .hasMessage(
                        "device limits: queuePairs is not set; set each limit; 0 means that"
                                + " the device has none");
    }

    @Test
    void aNumberThatNoDeviceCanHaveIsRefused() throws ReflectiveOperationException {
        for (Method setter : setters()) {
            assertThatThrownBy(() -> set(DeviceLimits.builder(), setter, -1))
                    .as(setter.getName())
                    .cause()
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("-1 is out of range");
        }
        DeviceLimitsBuilder builder = allBut("none");
        assertThatThrownBy(() -> builder.readsAsInitiator(256)).hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> builder.readsAsResponder(256)).hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> builder.messageBytes((1L << 31) + 1))
                .hasMessageContaining("messageBytes 2147483649 is out of range");
        assertThatThrownBy(() -> builder.workRequests(9).workRequestsInAll(8).build())
                .hasMessageContaining("workRequestsInAll 8 is out of range; use 9 to");
    }
}
