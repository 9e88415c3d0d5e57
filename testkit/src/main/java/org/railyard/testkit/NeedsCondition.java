package org.railyard.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides about {@link NeedsRoot} and {@link NeedsCommand}. */
final class NeedsCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return decide(missing(context), Ci.everythingMustRun(), context.getUniqueId());
    }

    private static List<String> missing(ExtensionContext context) {
        List<String> missing = new ArrayList<>();
        context.getElement().ifPresent(element -> {
            if (AnnotationSupport.isAnnotated(element, NeedsRoot.class) && !Machine.isRoot()) {
                missing.add("root");
            }
            String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
            AnnotationSupport.findAnnotation(element, NeedsCommand.class).ifPresent(needs -> {
                for (String command : needs.value()) {
                    if (!Machine.hasCommand(command, path)) {
                        missing.add("the command " + command);
                    }
                }
            });
        });
        return missing;
    }

    /**
     * Runs a test for which nothing is missing, skips another.
     *
     * @throws ExtensionConfigurationException if something is missing and everything must run; JUnit makes it the test's failure
     */
    static ConditionEvaluationResult decide(List<String> missing, boolean everythingMustRun, String test) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("nothing missing");
        }
        String reason = "needs " + String.join(", ", missing);
        if (everythingMustRun) {
            throw new ExtensionConfigurationException(reason + ", and CI=true allows no skipped tests");
        }
        System.err.println("SKIPPED " + test + ": " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }
}
