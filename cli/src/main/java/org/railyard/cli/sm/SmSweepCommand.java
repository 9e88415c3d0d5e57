package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code railyard sm sweep}. */
@Command(
        name = "sweep",
        description = "Begin a heavy sweep.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmSweepCommand extends SmClientCommand {
    SmSweepCommand() {}

    @Override
    void run() {
        print(ask("sweep", Map.of()));
    }
}
