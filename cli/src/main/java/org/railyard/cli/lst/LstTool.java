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

    /**
     * Checks a number of the command line.
     *
     * @throws ParameterException if it is out of range
     */
    static void requireRange(CommandLine command, String option, int value, int least, int most) {
        if (value < least || value > most) {
            String range = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most;
            throw new ParameterException(command, option + " " + value + ": expected " + range);
        }
    }

    /** Tells that a session begins without a key, which the next command may have. */
    void warnOfNoKey() {
        if (!LstConsole.hasKey(environment)) {
            command.getErr()
                    .println("lst: " + LstConsole.KEY_VARIABLE + " is not set, the key of the session is 0: commands"
                            + " that have another key are refused; 'export " + LstConsole.KEY_VARIABLE
                            + "=$$' comes first");
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
