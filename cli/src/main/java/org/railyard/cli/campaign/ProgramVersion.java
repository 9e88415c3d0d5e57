package org.railyard.cli.campaign;

import java.util.List;
import java.util.stream.Collectors;
import org.railyard.base.text.ShellWord;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Which program runs, and how it was called. */
final class ProgramVersion {
    private static final String COMMIT = "commit ";

    private ProgramVersion() {}

    /** Returns name, version and commit of the program. */
    static String of(CommandSpec spec) {
        try {
            List<String> lines = List.of(spec.root().version());
            List<String> all = spec.root().versionProvider() == null
                    ? lines
                    : List.of(spec.root().versionProvider().getVersion());
            if (all.isEmpty()) {
                return "railyard";
            }
            String build = all.size() > 1 && all.get(1).startsWith(COMMIT) ? all.get(1) : "";
            return all.getFirst() + (build.isEmpty() ? "" : " " + build.split(",", -1)[0]);
        } catch (Exception e) {
            throw new IllegalStateException("the version of the program is not known", e);
        }
    }

    /** Returns the command line, as a shell takes it. */
    static String commandLine(CommandSpec spec) {
        ParseResult parsed = spec.root().commandLine().getParseResult();
        List<String> words = parsed == null ? List.of() : parsed.originalArgs();
        return "railyard " + words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }
}
