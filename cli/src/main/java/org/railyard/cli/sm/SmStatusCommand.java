package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code railyard sm status}. */
@Command(
        name = "status",
        description = "Tell the state of the running subnet manager, its last sweep, and what it sent.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmStatusCommand extends SmClientCommand {
    SmStatusCommand() {}

    @Override
    void run() {
        print(ask("status", Map.of()));
    }
}
