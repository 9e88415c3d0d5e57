package org.railyard.cli.sm;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code railyard sm why}. */
@Command(
        name = "why",
        description = {
            "Tell why a switch sends packets for a LID where it does.",
            "The entry, and the way on, hop by hop."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:no subnet manager answers, or it refuses", "2:the command line is wrong"})
final class SmWhyCommand extends SmClientCommand {
    @Parameters(index = "0", paramLabel = "SWITCH", description = "Switch: description or GUID.")
    private String sw = "";

    @Parameters(
            index = "1",
            paramLabel = "LID",
            description = "End port: LID (decimal, or with 0x), GUID or description.")
    private String lid = "";

    SmWhyCommand() {}

    @Override
    void run() {
        print(ask("why", Map.of("switch", sw, "lid", lid)));
    }
}
