import org.jspecify.annotations.NullMarked;

/// Byte streams over reliable connections, with the wire protocol of librdmacm's rsocket.
@NullMarked
module dev.verbena.stream {
    requires transitive dev.verbena.verbs;
    requires static transitive org.jspecify;

    exports dev.verbena.stream;
}
