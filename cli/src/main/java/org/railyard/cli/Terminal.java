package org.railyard.cli;

import org.railyard.cli.text.StandardOutput;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;

/** Whether a person looks at the output. */
final class Terminal {
    private Terminal() {}

    /**
     * Returns colours for a terminal, none for a file or a pipe, or when {@code NO_COLOR} is set or {@code TERM} is
     * {@code dumb}.
     */
    static ColorScheme colors() {
        return Help.defaultColorScheme(isColorful() ? Ansi.ON : Ansi.OFF);
    }

    private static boolean isColorful() {
        return StandardOutput.isTerminal()
                && System.getenv("NO_COLOR") == null
                && !"dumb".equals(System.getenv("TERM"));
    }
}
