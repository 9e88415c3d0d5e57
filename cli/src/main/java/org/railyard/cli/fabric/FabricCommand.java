package org.railyard.cli.fabric;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric}: the commands about InfiniBand fabrics. */
@Command(
        name = "fabric",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        description = "Look at InfiniBand fabrics, route tori, prove routes free of credit loops.")
public final class FabricCommand implements Runnable {
    /**
     * Exit code of a command that could not finish: results cannot be written, or it is at fault itself. No finding has
     * this code, so a full disk never looks like a credit loop.
     */
    static final int FAILED = 5;

    /** What help says about {@link #FAILED}. */
    static final String FAILED_TEXT =
            FAILED + ":results cannot be written, to a file or to standard output, or an internal error";

    private static final Map<String, Supplier<Object>> SUBCOMMANDS = subcommands();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private FabricCommand() {}

    private static Map<String, Supplier<Object>> subcommands() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("show", ShowCommand::new);
        all.put("route", RouteCommand::new);
        all.put("verify", VerifyCommand::new);
        all.put("path", PathCommand::new);
        all.put("whatif", WhatifCommand::new);
        all.put("diff", DiffCommand::new);
        all.put("draw", DrawCommand::new);
        all.put("qos", QosCommand::new);
        all.put("sim", SimCommand::new);
        all.put("top", LinkTopCommand::new);
        all.put("generate", GenerateCommand::new);
        return all;
    }

    /**
     * Makes the command for a line: with the subcommand that it names alone, otherwise with all of them, because the
     * options of all take a tenth of a second to be read.
     *
     * @param words what follows the command on the line
     */
    public static CommandSpec of(List<String> words) {
        String word = words.isEmpty() ? "" : words.getFirst();
        CommandSpec fabric = CommandSpec.forAnnotatedObject(new FabricCommand());
        Supplier<Object> named = SUBCOMMANDS.get(word);
        Map<String, Supplier<Object>> needed = named == null ? SUBCOMMANDS : Map.of(word, named);
        needed.forEach((name, maker) -> fabric.addSubcommand(name, new CommandLine(maker.get())));
        return fabric;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: " + String.join(", ", SUBCOMMANDS.keySet()));
    }
}
