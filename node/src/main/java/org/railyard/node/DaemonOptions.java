package org.railyard.node;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a daemon is started.
 *
 * @param config configuration for the first start; nothing is configured if the file is not there
 * @param requireConfig whether it is an error if the file is not there
 * @param socket where to be controlled
 * @param group who may control it beside the owner; absent for nobody
 * @param state folder in which the configuration is kept over restarts; absent to keep nothing
 * @param fresh whether to forget what was kept
 * @param metrics address and port for those who watch; absent for none
 * @param anySourcePort whether to dial from any local port, which needs no privilege
 * @param selftest whether others may test the node, and let it test others
 * @param parameters module parameters by name
 */
public record DaemonOptions(
        Path config,
        boolean requireConfig,
        Path socket,
        @Nullable String group,
        @Nullable Path state,
        boolean fresh,
        @Nullable String metrics,
        boolean anySourcePort,
        boolean selftest,
        Map<String, String> parameters) {
    /** Copies the map. */
    public DaemonOptions {
        parameters = new LinkedHashMap<>(parameters);
    }
}
