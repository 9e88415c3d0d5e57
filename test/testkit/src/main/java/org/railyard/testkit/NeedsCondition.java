package org.railyard.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides about {@link NeedsRoot}, {@link NeedsCommand} and {@link NeedsFile}. */
final class NeedsCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        ConditionEvaluationResult result = decide(missing(context), Ci.everythingMustRun());
        if (result.isDisabled()) {
            System.err.println("SKIPPED " + context.getUniqueId() + ": "
                    + result.getReason().orElse(""));
        }
        return result;
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
            AnnotationSupport.findAnnotation(element, NeedsFile.class).ifPresent(needs -> {
                for (String file : needs.value()) {
                    if (!Files.exists(Path.of(file))) {
                        missing.add("the file " + file);
                    }
                }
            });
        });
        return missing;
    }

    /**
     * Runs a test for which nothing is missing, skips another.
     *
     * @throws ExtensionConfigurationException if something is missing and everything must run; JUnit makes it the
     *     test's failure
     */
    static ConditionEvaluationResult decide(List<String> missing, boolean everythingMustRun) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("nothing missing");
        }
        String reason = "needs " + String.join(", ", missing);
        if (everythingMustRun) {
            throw new ExtensionConfigurationException(reason + ", and CI=true allows no skipped tests");
        }
        return ConditionEvaluationResult.disabled(reason);
    }
}
