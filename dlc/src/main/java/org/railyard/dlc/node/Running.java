package org.railyard.dlc.node;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.dlc.api.DlcException;
import org.railyard.dlc.api.Operation;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetConfig;

/** LNet in a service: there or not, and settings that are kept for it though they have no effect. Thread-safe; changes are serialised by the caller. */
final class Running {
    private final Machine machine;
    private final Map<String, Integer> kept = new LinkedHashMap<>();
    private volatile @Nullable LNet lnet;

    Running(Machine machine) {
        this.machine = machine;
    }

    Machine machine() {
        return machine;
    }

    boolean isConfigured() {
        return lnet != null;
    }

    /** Returns LNet. Refuses the operation with ENETDOWN if it does not run. */
    LNet require(Operation operation) {
        LNet running = lnet;
        if (running == null) {
            throw new DlcException(
                    operation, Errno.ENETDOWN, "LNet is not configured here; start it with 'lnetctl lnet configure'");
        }
        return running;
    }

    /** Returns LNet, null if it does not run. */
    @Nullable
    LNet get() {
        return lnet;
    }

    /** Starts it; no effect if it runs. */
    void start(LNetConfig config) {
        if (lnet == null) {
            lnet = LNet.start(config);
        }
    }

    /** Stops it; no effect if it does not run. */
    void stop() {
        LNet running = lnet;
        if (running != null) {
            lnet = null;
            running.close();
            synchronized (kept) {
                kept.clear();
            }
        }
    }

    /** Returns a setting that has no effect here. */
    int kept(String name, int otherwise) {
        synchronized (kept) {
            return kept.getOrDefault(name, otherwise);
        }
    }

    /** Keeps a setting that has no effect here. */
    void keep(String name, int value) {
        synchronized (kept) {
            kept.put(name, value);
        }
    }
}
