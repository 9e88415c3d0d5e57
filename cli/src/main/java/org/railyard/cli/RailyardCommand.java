package org.railyard.cli;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.railyard.cli.text.SpecManual;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code railyard} itself: the options that every command has. */
@Command(
        name = "railyard",
        mixinStandardHelpOptions = true,
        versionProvider = BuildInfo.class,
        sortOptions = false,
        description =
                "Ping, test, watch and run nodes of Lustre Networking (LNet) in user space; route InfiniBand tori.",
        synopsisSubcommandLabel = "COMMAND",
        footer = "%nrailyard COMMAND --help tells more about a command.")
final class RailyardCommand {
    /** What the standard options of picocli call the one that shows the version. */
    static final Set<String> VERSION_OPTIONS = Set.of("-V", "--version");

    private static final String DEBUG_OPTION = "--debug";
    private static final Pattern VERBOSE_OPTIONS = Pattern.compile("-v+");

    @Option(
            names = "-v",
            scope = ScopeType.INHERIT,
            description = "Log what happens to standard error; -vv logs details.")
    private boolean[] verbose = {};

    @Option(names = DEBUG_OPTION, scope = ScopeType.INHERIT, description = "Show the stack trace of a failure.")
    private boolean debug;

    @Option(names = "--man-page", description = "Write the page for man, and end: railyard --man-page > railyard.8")
    private boolean manPage;

    /** Returns whether a word is one of the options that every command has, as they stand before a command. */
    static boolean isInherited(String word) {
        return word.equals(DEBUG_OPTION) || VERBOSE_OPTIONS.matcher(word).matches();
    }

    /** Returns whether stack traces are wanted. */
    boolean debug() {
        return debug;
    }

    /** Sets up logging as the options say, then runs the last command of the line. */
    int execute(ParseResult line) {
        Logging.setUp(verbose.length);
        refuseUnknownWords(line);
        if (manPage && !line.hasSubcommand()) {
            CommandLine root = line.commandSpec().commandLine();
            root.getOut().print(SpecManual.of(line.commandSpec(), "railyard", ManPages.all(line.commandSpec())));
            return ExitCode.OK;
        }
        Optional<String> page = ManPages.wanted(line);
        if (page.isPresent()) {
            line.commandSpec().commandLine().getOut().print(page.get());
            return ExitCode.OK;
        }
        if (!line.hasSubcommand() && !line.isUsageHelpRequested() && !line.isVersionHelpRequested()) {
            CommandLine root = line.commandSpec().commandLine();
            root.usage(root.getErr(), root.getColorScheme());
            return ExitCode.USAGE;
        }
        return new CommandLine.RunLast().execute(line);
    }

    /** Picocli forgives unknown words beside {@code --help}; then a misspelt command would show the wrong help. */
    private static void refuseUnknownWords(ParseResult line) {
        boolean takesAny = !line.commandSpec().unmatchedArgsBindings().isEmpty();
        if (!line.unmatched().isEmpty() && !takesAny) {
            throw new UnmatchedArgumentException(line.commandSpec().commandLine(), line.unmatched());
        }
        if (line.hasSubcommand()) {
            refuseUnknownWords(line.subcommand());
        }
    }
}
