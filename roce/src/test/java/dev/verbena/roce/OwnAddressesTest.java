package dev.verbena.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;

class OwnAddressesTest {
    @Test
    void everyDeviceThatIsNamedIsAtAnAddressOfThisHost() throws Exception {
        assertThat(OwnAddresses.devices()).isNotEmpty();
        for (URI uri : OwnAddresses.devices()) {
            InetAddress address = RoceUri.parse(uri).address().toInetAddress();
            assertThat(OwnAddresses.has(address)).as("%s", uri).isTrue();
            assertThat(address.isLinkLocalAddress()).as("%s", uri).isFalse();
        }
    }

    @Test
    void anAddressOfDocumentationIsNoneOfThisHost() throws Exception {
        assertThat(OwnAddresses.has(InetAddress.ofLiteral("192.0.2.10"))).isFalse();
        assertThat(OwnAddresses.has(InetAddress.ofLiteral("127.8.9.10"))).isTrue();
    }
}
