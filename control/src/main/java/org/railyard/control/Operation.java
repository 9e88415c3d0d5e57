package org.railyard.control;

import java.util.Locale;

/**
 * Something to be done with a node. Records, grouped as the commands of the configuration tool are; {@link
 * OperationCodec} turns them into maps and back. Texts are as a person writes them (nets, NIDs, lists) and are read
 * where the operation is done, so that all ways to a node say the same of a mistake.
 */
public sealed interface Operation
        permits BondOperation,
                ConfigOperation,
                DebugOperation,
                DoctorOperation,
                ExplainOperation,
                FaultOperation,
                GlobalOperation,
                LnetOperation,
                NetOperation,
                NetStatusOperation,
                O2ibsOperation,
                PeerOperation,
                RouteOperation,
                RoutingOperation,
                StatsOperation,
                TargetOperation,
                UdspOperation {

    /** Marks an operation that changes nothing. */
    interface Query {}

    /** Marks an operation that only acts on the network and what follows from that. */
    interface Action {}

    /** Tells whether it changes the configuration of the node. */
    default boolean isChange() {
        return !(this instanceof Query) && !(this instanceof Action);
    }

    /** Returns the name of its group, for example {@code net}. */
    default String group() {
        return OperationCodec.groupOf(getClass());
    }

    /** Returns its name in the group, for example {@code add}. */
    default String action() {
        return OperationCodec.nameOf(getClass());
    }

    /** Returns the top key of its error document. */
    default String verb() {
        return switch (action()) {
            case "add" -> "add";
            case "delete" -> "del";
            case "set" -> "set";
            default -> this instanceof Query ? "show" : "manage";
        };
    }

    /** Returns the entity of its error document. */
    default String entity() {
        return group().toLowerCase(Locale.ROOT);
    }
}
