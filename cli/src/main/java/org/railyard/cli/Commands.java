package org.railyard.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.railyard.cli.campaign.CampaignCommand;
import org.railyard.cli.console.ConsoleCommand;
import org.railyard.cli.demo.DemoCommand;
import org.railyard.cli.explain.ExplainCommand;
import org.railyard.cli.fabric.FabricCommand;
import org.railyard.cli.lab.LabCommand;
import org.railyard.cli.lnetctl.LnetctlCommand;
import org.railyard.cli.lnetd.LnetdCommand;
import org.railyard.cli.lst.LstCommand;
import org.railyard.cli.mad.MadCommand;
import org.railyard.cli.node.DiscoverCommand;
import org.railyard.cli.node.PingCommand;
import org.railyard.cli.o2ib.O2ibCommand;
import org.railyard.cli.sm.SmCommand;
import org.railyard.decode.DecodeCommand;

/** The list of commands: those of this module by name, those of other modules through {@code ServiceLoader}. */
final class Commands {
    private static final System.Logger LOG = System.getLogger(Commands.class.getName());

    /** The commands of this module. A new command is added here and nowhere else. */
    private static final List<CommandProvider> OWN = List.of(
            new Own(CommandGroup.NETWORK, PingCommand::new),
            new Own(CommandGroup.NETWORK, DiscoverCommand::new),
            new Own(CommandGroup.NETWORK, LnetdCommand::new),
            new Own(CommandGroup.NETWORK, LnetctlCommand::new),
            new Own(CommandGroup.NETWORK, LstCommand::new),
            new Own(CommandGroup.NETWORK, SmCommand::new),
            new Own(CommandGroup.ANALYSIS, CampaignCommand::new),
            new Own(CommandGroup.ANALYSIS, DecodeCommand::new),
            new Own(CommandGroup.ANALYSIS, ExplainCommand::new),
            new Own(CommandGroup.ANALYSIS, FabricCommand::new),
            new Own(CommandGroup.ANALYSIS, LabCommand::new),
            new Own(CommandGroup.ANALYSIS, MadCommand::new),
            new Own(CommandGroup.ANALYSIS, O2ibCommand::new),
            new Own(CommandGroup.MEASUREMENT, ConsoleCommand::new),
            new Own(CommandGroup.MEASUREMENT, DemoCommand::new),
            new Own(CommandGroup.SHELL, CompletionCommand::new));

    private Commands() {}

    /**
     * Returns all commands. A provider that can not be made is logged and left out: it must not take the other commands
     * down.
     */
    static List<CommandProvider> all() {
        List<CommandProvider> all = new ArrayList<>(OWN);
        ServiceLoader.load(CommandProvider.class).stream().forEach(provider -> {
            try {
                all.add(provider.get());
            } catch (ServiceConfigurationError e) {
                LOG.log(System.Logger.Level.WARNING, "command left out: " + e.getMessage(), e);
            }
        });
        return all;
    }

    /** A command of this module. */
    private record Own(CommandGroup group, Supplier<Object> maker) implements CommandProvider {
        @Override
        public Object command() {
            return maker.get();
        }
    }
}
