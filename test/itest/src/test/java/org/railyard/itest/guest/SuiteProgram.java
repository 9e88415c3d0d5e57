package org.railyard.itest.guest;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes in the guest, and tells on the console how they end. */
final class SuiteProgram {
    private SuiteProgram() {}

    public static void main(String[] classes) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String each : classes) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(each))
                    .build();
            SummaryGeneratingListener counted = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request, counted, new TestExecutionListener() {
                @Override
                public void executionStarted(TestIdentifier test) {
                    if (test.isTest()) {
                        // Of one that never ends, the console shall tell.
                        out.println("begins: " + test.getUniqueId().replaceAll("\\[engine:[^/]*/", ""));
                    }
                }

                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                        out.println("failed: " + test.getUniqueId());
                        result.getThrowable().ifPresent(why -> why.printStackTrace(out));
                    }
                }
            });
            TestExecutionSummary summary = counted.getSummary();
            out.println("suite " + each.substring(each.lastIndexOf('.') + 1) + ": " + summary.getTestsSucceededCount()
                    + " good, " + summary.getTotalFailureCount() + " failed");
        }
        System.exit(0);
    }
}
