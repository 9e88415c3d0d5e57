package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code railyard sm relink}. */
@Command(
        name = "relink",
        description = "Put a cable back that was pulled with unlink.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmRelinkCommand extends SmClientCommand {
    @Parameters(paramLabel = "NODE/PORT", description = "One end of the cable, such as S-0.1.1/5.")
    private String port = "";

    SmRelinkCommand() {}

    @Override
    void run() {
        print(ask("relink", Map.of("port", port)));
    }
}
