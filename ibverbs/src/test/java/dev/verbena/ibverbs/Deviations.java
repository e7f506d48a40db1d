package dev.verbena.ibverbs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Skips what the kernel's Soft-RoCE is known to do otherwise, each with the reason, as listed in
/// `rxe-6.1.txt`. Other devices have no such list; `-Dverbena.deviations=try` plays all.
final class Deviations implements ExecutionCondition {
    private static final String LIST = "rxe-6.1.txt";
    private static final String PLAY = "verbena.deviations";

    private final Map<String, String> reasons = new HashMap<>();

    Deviations() throws IOException {
        boolean isRxe = new Sysfs(Sysfs.ROOT, System.getProperty(IbvWorld.PROPERTY, "")).isRxe();
        if (isRxe && !System.getProperty(PLAY, "").equals("try")) {
            read();
        }
    }

    private void read() throws IOException {
        try (InputStream in = Deviations.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IOException(LIST + " is missing");
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
                test.getTestMethod().map(method -> reasons.get(method.getName())).orElse(null);
        return reason == null
                ? ConditionEvaluationResult.enabled("")
                : ConditionEvaluationResult.disabled("rdma_rxe: " + reason);
    }
}
