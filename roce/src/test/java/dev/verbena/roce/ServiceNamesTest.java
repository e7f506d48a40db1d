package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceNamesTest {
    private static final long SERVICE = 0x0106_1D2FL;

    private final String place = "verbena/test/" + TestAddresses.ipv4() + "/";
    private final List<ServiceNames> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(ServiceNames::close);
    }

    private ServiceNames device(int slot, long secret) {
        ServiceNames names = new ServiceNames("test", place, secret, slot);
        opened.add(names);
        return names;
    }

    @Test
    void everyDeviceFindsTheOwner() {
        ServiceNames first = device(0, 1);
        ServiceNames last = device(14, 1);
        assertThat(first.holder(SERVICE, 0)).isEqualTo(ServiceNames.NOBODY);

        assertThat(last.claim(SERVICE)).isTrue();

        assertThat(first.holder(SERVICE, 0)).isEqualTo(14);
        assertThat(last.holder(SERVICE, 0)).isEqualTo(14);
        assertThat(first.holder(SERVICE + 1, 0)).isEqualTo(ServiceNames.NOBODY);
        assertThat(first.claim(SERVICE)).isFalse();
        last.close();
        assertThat(first.holder(SERVICE, 0)).isEqualTo(ServiceNames.NOBODY);
        assertThat(first.claim(SERVICE)).isTrue();
    }

    @Test
    void serviceWithoutRequestsIsFreeAtOnce() {
        ServiceNames first = device(0, 1);
        first.claim(SERVICE);
        first.release(SERVICE, 0);

        assertThat(device(1, 1).claim(SERVICE)).isTrue();
    }

    @Test
    void serviceLingersWhileTheLastRequestMayComeAgain() {
        ServiceNames first = device(0, 1);
        ServiceNames second = device(1, 1);
        first.claim(SERVICE);
        long askedNs = 5_000;
        first.holder(SERVICE, askedNs);
        first.release(SERVICE, askedNs + 1);
        first.sweep(askedNs + ServiceNames.LINGER_NS - 1);

        assertThat(second.holder(SERVICE, 0)).isZero();
        assertThat(second.claim(SERVICE)).isFalse();

        first.sweep(askedNs + ServiceNames.LINGER_NS);
        assertThat(second.claim(SERVICE)).isTrue();
    }

    @Test
    void ownerMayOpenItAgainAfterClosing() {
        ServiceNames first = device(0, 1);
        first.claim(SERVICE);
        first.holder(SERVICE, 5);
        first.release(SERVICE, 6);

        assertThat(first.claim(SERVICE)).isTrue();
        first.sweep(5 + ServiceNames.LINGER_NS);
        assertThat(device(1, 1).holder(SERVICE, 0)).isZero();
    }

    @Test
    void namesOfOthersWithAnotherSecretAreOtherNames() {
        ServiceNames ours = device(0, 1);
        ServiceNames hostile = device(1, 2);
        assertThat(hostile.claim(SERVICE)).isTrue();

        assertThat(ours.holder(SERVICE, 0)).isEqualTo(ServiceNames.NOBODY);
        assertThat(ours.claim(SERVICE)).isTrue();
    }

    @Test
    void claimsHaveALimit() {
        ServiceNames names = device(0, 1);
        for (int i = 0; i < ServiceNames.CLAIMS_MAX; i++) {
            assertThat(names.claim(i)).isTrue();
        }
        assertThatThrownBy(() -> names.claim(-1)).isInstanceOf(LimitExceededException.class);
        names.release(0, 0);
        assertThat(names.claim(-1)).isTrue();
    }
}
