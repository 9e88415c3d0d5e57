package org.railyard.bench;

import org.railyard.cli.CommandGroup;
import org.railyard.cli.CommandProvider;

/** Adds {@code railyard bench}. */
public final class BenchCommandProvider implements CommandProvider {
    /** For {@code ServiceLoader}. */
    public BenchCommandProvider() {}

    @Override
    public CommandGroup group() {
        return CommandGroup.MEASUREMENT;
    }

    @Override
    public Object command() {
        return new BenchCommand();
    }
}
