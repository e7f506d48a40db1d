package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.verbs.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// How a provider must answer a mistake of the caller's.
final class Mistakes {
    private Mistakes() {}

    /// Fails the test unless the call is refused with this type, and a message that names the
    /// object and the remedy.
    static <X extends VerbsException> X refused(Class<X> type, ThrowingCallable call) {
        return assertThatExceptionOfType(type)
                .isThrownBy(call)
                .satisfies(
                        refusal -> {
                            assertThat(refusal.object()).as("object of %s", refusal).isNotBlank();
                            assertThat(refusal.remedy()).as("remedy of %s", refusal).isNotBlank();
                        })
                .actual();
    }

    /// Fails the test unless the call is refused as one that asks for more than there is, with the
    /// limit in the message.
    static void beyond(long limit, ThrowingCallable call) {
        VerbsException refusal = refused(VerbsException.class, call);
        assertThat(refusal.category())
                .as("category of %s", refusal)
                .isIn(VerbsException.Category.LIMIT, VerbsException.Category.REQUEST);
        assertThat(refusal).hasMessageContaining(Long.toString(limit));
    }
}
