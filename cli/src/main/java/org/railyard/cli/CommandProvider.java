package org.railyard.cli;

/**
 * Adds a command to {@code railyard}. Found through {@code ServiceLoader}, so that the main program needs no module of
 * the commands it runs.
 *
 * <p>A provider has a public constructor without parameters, which must be cheap: every provider is made on every
 * start. The package of the command class is opened to {@code info.picocli}.
 */
public interface CommandProvider {
    /**
     * Returns a new command: an object of a class with picocli's {@code @Command}, or the specification of one. Its
     * {@code name} is the word on the command line, and it is a {@code Callable<Integer>} (the exit code) or a {@code
     * Runnable}. The options {@code -v} and {@code --debug} are the main program's: the command must not declare them.
     * It gets {@code -h} and {@code --help} if it has none of its own.
     */
    Object command();

    /** Returns the heading under which {@code railyard --help} lists the command. */
    default CommandGroup group() {
        return CommandGroup.MEASUREMENT;
    }
}
