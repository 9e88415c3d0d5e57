package org.railyard.cli.fabric;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code railyard fabric}: the commands about InfiniBand fabrics. */
@Command(
        name = "fabric",
        exitCodeOnExecutionException = FabricCommand.FAILED,
        description = "Look at InfiniBand fabrics, route tori, prove routes free of credit loops.",
        subcommands = {
            ShowCommand.class,
            RouteCommand.class,
            VerifyCommand.class,
            PathCommand.class,
            WhatifCommand.class,
            DiffCommand.class,
            DrawCommand.class,
            QosCommand.class,
            SimCommand.class,
            LinkTopCommand.class,
            GenerateCommand.class
        })
public final class FabricCommand implements Runnable {
    /**
     * Exit code of a command that could not finish: results cannot be written, or it is at fault itself. No finding has
     * this code, so a full disk never looks like a credit loop.
     */
    static final int FAILED = 5;

    /** What help says about {@link #FAILED}. */
    static final String FAILED_TEXT =
            FAILED + ":results cannot be written, to a file or to standard output, or an internal error";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public FabricCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: show, route, verify, path, whatif, diff, draw, qos, sim, top or generate");
    }
}
