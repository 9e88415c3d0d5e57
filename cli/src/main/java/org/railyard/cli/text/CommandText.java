package org.railyard.cli.text;

import java.util.List;
import java.util.stream.Collectors;
import org.railyard.base.text.ShellWord;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** How a program was called. */
public final class CommandText {
    private CommandText() {}

    /** Returns the command line, as a shell takes it. */
    public static String of(CommandSpec spec) {
        ParseResult parsed = spec.root().commandLine().getParseResult();
        List<String> words = parsed == null ? List.of() : parsed.originalArgs();
        return spec.root().name() + " " + words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }
}
