package dev.verbena.cli.doctor;

import java.util.List;
import java.util.stream.Stream;

/// Looks at one area of a host.
///
/// A check says only what is the cause: a port that is down because its interface is down is the
/// interface's finding, and of a port that is down nobody asks for GIDs.
@FunctionalInterface
interface Check {

    List<Finding> examine(Host host);

    /// All of them, in the order of their codes.
    static List<Finding> all(Host host) {
        Stream<Check> checks =
                Stream.of(
                        new DeviceCheck(),
                        new LibraryCheck(),
                        new PortCheck(),
                        new GidCheck(),
                        new MtuCheck(),
                        new LimitCheck(),
                        new LosslessCheck(),
                        new SocketCheck(),
                        new PlaceCheck());
        return checks.flatMap(check -> check.examine(host).stream()).toList();
    }
}
