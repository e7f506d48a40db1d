import org.jspecify.annotations.NullMarked;

/// Messages, requests and remote memory, without buffers, receives and polling by the program.
@NullMarked
module dev.verbena.easy {
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.easy;
}
