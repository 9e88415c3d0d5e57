package org.railyard.cli.o2ib;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.cli.service.RunningNode;
import org.railyard.control.O2ibsOperation;
import org.railyard.node.control.SocketPath;
import org.railyard.node.o2ib.LiveNiDocument;
import org.railyard.o2iblnd.tune.LiveNi;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say which node that runs is to be looked at. */
final class LiveOptions {
    @Option(
            names = "--node",
            paramLabel = "SOCKET",
            arity = "0..1",
            fallbackValue = "",
            description = "Begin with the settings, device limits and peers of the node that lnetd runs, instead of"
                    + " defaults; --set, --peer, --sweep and --diff change them. SOCKET is the control socket;"
                    + " default: where lnetctl finds it.")
    private @Nullable String socket;

    @Option(
            names = "--net",
            paramLabel = "NET",
            description = "With --node: the NI on this net, such as o2ib1. Needed if there are several.")
    private @Nullable String net;

    @Option(names = "--nid", paramLabel = "NID", description = "With --node: the NI with this NID.")
    private @Nullable String nid;

    /**
     * Asks the node; null if none is to be asked.
     *
     * @throws ErrnoException ENOENT if there is no such NI, or several
     */
    @Nullable
    LiveNi find(CommandLine command) {
        if (socket == null) {
            if (net != null || nid != null) {
                throw new ParameterException(command, "--net and --nid say which NI of --node is to be looked at");
            }
            return null;
        }
        Map<String, Object> answer = RunningNode.at(path()).execute(new O2ibsOperation.Tunables(net, nid));
        List<LiveNi> found = new ArrayList<>();
        if (answer.get("tunables") instanceof List<?> documents) {
            for (Object each : documents) {
                if (each instanceof Map<?, ?> document) {
                    found.add(LiveNiDocument.read(document));
                }
            }
        }
        if (found.size() != 1) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "the node has " + found.size() + " such NIs; say with --nid which one: "
                            + found.stream().map(ni -> ni.nid().toString()).collect(Collectors.joining(", ")));
        }
        return found.getFirst();
    }

    /** Returns the socket that is asked at, the usual one unless another was given. */
    Path path() {
        return socket == null || socket.isEmpty() ? SocketPath.LNETD.toAsk() : Path.of(socket);
    }
}
