package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules that make things go wrong on purpose (spec 12 §2.6, 10 §18). {@code kind} is {@code drop} or {@code delay}, the
 * second word of the command.
 */
public sealed interface FaultOperation extends Operation {
    /** Adds a rule. */
    @CliCommand(value = "fault add", help = "lose messages (drop) or hold them up (delay)")
    record Add(
            String kind,

            @CliOption(
                    letter = 's',
                    value = "NID",
                    help = "source NID; *@NET for all of a net, * for all",
                    required = true)
            @Nullable
            String source,

            @CliOption(letter = 'd', value = "NID", help = "destination NID, in the same way", required = true)
            @Nullable
            String dest,

            @CliOption(letter = 'r', help = "one message in N") @Nullable
            Integer rate,

            @CliOption(letter = 'i', value = "SECONDS", help = "one message in that time") @Nullable
            Integer interval,

            @CliOption(name = "portal", letter = 'p', help = "portal, 0 to 63; may be repeated", repeated = true)
            List<String> portals,

            @CliOption(
                    name = "message",
                    letter = 'm',
                    value = "TYPE",
                    help = "PUT, ACK, GET or REPLY; may be repeated",
                    repeated = true)
            List<String> messages,

            @CliOption(name = "local_nid", letter = 'o', value = "NID", help = "NID that received the message")
            @Nullable
            String localNid,

            @CliOption(
                    name = "health_error",
                    letter = 'e',
                    value = "NAME",
                    help = "drop: fail on sending, with this; may be repeated",
                    repeated = true)
            List<String> healthErrors,

            @CliOption(letter = 'n', help = "drop: by chance within the interval")
            boolean random,

            @CliOption(name = "drop_all", letter = 'x', help = "drop: all that match")
            boolean dropAll,

            @CliOption(letter = 'l', value = "SECONDS", help = "delay: for how long") @Nullable
            Integer latency)
            implements FaultOperation, Action {
        /** Copies the lists. */
        public Add {
            portals = List.copyOf(portals);
            messages = List.copyOf(messages);
            healthErrors = List.copyOf(healthErrors);
        }
    }

    /** Deletes the rules made with a source and a destination, or all. */
    @CliCommand(value = "fault del", help = "delete rules")
    record Delete(
            String kind,

            @CliOption(letter = 's', value = "NID", help = "source, as the rule was made") @Nullable
            String source,

            @CliOption(letter = 'd', value = "NID", help = "destination, as the rule was made") @Nullable
            String dest,

            @CliOption(letter = 'a', help = "all of them") boolean all)
            implements FaultOperation, Action {}

    /** Takes the counters of the rules of a kind to 0. */
    @CliCommand(value = "fault reset", help = "take the counters of the rules to 0")
    record Reset(String kind) implements FaultOperation, Action {}

    /** Shows the rules of a kind with their counters. */
    @CliCommand(value = "fault show", help = "show the rules and what they did")
    record Show(String kind) implements FaultOperation, Query {}
}
