package dev.verbena.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Are the libraries there that programs reach devices through?
final class LibraryCheck implements Check {
    private static final String DRIVERS = "/etc/libibverbs.d";
    private static final String LOADER = "/etc/ld.so.conf.d";

    /// Where distributions put them.
    private static final List<String> DIRECTORIES =
            List.of(
                    "/usr/lib/x86_64-linux-gnu",
                    "/lib/x86_64-linux-gnu",
                    "/usr/lib/aarch64-linux-gnu",
                    "/lib/aarch64-linux-gnu",
                    "/usr/lib64",
                    "/lib64",
                    "/usr/lib",
                    "/lib",
                    "/usr/local/lib");

    @Override
    public List<Finding> examine(Host host) {
        if (!isThere(host, "libibverbs.so.1")) {
            return List.of(
                    new Finding(
                            Code.VD201,
                            "no program can reach an RDMA device",
                            List.of("libibverbs.so.1: in none of " + searched()),
                            "Install libibverbs and its providers; an image of a container too.",
                            "apt-get install libibverbs1 ibverbs-providers librdmacm1"));
        }
        List<Finding> findings = new ArrayList<>();
        if (!isThere(host, "librdmacm.so.1")) {
            findings.add(
                    new Finding(
                            Code.VD202,
                            "programs that connect by rdma_cm do not start",
                            List.of("librdmacm.so.1: in none of " + searched()),
                            "Install librdmacm.",
                            "apt-get install librdmacm1"));
        }
        for (RdmaDevice device : RdmaDevice.all(host)) {
            device.provider(host)
                    .flatMap(provider -> provider(host, device, provider))
                    .ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> provider(Host host, RdmaDevice device, String provider) {
        List<String> missing = new ArrayList<>();
        if (!host.exists(DRIVERS + "/" + provider + ".driver")) {
            missing.add(DRIVERS + "/" + provider + ".driver: not there");
        }
        String library = "lib" + provider + "-rdmav";
        boolean isFound =
                directories(host)
                        .flatMap(directory -> host.names(directory + "/libibverbs").stream())
                        .anyMatch(name -> name.startsWith(library));
        if (!isFound) {
            missing.add(library + "*.so: in no libibverbs/ of " + searched());
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                Code.VD203,
                                "libibverbs does not know what to do with " + device.name(),
                                missing,
                                "Install the provider " + provider + ".",
                                "apt-get install ibverbs-providers"));
    }

    private static boolean isThere(Host host, String library) {
        return directories(host).anyMatch(directory -> host.exists(directory + "/" + library));
    }

    /// The usual ones, and those that this host has told its loader.
    private static Stream<String> directories(Host host) {
        Stream<String> told =
                host.names(LOADER).stream()
                        .flatMap(name -> host.text(LOADER + "/" + name).stream())
                        .flatMap(String::lines)
                        .map(String::strip)
                        .filter(line -> line.startsWith("/"));
        return Stream.concat(DIRECTORIES.stream(), told).distinct();
    }

    private static String searched() {
        return String.join(", ", DIRECTORIES.subList(0, 2)) + " … /usr/local/lib";
    }
}
