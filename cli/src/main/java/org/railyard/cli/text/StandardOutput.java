package org.railyard.cli.text;

import java.io.Console;

/** What is known of the program's output. */
public final class StandardOutput {
    private StandardOutput() {}

    /** Tells whether a person looks at it. */
    // The check believes that there is always a console; java.base's own is there only when a person is.
    @SuppressWarnings("SystemConsoleNull")
    public static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
