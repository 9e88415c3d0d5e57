package org.railyard.cli;

import java.util.Optional;
import java.util.Set;
import org.railyard.cli.text.SpecManual;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The option {@code --man-page} of each command: its manual page, made of what {@code --help} is made of. */
final class ManPages {
    private static final String OPTION = "--man-page";
    private static final String PROGRAM = "railyard";

    /** Tools that are called by names of their own. */
    private static final Set<String> WITH_OWN_NAME = Set.of("lnetctl", "lnetd", "lst");

    private ManPages() {}

    /** Adds the option to a command that has none of its own. */
    static void addOption(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.findOption(OPTION) == null) {
            String name = pageOf(spec.name());
            // As help it needs none of the words that the command needs otherwise.
            spec.addOption(OptionSpec.builder(OPTION)
                    .versionHelp(true)
                    .description("Write the page for man, and end: railyard " + spec.name() + " " + OPTION + " > "
                            + name + ".8")
                    .build());
        }
    }

    /** Returns the names of the pages of all commands. */
    static String[] all(CommandSpec root) {
        return root.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(spec -> !spec.usageMessage().hidden())
                .map(spec -> WITH_OWN_NAME.contains(spec.name()) ? spec.name() : pageOf(spec.name()))
                .toArray(String[]::new);
    }

    private static String pageOf(String command) {
        return PROGRAM + "-" + command;
    }

    /** Returns the page of the command that a line asks about, if it does. */
    static Optional<String> wanted(ParseResult line) {
        if (!line.hasSubcommand()) {
            return Optional.empty();
        }
        CommandSpec spec = line.subcommand().commandSpec();
        OptionSpec option = spec.findOption(OPTION);
        return option != null && option.versionHelp() && line.subcommand().hasMatchedOption(option)
                ? Optional.of(SpecManual.of(spec, pageOf(spec.name()), PROGRAM))
                : Optional.empty();
    }
}
