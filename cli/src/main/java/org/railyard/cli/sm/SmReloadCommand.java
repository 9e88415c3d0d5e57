package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code railyard sm reload}. */
@Command(
        name = "reload",
        description = {
            "Let the running subnet manager read its configuration again.",
            "All of it is checked before any is used. As SIGHUP does."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmReloadCommand extends SmClientCommand {
    SmReloadCommand() {}

    @Override
    void run() {
        print(ask("reload", Map.of()));
    }
}
