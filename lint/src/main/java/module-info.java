import org.jspecify.annotations.NullMarked;

/// Checks the settings of switches, hosts and subnet managers. It gets the bytes of files and opens
/// none itself.
@NullMarked
module dev.verbena.lint {
    requires com.fasterxml.jackson.core;
    requires dev.verbena.fabric;
    requires static transitive org.jspecify;

    exports dev.verbena.lint;
}
