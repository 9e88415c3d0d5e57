package org.railyard.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** The command list of {@code railyard --help}: one heading per {@link CommandGroup}, commands by name under it. */
final class GroupedHelp {
    private final Map<CommandGroup, TreeMap<String, CommandLine>> groups = new EnumMap<>(CommandGroup.class);

    private GroupedHelp() {}

    /**
     * Adds the commands to a command line, and the list of them to its help.
     *
     * @throws picocli.CommandLine.InitializationException if two commands have the same name
     */
    static void install(CommandLine root, List<CommandProvider> commands) {
        GroupedHelp help = new GroupedHelp();
        for (CommandProvider provider : commands) {
            CommandLine command = new CommandLine(provider.command());
            addHelpOption(command);
            ManPages.addOption(command);
            root.addSubcommand(command);
            help.groups.computeIfAbsent(provider.group(), _ -> new TreeMap<>()).put(command.getCommandName(), command);
        }
        root.getHelpSectionMap().remove(SECTION_KEY_COMMAND_LIST_HEADING);
        root.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, help::list);
    }

    private static void addHelpOption(CommandLine command) {
        if (command.getCommandSpec().findOption("--help") == null) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .usageHelp(true)
                            .description("Show this help message and exit.")
                            .build());
        }
        command.getSubcommands().values().forEach(GroupedHelp::addHelpOption);
    }

    private String list(Help usage) {
        int width = groups.values().stream()
                .flatMap(group -> group.keySet().stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        groups.forEach((group, commands) -> {
            text.append(System.lineSeparator())
                    .append(usage.colorScheme().text("@|bold " + group.heading() + "|@"))
                    .append(System.lineSeparator());
            commands.forEach((name, command) -> text.append("  ")
                    .append(usage.colorScheme().commandText(name))
                    .append(" ".repeat(width - name.length() + 2))
                    .append(firstLine(command))
                    .append(System.lineSeparator()));
        });
        return text.toString();
    }

    private static String firstLine(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }
}
