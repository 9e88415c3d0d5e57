package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code railyard sm unlink}. */
@Command(
        name = "unlink",
        description = "Pull a cable of the simulated subnet that runs with --fabric FILE --live.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmUnlinkCommand extends SmClientCommand {
    @Parameters(paramLabel = "NODE/PORT", description = "One end of the cable, such as S-0.1.1/5.")
    private String port = "";

    SmUnlinkCommand() {}

    @Override
    void run() {
        print(ask("unlink", Map.of("port", port)));
    }
}
