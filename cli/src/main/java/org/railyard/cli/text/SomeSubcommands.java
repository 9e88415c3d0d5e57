package org.railyard.cli.text;

import java.util.Set;

/** A command that is made for a line with some of its subcommands only, as the options of all take time to be read. */
public interface SomeSubcommands {
    /** Returns the names of all its subcommands, for whoever misspells one. */
    Set<String> allSubcommands();
}
