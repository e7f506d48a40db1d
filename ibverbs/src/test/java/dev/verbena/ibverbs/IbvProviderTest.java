package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Devices;
import dev.verbena.verbs.NoDeviceException;
import dev.verbena.verbs.VerbsException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IbvProviderTest {
    @Test
    void uriNamesDevicePortAndOptions() {
        IbvSettings settings =
                IbvSettings.parse(URI.create("ibverbs://mlx5_0/2?gid=3&sge=8&inline=64"));

        assertThat(settings.device()).isEqualTo("mlx5_0");
        assertThat(settings.port()).isEqualTo(2);
        assertThat(settings.gid()).hasValue(3);
        assertThat(settings.pieces()).isEqualTo(8);
        assertThat(settings.inlineBytes()).isEqualTo(64);
        assertThat(settings.name()).isEqualTo("ibverbs://mlx5_0/2");
    }

    @Test
    void allButTheDeviceMayBeLeftOut() {
        IbvSettings settings = IbvSettings.parse(URI.create("ibverbs://rxe0"));

        assertThat(settings.port()).isEqualTo(1);
        assertThat(settings.gid()).isEmpty();
        assertThat(settings.name()).isEqualTo("ibverbs://rxe0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibverbs:rxe0",
                "ibverbs://rxe0/0",
                "ibverbs://rxe0/x",
                "ibverbs://rxe0?gid=-1",
                "ibverbs://rxe0?gid",
                "ibverbs://rxe0?sge=0",
                "ibverbs://rxe0?gid=1&gid=2",
                "ibverbs://rxe0?speed=9"
            })
    void whatMakesNoSenseIsRefused(String uri) {
        assertThatThrownBy(() -> IbvSettings.parse(URI.create(uri)))
                .isInstanceOf(VerbsException.class);
    }

    /// Also where libibverbs is not installed, or native access not allowed.
    @Test
    void machineWithoutTheDeviceSaysWhatToDo() {
        assertThatThrownBy(() -> Devices.open("ibverbs://no_such_device"))
                .isInstanceOfSatisfying(
                        NoDeviceException.class,
                        refusal -> assertThat(refusal.remedy()).isNotBlank());
    }

    @Test
    void devicesThatAreThereAreListedAndNeverFails() {
        assertThat(new IbvProvider().available())
                .allSatisfy(uri -> assertThat(uri.getScheme()).isEqualTo("ibverbs"));
    }
}
