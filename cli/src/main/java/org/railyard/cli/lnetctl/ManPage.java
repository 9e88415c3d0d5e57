package org.railyard.cli.lnetctl;

import java.util.List;

/** The manual page, made of the list of commands, for {@code man}. */
final class ManPage {
    private ManPage() {}

    /** Returns the page in the language of {@code man}. */
    static String text() {
        StringBuilder page = new StringBuilder();
        page.append(".TH LNETCTL 8 \"\" \"Railyard\" \"System administration\"\n");
        page.append(".SH NAME\nlnetctl \\- configure and watch the node that lnetd runs\n");
        page.append(".SH SYNOPSIS\n.B lnetctl\n[\\fICOMMAND\\fR [\\fIOPTION\\fR ...]]\n");
        page.append(".SH DESCRIPTION\n");
        paragraph(
                page,
                "Configures the LNet node that lnetd runs on this machine, shows how it does, and asks other nodes."
                    + " Without a command it reads commands, one to a line, until the first that fails. Options may be"
                    + " shortened as long as they are unique.");
        paragraph(
                page,
                "Results are YAML on standard output, complaints on standard error. What is refused has changed"
                        + " nothing.");
        page.append(".SH COMMANDS\n");
        for (String group : Commands.groups()) {
            for (Command each : Commands.of(group)) {
                command(page, each);
            }
        }
        page.append(".SH EXIT STATUS\n");
        exit(page, "0", "Done, or there was nothing to show.");
        exit(page, "1", "Help was shown, explain path found no way, or doctor found errors.");
        exit(
                page,
                "234",
                "A command about nets, routes or peers, or an import, was refused; the errno is in the document.");
        exit(page, "254", "No lnetd answers, or a file can not be read.");
        exit(page, "255", "A target did not answer, or there is no such command.");
        exit(page, "others", "Commands about settings, statistics, routing and rules end with the errno modulo 256.");
        page.append(".SH ENVIRONMENT\n");
        exit(page, "RAILYARD_SOCKET", "The control socket of lnetd, if it is not in its usual place.");
        page.append(".SH SEE ALSO\n.BR lnetd (8)\n");
        return page.toString();
    }

    private static void command(StringBuilder page, Command command) {
        page.append(".SS ").append(escaped(command.synopsis())).append('\n');
        paragraph(page, command.summary() + ".");
        List<Opt> options = command.options();
        for (Opt opt : options) {
            exit(page, opt.shown(), opt.help() + ".");
        }
    }

    private static void exit(StringBuilder page, String term, String text) {
        page.append(".TP\n.B ")
                .append(escaped(term))
                .append('\n')
                .append(escaped(text))
                .append('\n');
    }

    private static void paragraph(StringBuilder page, String text) {
        page.append(".PP\n").append(escaped(text)).append('\n');
    }

    /** A dash is to be one that can be copied, and no line may look like a request. */
    private static String escaped(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
