package org.railyard.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private static final List<Own> OWN = List.of(
            new Own("ping", CommandGroup.NETWORK, PingCommand::new),
            new Own("discover", CommandGroup.NETWORK, DiscoverCommand::new),
            new Own("lnetd", CommandGroup.NETWORK, LnetdCommand::new),
            new Own("lnetctl", CommandGroup.NETWORK, LnetctlCommand::new),
            new Own("lst", CommandGroup.NETWORK, LstCommand::new),
            new Own("sm", CommandGroup.NETWORK, SmCommand::of, SmCommand::prepare),
            new Own("campaign", CommandGroup.ANALYSIS, CampaignCommand::new),
            new Own("decode", CommandGroup.ANALYSIS, DecodeCommand::new),
            new Own("explain", CommandGroup.ANALYSIS, ExplainCommand::new),
            new Own("fabric", CommandGroup.ANALYSIS, FabricCommand::of),
            new Own("lab", CommandGroup.ANALYSIS, LabCommand::new),
            new Own("mad", CommandGroup.ANALYSIS, MadCommand::new),
            new Own("o2ib", CommandGroup.ANALYSIS, O2ibCommand::new),
            new Own("console", CommandGroup.MEASUREMENT, ConsoleCommand::new),
            new Own("demo", CommandGroup.MEASUREMENT, DemoCommand::new),
            new Own(CompletionCommand.NAME, CommandGroup.SHELL, CompletionCommand::new));

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

    /**
     * Returns the commands that a line needs: all of them where it asks for help, for a completion script or for what
     * there is not, otherwise the one that it names, because the options of all take a second to be read. What this one
     * will need, and takes as long to get as its options to read, is begun.
     *
     * @param args the words after {@code railyard}
     */
    static List<CommandProvider> neededFor(String... args) {
        int first = 0;
        while (first < args.length && RailyardCommand.isInherited(args[first])) {
            first++;
        }
        String name = first < args.length ? args[first] : "";
        List<String> words = List.of(args).subList(Math.min(first + 1, args.length), args.length);
        for (Own own : OWN) {
            if (own.name.equals(name) && !name.equals(CompletionCommand.NAME)) {
                own.early.accept(words);
                return List.of(new Own(own.name, own.group, () -> own.maker.apply(words)));
            }
        }
        return all();
    }

    /**
     * A command of this module.
     *
     * @param name the word on the command line
     * @param maker makes it, if need be by the words behind it
     * @param early begins, by the words behind it, what is needed later
     */
    private record Own(
            String name, CommandGroup group, Function<List<String>, Object> maker, Consumer<List<String>> early)
            implements CommandProvider {
        Own(String name, CommandGroup group, Function<List<String>, Object> maker) {
            this(name, group, maker, _ -> {});
        }

        Own(String name, CommandGroup group, Supplier<Object> maker) {
            this(name, group, _ -> maker.get());
        }

        @Override
        public Object command() {
            return maker.apply(List.of());
        }
    }
}
