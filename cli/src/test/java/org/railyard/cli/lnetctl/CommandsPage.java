package org.railyard.cli.lnetctl;

/** The page of commands with their options, made from the list of commands. */
final class CommandsPage {
    private CommandsPage() {}

    static String markdown() {
        StringBuilder page = new StringBuilder("""
            # Commands of lnetctl

            Made from the list of commands in the code, as `lnetctl COMMAND --help` and `lnetctl --man-page` are. Options may be shortened as long as they are unique. How the tool is
            used: [lnetctl.md](lnetctl.md).
            """);
        for (LnetctlGroup group : LnetctlCommands.groups()) {
            page.append("\n## " + group.name() + "\n\n" + sentence(group.summary()) + "\n");
            if (group.name().equals("set")) {
                page.append(
                        "\n`lnetctl set NAME VALUE`: all names with their ranges are in [tunables](tunables.md).\n");
            } else {
                group.commands().forEach(each -> append(page, each));
            }
        }
        return page.toString();
    }

    private static void append(StringBuilder page, Command command) {
        page.append("\n`lnetctl " + command.synopsis() + "`: " + command.summary() + "\n");
        if (!command.options().isEmpty()) {
            page.append("\n| Option | Means |\n|---|---|\n");
            command.options()
                    .forEach(opt -> page.append("| `" + cell(opt.shown()) + "` | " + cell(opt.help()) + " |\n"));
        }
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("*", "\\*");
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }
}
