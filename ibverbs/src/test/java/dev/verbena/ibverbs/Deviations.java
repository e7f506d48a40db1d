package dev.verbena.ibverbs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Skips what the kernel's Soft-RoCE is known to do otherwise, each with the reason, as listed in
/// `rxe-6.1.txt`, and for the newer kernel in `rxe-6.12.txt` too. Other devices have no such list;
/// `-Dverbena.deviations=try` plays all.
final class Deviations implements ExecutionCondition {
    private static final String LIST = "rxe-6.1.txt";
    private static final String NEWER = "6.12.";
    private static final String NEWER_LIST = "rxe-6.12.txt";
    private static final String PLAY = "verbena.deviations";

    private final Map<String, String> reasons = new HashMap<>();

    Deviations() throws IOException {
        boolean isRxe = new Sysfs(Sysfs.ROOT, System.getProperty(IbvWorld.PROPERTY, "")).isRxe();
        if (isRxe && !System.getProperty(PLAY, "").equals("try")) {
            read(LIST);
            if (System.getProperty("os.version", "").startsWith(NEWER)) {
                read(NEWER_LIST);
            }
        }
    }

    private void read(String list) throws IOException {
        try (InputStream in = Deviations.class.getResourceAsStream(list)) {
            if (in == null) {
                throw new IOException(list + " is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                int at = line.indexOf(": ");
                if (at > 0 && !line.startsWith("#")) {
                    reasons.put(line.substring(0, at), line.substring(at + 2));
                }
            }
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
        String reason =
                test.getTestMethod().map(method -> reason(method.getName(), test)).orElse(null);
        return reason == null
                ? ConditionEvaluationResult.enabled("")
                : ConditionEvaluationResult.disabled("rdma_rxe: " + reason);
    }

    /// A line names a method, or one call of a method with parameters.
    private @Nullable String reason(String method, ExtensionContext test) {
        String ofAll = reasons.get(method);
        return ofAll != null ? ofAll : reasons.get(method + " " + test.getDisplayName());
    }
}
