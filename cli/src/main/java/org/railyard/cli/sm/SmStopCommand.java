package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code railyard sm stop}. */
@Command(
        name = "stop",
        description = "End the subnet manager; the subnet stays as it is.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmStopCommand extends SmClientCommand {
    SmStopCommand() {}

    @Override
    void run() {
        print(ask("stop", Map.of()));
    }
}
