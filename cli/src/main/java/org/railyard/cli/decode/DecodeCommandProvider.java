package org.railyard.cli.decode;

import org.railyard.cli.CommandGroup;
import org.railyard.cli.CommandProvider;

/** Adds {@code decode} to the commands. */
public final class DecodeCommandProvider implements CommandProvider {
    /** Makes a provider. */
    public DecodeCommandProvider() {}

    @Override
    public Object command() {
        return new DecodeCommand();
    }

    @Override
    public CommandGroup group() {
        return CommandGroup.ANALYSIS;
    }
}
