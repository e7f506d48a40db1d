package dev.verbena.lint;

/// A question that a rule could not answer, because a value is missing.
///
/// @param place the file, or the line in it, that the question is about
/// @param question what was not judged
/// @param missing what is needed for an answer
public record Unjudged(Place place, String question, String missing) {
    public Unjudged {
        question = Shown.line(question);
        missing = Shown.line(missing);
    }
}
