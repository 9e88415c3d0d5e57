package org.railyard.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.railyard.dlc.api.ConfigOperation;
import org.railyard.dlc.api.Dlc;
import org.railyard.dlc.api.DlcException;
import org.railyard.dlc.api.LnetOperation;
import org.railyard.dlc.node.NodeDlc;
import org.railyard.dlc.text.YamlText;
import org.railyard.lnet.Errno;
import org.railyard.lnet.GatewayInfo;
import org.railyard.lnet.LNet;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.Tunable;
import org.railyard.node.control.ControlServer;
import org.railyard.node.facts.OpenFiles;
import org.railyard.node.metrics.MetricsServer;
import org.railyard.node.selftest.SelftestService;

/** A node as a service, from its start to {@link #close}. */
public final class Daemon implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.railyard.node");
    private static final long MAX_CONFIG = 16L << 20;

    /** Limits of a check of a gateway after which a start goes on without it. */
    private static final int ROUTER_CHECK_LIMITS = 2;

    private final ScheduledExecutorService timer;
    private final SelftestService selftest;
    private final SystemMachine machine;
    private final NodeDlc dlc;
    private final @Nullable StateStore store;
    private final ControlServer control;
    private final @Nullable MetricsServer metrics;

    /**
     * Starts: configures the node as it was last, or as the file says, then listens.
     *
     * @throws IOException if a file or the socket can not be used
     * @throws DlcException if the configuration is refused; nothing is left running
     */
    public Daemon(DaemonOptions options) throws IOException {
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("lnetd-timer").factory());
        try {
            selftest = SelftestService.of(options.parameters(), options.selftest());
            machine = new SystemMachine(options.parameters(), options.anySourcePort(), timer, selftest);
            dlc = new NodeDlc(machine);
            store = options.state() == null ? null : new StateStore(options.state());
        } catch (IOException | RuntimeException e) {
            timer.shutdownNow();
            throw e;
        }
        OpenFiles.warning(machine.descriptors()).ifPresent(line -> LOG.log(System.Logger.Level.WARNING, line));
        try {
            configure(options);
            dlc.onChange(this::keep);
            control =
                    ControlServer.start(options.socket(), options.group(), dlc, Map.of(SelftestService.NAME, selftest));
        } catch (IOException | RuntimeException e) {
            dlc.close();
            machine.close();
            timer.shutdownNow();
            throw e;
        }
        try {
            metrics = options.metrics() == null ? null : MetricsServer.start(options.metrics(), dlc, machine::figures);
        } catch (IOException | RuntimeException e) {
            control.close();
            dlc.close();
            machine.close();
            timer.shutdownNow();
            throw e;
        }
        LOG.log(System.Logger.Level.INFO, "controlled at {0}", control.socket());
    }

    private void configure(DaemonOptions options) throws IOException {
        applyConfiguration(options);
        awaitRouters();
    }

    /** With the setting for it, nobody can use the node before each gateway was checked once (spec 11 §6.3); a gateway that stays silent does not hold it up for ever. */
    private void awaitRouters() {
        LNet lnet = dlc.lnet();
        if (lnet == null || !lnet.settings().is(Tunable.CHECK_ROUTERS_BEFORE_USE)) {
            return;
        }
        long limit = ROUTER_CHECK_LIMITS * (long) lnet.settings().get(Tunable.ROUTER_PING_TIMEOUT);
        try {
            lnet.routes().checked().toCompletableFuture().get(limit, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "gateways were not checked within {0} s: {1}; the node goes on without them",
                    limit,
                    lnet.routes().gateways().stream()
                            .filter(gateway -> !gateway.checked())
                            .map(GatewayInfo::primaryNid)
                            .toList());
        } catch (ExecutionException e) {
            throw new LNetException(Errno.EINTR, "the wait for the first checks of gateways ended early", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LNetException(Errno.EINTR, "interrupted while gateways were checked", e);
        }
    }

    private void applyConfiguration(DaemonOptions options) throws IOException {
        Optional<StateStore.State> kept = store == null || options.fresh() ? Optional.empty() : store.load();
        if (kept.isPresent()) {
            if (kept.get().configured()) {
                read(
                        store == null ? "state" : store.file().toString(),
                        kept.get().document());
            }
            return;
        }
        Path file = options.config();
        if (Files.exists(file)) {
            if (Files.size(file) > MAX_CONFIG) {
                throw new IOException(file + " is longer than " + MAX_CONFIG + " bytes");
            }
            read(file.toString(), Files.readString(file));
            keep(dlc);
        } else if (options.requireConfig()) {
            throw new LNetException(
                    Errno.ENOENT,
                    "there is no configuration " + file
                            + "; name another with --config, or leave it away to start without");
        } else if (options.parameters().containsKey("networks")
                || options.parameters().containsKey("ip2nets")) {
            dlc.execute(new LnetOperation.Configure(true, false));
        }
    }

    private void read(String name, String text) {
        dlc.execute(new LnetOperation.Configure(false, false));
        Map<String, Object> answer = dlc.execute(new ConfigOperation.Import(text, name, null, false, null));
        if (answer.get("warnings") instanceof List<?> warnings) {
            warnings.forEach(each -> LOG.log(System.Logger.Level.WARNING, "{0}", each));
        }
    }

    /** Keeps the configuration as it is now. A disk that is full does not take the node down. */
    private void keep(Dlc changed) {
        if (store == null) {
            return;
        }
        try {
            boolean configured = dlc.lnet() != null;
            String document = configured ? YamlText.of(changed.execute(new ConfigOperation.Export(true))) : "";
            store.save(new StateStore.State(configured, document));
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the configuration can not be kept in {0}: {1}; after a restart the one before counts",
                    store.file(),
                    e.getMessage());
        }
    }

    /** Returns where it is controlled. */
    public Path socket() {
        return control.socket();
    }

    /** Returns the port for those who watch, 0 if there is none. */
    public int metricsPort() {
        return metrics == null ? 0 : metrics.port();
    }

    /** Stops to listen, then stops the node; what was kept stays. */
    @Override
    public void close() {
        if (metrics != null) {
            metrics.close();
        }
        control.close();
        timer.shutdownNow();
        dlc.close();
        machine.close();
    }
}
