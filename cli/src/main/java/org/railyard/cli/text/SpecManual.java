package org.railyard.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Manual pages of commands, made of what picocli knows of them. */
public final class SpecManual {
    private static final String EXIT_CODE = "Exit code:";

    /** Titles of sections as words before a part of one. */
    private static final Map<String, String> HEADS =
            Map.of("EXIT STATUS", "Exit status:", "NOTES", "Notes:", "EXAMPLES", "Examples:");

    private SpecManual() {}

    /** Adds the options and places of a command. */
    public static Manual options(Manual page, CommandSpec spec) {
        for (PositionalParamSpec each : spec.positionalParameters()) {
            if (!each.hidden() && each.description().length > 0) {
                page.term(each.paramLabel(), plain(each.description()));
            }
        }
        for (OptionSpec each : spec.options()) {
            if (!each.hidden() && !each.usageHelp()) {
                String value = each.arity().max() > 0 ? " " + each.paramLabel() : "";
                page.term(String.join(", ", each.names()) + value, plain(each.description()));
            }
        }
        return page;
    }

    /**
     * Returns the page of a command: its options or, if it has commands below it, those.
     *
     * @param name of the page
     * @param seeAlso other pages
     */
    public static String of(CommandSpec spec, String name, String... seeAlso) {
        String[] description = spec.usageMessage().description();
        String about = plain(description[0]);
        Manual page = new Manual(
                name,
                Character.toLowerCase(about.charAt(0)) + about.substring(1).replaceAll("\\.$", ""));
        if (spec.subcommands().isEmpty()) {
            page.synopsis("[OPTION ...]" + places(spec))
                    .section("DESCRIPTION")
                    .paragraph(plain(description))
                    .section("OPTIONS");
            options(page, spec);
        } else {
            page.synopsis(isUsedAlone(spec) ? "[COMMAND] [OPTION ...]" : "COMMAND [OPTION ...]")
                    .section("DESCRIPTION")
                    .paragraph(plain(description))
                    .section("COMMANDS");
            commands(page, spec);
            options(page.section("OPTIONS"), spec);
        }
        ending(page, spec, page::section);
        return page.seeAlso(seeAlso);
    }

    /** Tells whether a command that has others below it does something by itself, but to print its help. */
    private static boolean isUsedAlone(CommandSpec spec) {
        return spec.userObject() instanceof Callable<?>;
    }

    /**
     * Adds what a help ends with: exit codes, notes, examples.
     *
     * @param begin begins each of them, by its title
     */
    private static void ending(Manual page, CommandSpec spec, Consumer<String> begin) {
        List<String> exit = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> examples = new ArrayList<>();
        List<String> into = notes;
        for (String line : String.join("%n", spec.usageMessage().footer()).split("%n", -1)) {
            String text = Ansi.OFF.string(line);
            if (text.isBlank()) {
                into = notes;
            } else if (text.matches("Examples?:")) {
                into = examples;
            } else {
                into = text.startsWith(EXIT_CODE) ? exit : into;
                into.add(text);
            }
        }
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        if (!codes.isEmpty() || !exit.isEmpty()) {
            begin.accept("EXIT STATUS");
            codes.forEach((code, meaning) -> page.term(code.strip(), plain(meaning)));
        }
        if (!exit.isEmpty()) {
            String text = plain(exit.toArray(String[]::new)).substring(EXIT_CODE.length());
            page.paragraph(text.strip());
        }
        if (!notes.isEmpty()) {
            begin.accept("NOTES");
            page.paragraph(plain(notes.toArray(String[]::new)));
        }
        if (!examples.isEmpty()) {
            begin.accept("EXAMPLES");
            page.example(examples.stream().map(String::strip).toList());
        }
    }

    private static void commands(Manual page, CommandSpec spec) {
        for (CommandLine each : spec.subcommands().values()) {
            CommandSpec command = each.getCommandSpec();
            if (!command.usageMessage().hidden()) {
                page.part(plain(each.getHelp().synopsis(0)))
                        .paragraph(plain(command.usageMessage().description()));
                options(page, command);
                ending(page, command, title -> page.paragraph(HEADS.getOrDefault(title, title)));
                commands(page, command);
            }
        }
    }

    private static String places(CommandSpec spec) {
        return spec.positionalParameters().stream()
                .filter(each -> !each.hidden())
                .map(each -> " " + each.paramLabel())
                .collect(Collectors.joining());
    }

    private static String plain(String... lines) {
        String text = String.join(" ", Arrays.stream(lines).map(String::strip).toList());
        return Ansi.OFF.string(text.replace("%n", " ")).replaceAll("\\s+", " ").strip();
    }
}
