package org.railyard.cli.lnetctl;

import org.railyard.cli.text.Manual;

/** The manual page, made of the list of commands, for {@code man}. */
final class ManPage {
    private ManPage() {}

    /** Returns the page in the language of {@code man}. */
    static String text() {
        Manual page = new Manual("lnetctl", "configure and watch the node that lnetd runs")
                .synopsis("[--strict_options] [--json] [COMMAND [OPTION ...]]")
                .section("DESCRIPTION")
                .paragraph("Configures the LNet node that lnetd runs on this machine, shows how it does, and asks other"
                        + " nodes. Without a command it reads commands, one to a line, until the first that fails; on a"
                        + " terminal it goes on. Options may be shortened as long as they are unique.")
                .paragraph("Results are YAML, or JSON behind --json, on standard output, complaints on standard error."
                        + " What is refused has changed nothing.")
                .section("COMMANDS");
        LnetctlCommands.list().forEach(each -> command(page, each));
        return page.section("WORDS BEFORE A COMMAND")
                .term("--strict_options", "Refuse options that there are not and numbers that are none.")
                .term("--json", "Write answers and failures as JSON instead of YAML, each document in a line.")
                .term("ignore_errors", "Among commands that are read: go on after one that failed.")
                .section("EXIT STATUS")
                .term("0", "Done, or there was nothing to show.")
                .term("1", "Help was shown, explain path found no way, or doctor found errors.")
                .term(
                        "234",
                        "A command about nets, routes or peers, or an import, was refused; the errno is in the"
                                + " document.")
                .term("254", "No lnetd answers, or a file can not be read.")
                .term("255", "A target did not answer, or there is no such command.")
                .term("others", "Commands about settings, statistics, routing and rules end with the errno modulo 256.")
                .section("ENVIRONMENT")
                .term(
                        "RAILYARD_SOCKET",
                        "The control socket of lnetd, if it is not in its usual place: that of one's own lnetd, else"
                                + " that of the service.")
                .term("RAILYARD_STRICT_OPTIONS", "true stands for --strict_options.")
                .section("FILES")
                .term("~/.lnetctl_history", "What was typed at a terminal.")
                .seeAlso("lnetd");
    }

    private static void command(Manual page, Command command) {
        page.part(command.synopsis()).paragraph(command.summary() + ".");
        for (Opt opt : command.options()) {
            page.term(opt.shown(), opt.help() + ".");
        }
    }
}
