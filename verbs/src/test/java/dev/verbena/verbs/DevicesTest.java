package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.spi.DeviceProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicesTest {
    @TempDir Path directory;
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void putTheClassLoaderBack() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void aProviderIsFoundByTheSchemeAndGetsTheWholeUri() throws IOException {
        provide(List.of(First.class, Second.class));
        assertThatThrownBy(() -> Devices.open("first://host:5/path?query=1"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessage("first://host:5/path?query=1: asked; it has none");
        assertThatThrownBy(() -> Devices.open("second://b"))
                .hasMessage("second://b: asked; it has none");
    }

    @Test
    void theCaseOfASchemeDoesNotMatter() throws IOException {
        provide(List.of(First.class));
        assertThatThrownBy(() -> Devices.open("FIRST://a")).hasMessageContaining("asked");
    }

    @Test
    void anUnknownSchemeIsToldWithTheKnownOnes() throws IOException {
        provide(List.of(Second.class, First.class));
        assertThatThrownBy(() -> Devices.open("roce://192.0.2.10"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessage(
                        "device roce://192.0.2.10: no provider for the scheme roce was found;"
                                + " use one of [first, second], or add the provider to the"
                                + " dependencies");
    }

    @Test
    void withoutAnyProviderTheMessageSaysToAddOne() {
        assertThatThrownBy(() -> Devices.open("roce://192.0.2.10"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessage(
                        "device roce://192.0.2.10: no provider for the scheme roce was found;"
                                + " add a provider, such as verbena-roce, to the dependencies");
        assertThat(Devices.available()).isEmpty();
    }

    @Test
    void aProviderThatDoesNotLoadDoesNotKeepTheOthersFromWorking() throws IOException {
        provide(List.of(First.class, Broken.class, Second.class));
        assertThatThrownBy(() -> Devices.open("second://b"))
                .hasMessage("second://b: asked; it has none")
                .hasNoCause();
        assertThat(Devices.available()).hasSize(3);
    }

    @Test
    void aProviderThatDoesNotLoadIsNamedWhereNoneIsFound() throws IOException {
        provide(List.of(First.class, Broken.class));
        assertThatThrownBy(() -> Devices.open("broken://a"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessage(
                        "device broken://a: no provider for the scheme broken was found; these"
                                + " providers did not load: Provider "
                                + Broken.class.getName()
                                + " could not be instantiated (java.lang.UnsatisfiedLinkError:"
                                + " libbroken.so); fix the provider if it is the one you need, or"
                                + " use one of [first], or add the provider to the dependencies")
                .hasCauseInstanceOf(ServiceConfigurationError.class);
    }

    @Test
    void aListOfProvidersThatCannotBeReadIsGivenUp() {
        Thread.currentThread()
                .setContextClassLoader(
                        new ClassLoader(null) {
                            @Override
                            public Enumeration<URL> getResources(String name) throws IOException {
                                throw new IOException("the disk is gone");
                            }
                        });
        assertThat(Devices.available()).isEmpty();
        assertThatThrownBy(() -> Devices.open("first://a"))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("the disk is gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlx5_0", "", "192.0.2.10", "//host", "roce://a b", "roce:", ":"})
    void aTextThatIsNotADeviceUriIsRefusedWithAnExample(String uri) {
        assertThatThrownBy(() -> Devices.open(uri))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("device '" + uri + "': not a device URI: ")
                .hasMessageEndingWith("write it as roce://192.0.2.10 or ibverbs://mlx5_0");
    }

    @Test
    void whatIsAvailableIsThatOfAllProviders() throws IOException {
        provide(List.of(First.class, Second.class));
        assertThat(Devices.available())
                .containsExactlyInAnyOrder(
                        URI.create("first://a"), URI.create("first://b"), URI.create("second://a"));
    }

    private void provide(List<Class<? extends DeviceProvider>> providers) throws IOException {
        Thread.currentThread().setContextClassLoader(new ProviderLoader(directory, providers));
    }

    /// A provider that has two devices and opens none.
    public static final class First implements DeviceProvider {
        @Override
        public String scheme() {
            return "first";
        }

        @Override
        public Device open(URI uri) {
            throw new NoDeviceException(uri.toString(), "asked", "it has none");
        }

        @Override
        public List<URI> available() {
            return List.of(URI.create(scheme() + "://a"), URI.create(scheme() + "://b"));
        }
    }

    /// A provider whose library is missing.
    public static final class Broken implements DeviceProvider {
        /// Fails.
        public Broken() {
            throw new UnsatisfiedLinkError("libbroken.so");
        }

        @Override
        public String scheme() {
            return "broken";
        }

        @Override
        public Device open(URI uri) {
            throw new NoDeviceException(uri.toString(), "asked", "it has none");
        }

        @Override
        public List<URI> available() {
            return List.of();
        }
    }

    /// A provider of another scheme, with one device.
    public static final class Second implements DeviceProvider {
        @Override
        public String scheme() {
            return "second";
        }

        @Override
        public Device open(URI uri) {
            throw new NoDeviceException(uri.toString(), "asked", "it has none");
        }

        @Override
        public List<URI> available() {
            return List.of(URI.create(scheme() + "://a"));
        }
    }
}
