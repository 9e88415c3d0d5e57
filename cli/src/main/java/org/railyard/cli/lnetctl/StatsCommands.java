package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.control.DebugOperation;
import org.railyard.control.StatsOperation;

/** {@code stats} (spec 12 §2.6). */
final class StatsCommands {
    private StatsCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "stats",
                "what the node counted",
                new Command(
                                "stats",
                                "show",
                                "",
                                "show what the node counted as a whole",
                                List.of(Opt.value(
                                        "sum", (char) 0, "NET|NID", "the sums over the NIs of a net, or of a peer")),
                                StatsCommands::show)
                        .overlookingOptions(),
                OperationCommand.of(StatsOperation.Reset.class, Session::classic)
                        .command()
                        .overlookingOptions());
    }

    private static int show(ParsedLine line, Session session) {
        String sum = line.get("sum");
        if (sum == null) {
            return session.classic(new StatsOperation.Show());
        }
        return session.classic(sum.contains("@") ? new DebugOperation.SumPeer(sum) : new DebugOperation.SumNet(sum));
    }
}
