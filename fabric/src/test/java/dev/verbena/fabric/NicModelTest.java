package dev.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NicModelTest {
    @Test
    void everyNameLeadsBackToItsModel() {
        for (NicModel each : NicModel.values()) {
            assertThat(NicModel.of(each.toString())).contains(each);
            assertThat(NicModel.names()).contains(each.toString());
        }
        assertThat(NicModel.of("connectx-6").orElseThrow()).isEqualTo(NicModel.CONNECTX_6);
        assertThat(NicModel.of("connectx")).isEmpty();
    }

    /// 600 ns of the data sheet are those of two NICs, and 170 ns of each side are the host's.
    @Test
    void aSideHasHalfOfTheDataSheetAndItsHost() {
        NicProfile profile = NicModel.CONNECTX_6.profile();
        assertThat(profile.sendPs()).isEqualTo(470_000);
        assertThat(profile.receivePs()).isEqualTo(470_000);
        assertThat(profile.packetGapPs()).isEqualTo(4_652); // 215 million a second
    }
}
