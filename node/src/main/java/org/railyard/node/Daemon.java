package org.railyard.node;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.YamlText;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.control.LnetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.host.WholeText;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.GatewayInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.node.control.ControlServer;
import org.railyard.node.facts.OpenFiles;
import org.railyard.node.metrics.MetricsServer;
import org.railyard.node.selftest.SelftestService;

/** A node as a service, from its start to {@link #close}. */
public final class Daemon implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.railyard.node");
    private static final int MAX_CONFIG = 16 << 20;

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
            OpenFiles.requireLeast(OpenFiles.look());
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
        dlc.forgetChanges();
        awaitRouters();
    }

    /**
     * With the setting for it, nobody can use the node before each gateway was checked once (spec 11 §6.3); a gateway
     * that stays silent does not hold it up for ever.
     */
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
            throw new ErrnoException(Errno.EINTR, "the wait for the first checks of gateways ended early", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ErrnoException(Errno.EINTR, "interrupted while gateways were checked", e);
        }
    }

    private void applyConfiguration(DaemonOptions options) throws IOException {
        if (store != null && !options.fresh() && applyKept(store, options.config())) {
            return;
        }
        Path file = options.config();
        if (Files.exists(file)) {
            read(file.toString(), text(file));
            keepAtStart();
            return;
        }
        if (options.requireConfig()) {
            throw new ErrnoException(
                    Errno.ENOENT,
                    "there is no configuration " + file
                            + "; name another with --config, or leave it away to start without");
        }
        if (isConfiguredByParameters(options.parameters())) {
            dlc.execute(new LnetOperation.Configure(true, false));
        }
        if (store != null && options.fresh()) {
            store.forget();
        }
    }

    private static String text(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a folder; expected a file with YAML");
        }
        try {
            return WholeText.read(file, MAX_CONFIG, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no text in UTF-8; expected YAML", e);
        }
    }

    /**
     * Configures the node as it was last.
     *
     * @return false if nothing was ever kept
     * @throws DlcException if what was kept is damaged, or can not be had here; tells the ways out
     */
    private boolean applyKept(StateStore kept, Path config) throws IOException {
        try {
            Optional<StateStore.State> state = kept.load();
            if (state.isPresent() && state.get().configured()) {
                read(kept.file().toString(), state.get().document());
            }
            return state.isPresent();
        } catch (DamagedStateException e) {
            throw refused(
                    kept,
                    config,
                    List.of(e.getMessage() + "; expected what lnetd kept there, with a first line '# lnetd: …'"),
                    false);
        } catch (DlcException e) {
            throw refused(
                    kept,
                    config,
                    e.failures().stream()
                            .flatMap(each -> each.problems().isEmpty()
                                    ? Stream.of(kept.file() + ": " + each.text())
                                    : each.problems().stream())
                            .distinct()
                            .toList(),
                    true);
        }
    }

    /**
     * Nobody wants a node that starts with less than it had and says nothing.
     *
     * @param whole whether what was kept can be read, and only does not fit this machine any more
     */
    private static DlcException refused(StateStore kept, Path config, List<String> found, boolean whole) {
        List<String> lines = new ArrayList<>(found);
        lines.add(kept.previous()
                .map(previous ->
                        "to start with the configuration before the last change: cp " + previous + " " + kept.file())
                .orElse("there is no good copy of the configuration before the last change, " + kept.file()
                        + ".previous"));
        if (whole) {
            lines.add("to start with it changed: cp " + kept.file()
                    + " FILE, change FILE, and start lnetd with --fresh --config FILE");
        }
        lines.add("to start without what was kept, "
                + (Files.exists(config) ? "from " + config : "without a configuration")
                + ": start lnetd with --fresh");
        return new DlcException(
                List.of(new Failure("configure", "lnet", Errno.EIO.status(), String.join("; ", lines), lines)));
    }

    private static boolean isConfiguredByParameters(Map<String, String> parameters) {
        String onLoad = parameters.getOrDefault("config_on_load", "0").strip();
        return parameters.containsKey("networks") || parameters.containsKey("ip2nets") || !onLoad.equals("0");
    }

    private void read(String name, String text) {
        dlc.execute(new LnetOperation.Configure(false, false));
        Map<String, Object> answer = dlc.execute(new ConfigOperation.Import(text, name, null, false, null));
        if (answer.get("warnings") instanceof List<?> warnings) {
            warnings.forEach(each -> LOG.log(System.Logger.Level.WARNING, "{0}", each));
        }
    }

    /**
     * Keeps the configuration as it is now.
     *
     * @throws ErrnoException ENOSPC or EIO if that is not possible
     */
    private void keep(NodeDlc changed) {
        if (store == null) {
            return;
        }
        try {
            boolean configured = changed.lnet() != null;
            String document = configured ? YamlText.of(changed.kept()) : "";
            store.save(new StateStore.State(configured, document));
        } catch (IOException e) {
            String reason = e instanceof FileSystemException f && f.getReason() != null
                    ? f.getReason()
                    : String.valueOf(e.getMessage());
            boolean full = reason.contains("No space") || reason.contains("quota");
            throw new ErrnoException(
                    full ? Errno.ENOSPC : Errno.EIO,
                    "the configuration can not be kept in " + store.file() + ": " + reason,
                    e);
        }
    }

    /** A start does not fail for it: the next one reads the same file. */
    private void keepAtStart() {
        try {
            keep(dlc);
        } catch (ErrnoException e) {
            LOG.log(System.Logger.Level.ERROR, "{0}", DlcException.textOf(e));
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
        // Whoever imports a large file is told so, and does not hold up the end.
        dlc.end();
        control.close();
        timer.shutdownNow();
        dlc.close();
        machine.close();
    }
}
