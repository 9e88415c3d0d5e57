package org.railyard.control;

import java.util.Locale;

/**
 * Something to be done with a node. Records, grouped as the commands of the configuration tool are; {@link
 * OperationCodec} turns them into maps and back. Texts are as a person writes them (nets, NIDs, lists) and are read
 * where the operation is done, so that all ways to a node say the same of a mistake. {@link CliCommand} and {@link
 * CliOption} say what an operation and its components are called in {@code lnetctl}, and what they mean.
 */
public sealed interface Operation
        permits BondOperation,
                ConfigOperation,
                DebugOperation,
                DoctorOperation,
                EventsOperation,
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
                UdspOperation,
                Operation.Query,
                Operation.Action,
                Operation.Change {

    /** An operation that changes nothing. */
    sealed interface Query extends Operation
            permits BondOperation.Show,
                    ConfigOperation.Export,
                    DebugOperation.Recovery,
                    DebugOperation.Peer,
                    DebugOperation.Conn,
                    DebugOperation.CptOfNid,
                    DebugOperation.Ni,
                    DebugOperation.PeerAt,
                    DebugOperation.SumNet,
                    DebugOperation.SumPeer,
                    DebugOperation.Usage,
                    DoctorOperation.Examine,
                    EventsOperation.Show,
                    ExplainOperation.Path,
                    ExplainOperation.Health,
                    FaultOperation.Show,
                    GlobalOperation.Show,
                    LnetOperation.Status,
                    NetOperation.Show,
                    NetStatusOperation.Show,
                    O2ibsOperation.Show,
                    O2ibsOperation.Routes,
                    O2ibsOperation.Tunables,
                    PeerOperation.Show,
                    PeerOperation.List,
                    RouteOperation.Show,
                    RoutingOperation.Show,
                    StatsOperation.Show,
                    StatsOperation.Sample,
                    UdspOperation.Show {}

    /** An operation that only acts on the network and what follows from that. */
    sealed interface Action extends Operation
            permits FaultOperation.Add,
                    FaultOperation.Delete,
                    FaultOperation.Reset,
                    O2ibsOperation.Check,
                    StatsOperation.Reset,
                    TargetOperation.Ping,
                    TargetOperation.Discover {}

    /** An operation that changes the configuration of the node. */
    sealed interface Change extends Operation
            permits Edit,
                    ConfigOperation.Confirm,
                    ConfigOperation.Undo,
                    LnetOperation.Configure,
                    LnetOperation.Unconfigure {}

    /** A change of LNet while it runs. */
    sealed interface Edit extends Change
            permits BondOperation.Add,
                    BondOperation.Delete,
                    BondOperation.Set,
                    ConfigOperation.Import,
                    GlobalOperation.Set,
                    NetOperation.Add,
                    NetOperation.Delete,
                    NetOperation.Set,
                    O2ibsOperation.Add,
                    O2ibsOperation.Delete,
                    PeerOperation.Add,
                    PeerOperation.Delete,
                    PeerOperation.Set,
                    RouteOperation.Add,
                    RouteOperation.Delete,
                    UdspOperation.Add,
                    UdspOperation.Delete {}

    /** Tells whether it changes the configuration of the node. */
    default boolean isChange() {
        return this instanceof Change;
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
