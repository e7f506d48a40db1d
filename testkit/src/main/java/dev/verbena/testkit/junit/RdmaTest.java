package dev.verbena.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that gets connected RDMA hosts, and runs once for each of several seeds.
///
/// The method, and the `@BeforeEach` methods of its class, may take:
///
/// | parameter | value |
/// |---|---|
/// | [RdmaPair] | both hosts, when there are two |
/// | [RdmaGroup] | all hosts |
/// | [RdmaHost] | the first parameter of this type is the first host, and so on |
/// | [dev.verbena.verbs.Device] | their devices, in the same order |
/// | [dev.verbena.verbs.QueuePair] | both ends of the connection, when there are two hosts |
/// | [dev.verbena.testkit.Choices] | random choices for the test, from the same seed |
/// | [RdmaThreads] | threads for the test, in an order that the seed decides |
///
/// Hosts are on a network in virtual time, so that waiting costs nothing, and the seed alone
/// decides all events. The first seed that fails ends the test; the failure shows how to replay it.
/// Everything that was opened is closed after each seed.
///
/// | property | environment | meaning |
/// |---|---|---|
/// | `verbena.seed` | `VERBENA_SEED` | replays this one seed |
/// | `verbena.seeds` | `VERBENA_SEEDS` | runs this many seeds instead of [#seeds] |
/// | `verbena.pcap` | `VERBENA_PCAP` | writes packets into this directory |
/// | `verbena.device` | `VERBENA_DEVICE` | opens other devices, see below |
///
/// Properties may also stand in `junit-platform.properties`. `verbena.device` is a URI, or several
/// with commas between them, which hosts take in turn. `{name}` in it is the host's name, `{index}`
/// its number, `{run}` a number that no two runs of a process share, `{seed}` the seed; a URI that
/// ends after `://` gets `{name}-{run}`, and `fabric://` is as [#fabric] without parameters. So
/// `loopback://`, `roce://127.0.0.1` and `ibverbs://rxe0` are all valid. Only `virtual://` devices
/// have faults; other devices run the test without them, and report it.
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RdmaExtension.class)
public @interface RdmaTest {
    /// The probability that a packet is lost.
    double loss() default 0;

    /// The probability that a packet arrives twice.
    double duplicate() default 0;

    /// The probability that a packet takes a detour, so that others overtake it.
    double reorder() default 0;

    /// The probability that a bit of a packet is flipped; the receiver drops it then.
    double corrupt() default 0;

    /// How long a packet takes, with its unit: `500ns`, `2us`, `1ms`.
    String delay() default "1us";

    /// The first seed; fixed, so that a build does the same every day.
    long seed() default 1;

    /// How many seeds to run, one after the other from the first on.
    int seeds() default 1;

    /// Runs the test on a simulated fabric of links and switches instead, which `verbena-fabric`
    /// brings: the parameters of its `fabric://` URI, such as `"kind=ib"` or
    /// `"hosts=64&radix=16&rate=100"`. The test's hosts are the first ones of the fabric; it has no
    /// more of them unless `hosts` or `topology` says so. Its seed is that of the run unless `seed`
    /// says otherwise. A fabric has none of the faults above, and no `delay`.
    String fabric() default "";

    /// How many hosts there are, 2 to 64, each connected to every other.
    int hosts() default 2;

    /// Bytes of memory that each host has, for its peers to read and write.
    long memory() default 1 << 16;

    /// Writes all packets to a file, as the property `verbena.pcap` does.
    boolean pcap() default false;
}
