import org.jspecify.annotations.NullMarked;

/// Programs of one page. They require the API and no fabric: which one they run on is decided by
/// the URIs they are given and by what is on the module path.
@NullMarked
module dev.verbena.samples {
    requires dev.verbena.collectives;
    requires dev.verbena.verbs;
}
