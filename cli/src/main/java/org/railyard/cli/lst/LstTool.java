package org.railyard.cli.lst;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.railyard.base.Errno;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.DlcException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What all commands of the tool do alike: reach the console, and tell what went wrong. */
record LstTool(CommandLine command, Map<String, String> environment) {
    static final int DONE = 0;
    static final int FAILED = 1;

    /** Does something on the console; what goes wrong is told. */
    int onConsole(ToIntFunction<LstConsole> action) {
        try {
            return action.applyAsInt(LstConsole.ofEnvironment(environment));
        } catch (NoServiceException e) {
            return complain(e.text());
        } catch (DlcException e) {
            String unset = e.failure().errno() == Errno.EPERM.status() && !LstConsole.hasKey(environment)
                    ? LstConsole.KEY_VARIABLE + " is not set, which counts as key 0: "
                    : "";
            return complain(unset + e.failure().text());
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
}
