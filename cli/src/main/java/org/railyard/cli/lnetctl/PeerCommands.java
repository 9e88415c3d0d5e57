package org.railyard.cli.lnetctl;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.control.Operation;
import org.railyard.control.OperationCodec;
import org.railyard.control.PeerOperation;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidList;

/** {@code peer} (spec 12 §2.4). */
final class PeerCommands {
    private PeerCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "peer",
                "peers and their NIDs",
                OperationCommand.of(PeerOperation.Add.class, PeerCommands::run).command(),
                OperationCommand.of(PeerOperation.Delete.class, PeerCommands::run)
                        .command(),
                OperationCommand.of(PeerOperation.Show.class, PeerCommands::run)
                        .refusing(PeerCommands::wrongToShow)
                        .command(),
                OperationCommand.of(PeerOperation.List.class, Session::run).command(),
                OperationCommand.of(PeerOperation.Set.class, Session::run).command());
    }

    private static @Nullable String wrongToShow(ParsedLine line) {
        Integer max = line.number("max");
        return max == null || max > 0 ? null : "--max " + max + "; expected 1 or more";
    }

    /** A NID that can not be read is one that nobody knows, and has never been worth a word. */
    private static int run(Session session, Operation operation) {
        var fields = OperationCodec.encode(operation);
        boolean readable = session.isTold()
                || Stream.of("prim_nid", "nids", "nid")
                        .map(fields::get)
                        .filter(Objects::nonNull)
                        .allMatch(nids -> isReadable(nids.toString()));
        return readable ? session.peers(operation) : Exit.FAILED;
    }

    private static boolean isReadable(String nids) {
        try {
            NidList.parse(nids);
            return true;
        } catch (NidFormatException e) {
            return false;
        }
    }
}
