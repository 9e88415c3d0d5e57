package org.railyard.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.cli.lnetctl.LnetctlCommand;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The program {@code railyard}: reads the command line, runs one command, turns its outcome into an exit code. */
public final class Main {
    private static final int FAILED = 1;

    private Main() {}

    /**
     * How a command ended.
     *
     * @param exit its exit code
     * @param ifUnwritten its exit code if results then turn out not to be written
     */
    private record Ended(int exit, int ifUnwritten) {}

    /** Runs the command line and ends the process: 0 done, 1 the command failed, 2 the command line was wrong. */
    public static void main(String[] args) {
        OutputStream real = new FileOutputStream(FileDescriptor.out);
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        System.exit(run(real, System.out.charset(), err, args));
    }

    /**
     * Runs a command line whose results go to a stream that may refuse them: then the command has failed, whatever it
     * says itself. Somebody who has read enough is no failure.
     */
    static int run(OutputStream real, Charset charset, PrintWriter err, String... args) {
        WatchedOutput watched = new WatchedOutput(real);
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(watched, charset)), true);
        Ended ended = end(out, err, args);
        int exit = ended.exit();
        out.flush();
        IOException failure = watched.failure();
        if (failure == null || watched.readerHasLeft()) {
            return exit;
        }
        err.println("railyard: "
                + OneLine.of(Errno.EIO + ": results can not be written to standard output: " + failure.getMessage()
                        + "; what is there is not all"));
        err.flush();
        return exit == 0 ? ended.ifUnwritten() : exit;
    }

    /**
     * Runs a command line as {@link #main} does, in a process that goes on afterwards.
     *
     * @param out where results go
     * @param err where complaints go
     * @param args the words after {@code railyard}
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return end(out, err, args).exit();
    }

    private static Ended end(PrintWriter out, PrintWriter err, String... args) {
        if (args.length > 0 && args[0].equals(LnetctlCommand.NAME)) {
            // Its options are its own, and it is run often: nothing else is looked at.
            List<String> words = List.of(args).subList(1, args.length);
            return new Ended(LnetctlCommand.run(words, out, err, () -> new BuildInfo().getVersion()[0]), FAILED);
        }
        if (args.length == 1 && RailyardCommand.VERSION_OPTIONS.contains(args[0])) {
            // Asked for by scripts: needs no command to be made.
            for (String line : new BuildInfo().getVersion()) {
                out.println(line);
            }
            return new Ended(0, FAILED);
        }
        return end(Commands.neededFor(args), out, err, args);
    }

    /** Runs a command line with the given commands. */
    static int run(List<CommandProvider> commands, PrintWriter out, PrintWriter err, String... args) {
        return end(commands, out, err, args).exit();
    }

    private static Ended end(List<CommandProvider> commands, PrintWriter out, PrintWriter err, String... args) {
        RailyardCommand root = new RailyardCommand();
        CommandLine line = new CommandLine(root);
        GroupedHelp.install(line, commands);
        // After the subcommands are there: a setting goes to those that exist when it is made.
        line.setOut(out)
                .setErr(err)
                .setColorScheme(Terminal.colors())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Path.class, Main::path)
                .setExecutionStrategy(root::execute)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures(root));
        int exit = line.execute(args);
        out.flush();
        err.flush();
        return new Ended(exit, ifUnwritten(line.getParseResult()));
    }

    /** Nobody means the folder that they are in by an empty name. In the locale C names have only letters of ASCII. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("'' can not be the name of a file here (it is empty); name one");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' can not be the name of a file here (" + e.getReason()
                    + "); LC_ALL=C.UTF-8 allows all letters");
        }
    }

    /** Returns what the command itself exits with when it fails on its way. */
    private static int ifUnwritten(@Nullable ParseResult parsed) {
        ParseResult last = parsed;
        while (last != null && last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last == null ? FAILED : last.commandSpec().exitCodeOnExecutionException();
    }
}
