package org.railyard.control.node;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.config.Configuration;
import org.railyard.control.DlcException;
import org.railyard.control.Operation;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;

/** LNet in a service: there or not. Thread-safe; changes are serialised by the caller. */
final class Running {
    private final NodeEnvironment machine;
    private volatile @Nullable LNet lnet;
    private volatile boolean prefersLarge;
    private volatile @Nullable LNetConfig startedWith;
    private volatile boolean ending;

    Running(NodeEnvironment machine) {
        this.machine = machine;
    }

    NodeEnvironment machine() {
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

    /**
     * Starts it; no effect if it runs.
     *
     * @param large whether IPv6 addresses of interfaces come before IPv4 ones
     */
    void start(LNetConfig config, boolean large) {
        if (lnet == null) {
            prefersLarge = large;
            LNet started = LNet.start(config);
            startedWith = config;
            try {
                machine.started(started);
            } catch (RuntimeException | Error e) {
                started.close();
                throw e;
            }
            lnet = started;
        }
    }

    /** Tells whether its CPUs are divided as a configuration says. */
    boolean hasCpusOf(Configuration wanted) {
        LNetConfig config = startedWith;
        return config != null
                && config.cpuPartitions() == wanted.cpuPartitions()
                && config.cpuPattern().equals(wanted.cpuPattern());
    }

    /** Tells whether IPv6 addresses of interfaces come before IPv4 ones. */
    boolean prefersLarge() {
        return prefersLarge;
    }

    /** Tells changes that are under way that the service ends: nobody wants the rest of them. */
    void end() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    /**
     * To be called before each part of a change that may have many.
     *
     * @throws ErrnoException ESHUTDOWN if the service ends
     */
    void requireGoing() {
        if (ending) {
            throw new ErrnoException(Errno.ESHUTDOWN, "the service ends");
        }
    }

    /** Stops it; no effect if it does not run. */
    void stop() {
        LNet running = lnet;
        if (running != null) {
            lnet = null;
            machine.stopping();
            running.close();
        }
    }
}
