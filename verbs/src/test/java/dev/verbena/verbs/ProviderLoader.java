package dev.verbena.verbs;

import dev.verbena.verbs.spi.DeviceProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/// Shows a set of providers to `ServiceLoader` as if they were on the class path.
///
/// Tests of this module live in it, and `ServiceLoader` takes a module's providers from its
/// descriptor only; so the classes are defined once more here, outside of any module.
final class ProviderLoader extends ClassLoader {
    private static final String SERVICES = "META-INF/services/" + DeviceProvider.class.getName();

    private final List<String> providers;
    private final URL services;

    ProviderLoader(Path directory, List<Class<? extends DeviceProvider>> providers)
            throws IOException {
        super(ProviderLoader.class.getClassLoader());
        this.providers = providers.stream().map(Class::getName).toList();
        Path file = Files.write(directory.resolve("services"), this.providers);
        this.services = file.toUri().toURL();
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return name.equals(SERVICES)
                ? Collections.enumeration(List.of(services))
                : super.getResources(name);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> known = findLoadedClass(name);
        if (known != null || !providers.contains(name)) {
            return known != null ? known : super.loadClass(name, resolve);
        }
        String file = "/" + name.replace('.', '/') + ".class";
        try (InputStream in = ProviderLoader.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException failure) {
            throw new ClassNotFoundException(name, failure);
        }
    }
}
