package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerbsExceptionTest {
    private static final String OBJECT = "qp 0x1a";
    private static final String PROBLEM = "in state INIT";
    private static final String REMEDY = "connect it first";

    static List<VerbsException> all() {
        return List.of(
                new InvalidRequestException(OBJECT, PROBLEM, REMEDY),
                new WrongStateException(OBJECT, PROBLEM, REMEDY),
                new LimitExceededException(OBJECT, PROBLEM, REMEDY),
                new ClosedException(OBJECT, PROBLEM, REMEDY),
                new UnsupportedException(OBJECT, PROBLEM, REMEDY),
                new NoDeviceException(OBJECT, PROBLEM, REMEDY));
    }

    @ParameterizedTest
    @MethodSource("all")
    void theMessageNamesTheObjectTheProblemAndTheRemedy(VerbsException failure) {
        assertThat(failure).hasMessage("qp 0x1a: in state INIT; connect it first");
        assertThat(failure.object()).isEqualTo(OBJECT);
        assertThat(failure.remedy()).isEqualTo(REMEDY);
    }

    @Test
    void whatTheSystemBelowSaidIsTheCause() {
        Error below = new OutOfMemoryError("direct memory");
        assertThat(new LimitExceededException(OBJECT, PROBLEM, REMEDY, below))
                .hasMessage("qp 0x1a: in state INIT; connect it first")
                .hasCause(below);
        assertThat(new NoDeviceException(OBJECT, PROBLEM, REMEDY, below)).hasCause(below);
    }

    @Test
    void everyKindHasACategoryOfItsOwn() {
        assertThat(all())
                .extracting(VerbsException::category)
                .containsExactly(VerbsException.Category.values());
        assertThat(VerbsException.class.getPermittedSubclasses()).hasSameSizeAs(all());
    }
}
