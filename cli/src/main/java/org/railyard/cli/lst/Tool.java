package org.railyard.cli.lst;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.railyard.cli.service.NoServiceException;
import org.railyard.dlc.api.DlcException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What all commands of the tool do alike: reach the console, and tell what went wrong. */
record Tool(CommandLine command, Map<String, String> environment) {
    static final int DONE = 0;
    static final int FAILED = 1;
    private static final long MILLIS_PER_SECOND = 1000;

    /** Does something on the console; what goes wrong is told. */
    int onConsole(ToIntFunction<LstConsole> action) {
        try {
            return action.applyAsInt(LstConsole.ofEnvironment(environment));
        } catch (NoServiceException e) {
            return complain(e.text());
        } catch (DlcException e) {
            return complain(e.failure().text());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }

    int complain(String text) {
        command.getErr().println("lst: " + text);
        return FAILED;
    }

    /** Tells of the nodes that failed; returns the exit code. */
    int told(List<NodeAnswer> answers) {
        List<NodeAnswer> bad = answers.stream().filter(each -> !each.isGood()).toList();
        bad.forEach(each -> complain(each.problem()));
        return bad.isEmpty() ? DONE : FAILED;
    }

    static void pause(int seconds) {
        try {
            Thread.sleep(seconds * MILLIS_PER_SECOND);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
