package dev.verbena.wire.mad;

import dev.verbena.wire.WireException;
import java.util.HashMap;
import java.util.Map;

/// How a service ID resolution ended (IBA 12.11.2); a code without a meaning is one too.
public record SidrStatus(int code) {
    private static final Map<Integer, String> SENTENCES = new HashMap<>();

    public static final SidrStatus VALID = known(0, "the queue pair is valid");
    public static final SidrStatus UNSUPPORTED = known(1, "the service ID is not supported");
    public static final SidrStatus REJECTED = known(2, "the service's provider refused");
    public static final SidrStatus NO_QP = known(3, "no queue pair is available");
    public static final SidrStatus REDIRECT = known(4, "another port serves this; ask there");
    public static final SidrStatus UNSUPPORTED_VERSION =
            known(5, "the class version is not supported");

    public SidrStatus {
        WireException.requireBits("sidr status", code, 8);
    }

    private static SidrStatus known(int code, String sentence) {
        SENTENCES.put(code, sentence);
        return new SidrStatus(code);
    }

    public boolean isKnown() {
        return SENTENCES.containsKey(code);
    }

    public String sentence() {
        return SENTENCES.getOrDefault(code, "no meaning is known for this status");
    }

    @Override
    public String toString() {
        return code + ": " + sentence();
    }
}
