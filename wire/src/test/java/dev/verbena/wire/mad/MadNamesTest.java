package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MadNamesTest {
    @ParameterizedTest
    @CsvSource({
        "0x81, 0x01, 0x0011, SubnGet(NodeInfo)",
        "0x81, 0x81, 0x0015, SubnGetResp(PortInfo)",
        "0x01, 0x05, 0x0002, SubnTrap(Notice)",
        "0x01, 0x07, 0x0002, SubnTrapRepress(Notice)",
        "0x01, 0x01, 0x0001, SubnGet(attribute 0x0001)",
        "0x01, 0x01, 0xFF90, SubnGet(ExtendedPortInfo)",
        "0x03, 0x92, 0x0011, SubnAdmGetTableResp(NodeRecord)",
        "0x03, 0x02, 0x0038, SubnAdmSet(MCMemberRecord)",
        "0x03, 0x02, 0x0003, SubnAdmSet(InformInfo)",
        "0x03, 0x95, 0x0031, SubnAdmDeleteResp(ServiceRecord)",
        "0x04, 0x01, 0x0012, PerfGet(PortCounters)",
        "0x04, 0x02, 0x001D, PerfSet(PortCountersExtended)",
        "0x04, 0x01, 0x0001, PerfGet(ClassPortInfo)",
        "0x07, 0x03, 0x0010, CM REQ",
        "0x07, 0x03, 0x0018, CM SIDR_REP",
        "0x07, 0x03, 0x1234, CM attribute 0x1234",
        "0x07, 0x01, 0x0001, CMGet(ClassPortInfo)",
        "0x21, 0x01, 0x0016, CCGet(CACongestionSetting)",
        "0x06, 0x01, 0x0010, DevMgtGet(attribute 0x0010)",
        "0x09, 0x01, 0x0010, vendor class 0x09 Get(attribute 0x0010)",
        "0x30, 0x01, 0x0010, vendor class 0x30 Get(attribute 0x0010)",
        "0x10, 0x01, 0x0001, application class 0x10 Get(ClassPortInfo)",
        "0x55, 0x55, 0x5555, class 0x55 method 0x55(attribute 0x5555)",
        "0x81, 0x55, 0x0011, Subn method 0x55(NodeInfo)",
    })
    void titlesADatagramForPeople(String managementClass, String method, String id, String title) {
        Mad mad =
                new Mad(
                        Integer.decode(managementClass),
                        1,
                        Integer.decode(method),
                        0,
                        0,
                        0,
                        Integer.decode(id),
                        0);

        assertThat(mad.title()).isEqualTo(title);
    }

    @Test
    void namesBothRoutingsOfSubnetManagement() {
        assertThat(ManagementClass.name(0x01)).isEqualTo("SubnLID");
        assertThat(ManagementClass.name(0x81)).isEqualTo("SubnDirected");
        assertThat(ManagementClass.isSubnetManagement(0x81)).isTrue();
        assertThat(ManagementClass.isSubnetManagement(0x03)).isFalse();
    }

    @Test
    void tellsResponsesByTheirHighestBit() {
        assertThat(MadMethod.isResponse(MadMethod.GET_RESPONSE)).isTrue();
        assertThat(MadMethod.isResponse(MadMethod.TRAP_REPRESS)).isFalse();
    }

    @Test
    void hasANameForEveryCode() {
        for (int code = 0; code <= 0xFF; code++) {
            assertThat(ManagementClass.name(code)).isNotBlank();
            assertThat(MadMethod.name(code)).isNotBlank();
            for (int id = 0; id <= 0x200; id++) {
                assertThat(MadAttribute.name(code, id)).isNotBlank();
            }
        }
    }
}
