package org.railyard.node.selftest;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.node.control.Extension;
import org.railyard.selftest.Console;
import org.railyard.selftest.Selftest;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.NodeView;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.selftest.api.Who;

/** Selftest of the node of a daemon, there while LNet runs; its console as requests with fields. Thread-safe. */
public final class SelftestService implements Extension {
    /** The part of the path that its requests have. */
    public static final String NAME = "selftest";

    private static final String SESSION_TIMEOUT = "session_timeout";
    private static final String RPC_TIMEOUT = "rpc_timeout";
    private static final int USUAL_LIMIT = Console.MAX_LIMIT;

    private final SelftestSettings settings;
    private final boolean isOn;
    private volatile @Nullable Selftest running;

    private SelftestService(SelftestSettings settings, boolean isOn) {
        this.settings = settings;
        this.isOn = isOn;
    }

    /**
     * Makes one for a node that does not run yet.
     *
     * @param parameters module parameters, of which it takes its own
     * @param isOn whether the node takes part in tests at all
     * @throws ErrnoException EINVAL if one is out of range
     */
    public static SelftestService of(Map<String, String> parameters, boolean isOn) {
        SelftestSettings usual = SelftestSettings.DEFAULT;
        RequestFields fields = new RequestFields(Map.copyOf(parameters));
        return new SelftestService(
                new SelftestSettings(
                        fields.number(SESSION_TIMEOUT, usual.sessionTimeout()),
                        fields.number(RPC_TIMEOUT, usual.rpcTimeout())),
                isOn);
    }

    /** Tells whether a module parameter is one of its own. */
    public static boolean takes(String parameter) {
        return parameters().contains(parameter);
    }

    /** Returns the names of its parameters. */
    public static List<String> parameters() {
        return List.of(SESSION_TIMEOUT, RPC_TIMEOUT);
    }

    /** LNet runs: others can test it from now on. */
    public void started(LNet lnet) {
        if (isOn) {
            running = Selftest.start(lnet, new RealHost(), settings);
        }
    }

    /** LNet stops. */
    public void stopping() {
        Selftest last = running;
        running = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public Map<String, Object> execute(String name, Map<String, Object> given) {
        if (!isOn) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP, "this node takes no part in tests; start it with 'railyard lnetd --selftest'");
        }
        Selftest selftest = running;
        if (selftest == null) {
            throw new ErrnoException(
                    Errno.ENETDOWN, "LNet is not configured here; start it with 'lnetctl lnet configure'");
        }
        Console console = selftest.console();
        RequestFields fields = new RequestFields(given);
        int key = fields.number("key", 0);
        return switch (name) {
            case "new_session" ->
                ConsoleDocuments.of(console.newSession(
                        fields.text("name"),
                        key,
                        fields.number("timeout", Console.DEFAULT_TIMEOUT),
                        fields.isOn("force"),
                        fields.number("features", 1)));
            case "show_session" -> ConsoleDocuments.ofNullable(console.session());
            case "end_session" -> answers(console.endSession(key));
            case "add_group" -> answers(console.addToGroup(key, fields.text("name"), fields.nodes("nodes")));
            case "refresh_group" -> answers(console.refreshGroup(key, fields.text("name")));
            case "clean_group" ->
                new Doc()
                        .put("removed", console.removeFromGroup(key, fields.text("name"), which(fields)))
                        .map();
            case "del_group" -> {
                console.deleteGroup(key, fields.text("name"));
                yield Map.of();
            }
            case "list_group" -> ConsoleDocuments.ofGroups(console.groups(key));
            case "ping" -> answers(console.debug(key, who(fields), fields.number("limit", USUAL_LIMIT)));
            case "stat" -> answers(console.statistics(key, who(fields), fields.number("limit", USUAL_LIMIT)));
            case "add_batch" -> {
                console.addBatch(key, fields.text("name"));
                yield Map.of();
            }
            case "list_batch" -> ConsoleDocuments.ofBatches(console.batches(key));
            case "add_test" -> answers(console.addTest(key, fields.text("batch"), fields.test()));
            case "run" -> answers(console.run(key, fields.text("name"), fields.number("limit", USUAL_LIMIT)));
            case "stop" ->
                answers(console.stop(
                        key, fields.text("name"), fields.isOn("force"), fields.number("limit", USUAL_LIMIT)));
            case "query" ->
                answers(console.query(
                        key, fields.text("name"), fields.number("test", 0), fields.number("limit", USUAL_LIMIT)));
            default -> throw new ErrnoException(Errno.ENOENT, "selftest has no '" + name + "'");
        };
    }

    private static Predicate<NodeView> which(RequestFields fields) {
        if (fields.has("nodes")) {
            var nodes = fields.nodes("nodes");
            return view -> nodes.contains(view.node());
        }
        NodeState state = fields.state("state");
        return view -> view.state() == state;
    }

    private static Who who(RequestFields fields) {
        if (fields.has("group")) {
            return new Who.OfGroup(fields.text("group"));
        }
        if (fields.has("batch")) {
            return new Who.OfBatch(fields.text("batch"), fields.isOn("server"));
        }
        return fields.has("nodes") ? new Who.Nodes(fields.nodes("nodes")) : new Who.All();
    }

    /** Waits for the answers of nodes; each request has a thread of its own, which may. */
    private static Map<String, Object> answers(CompletionStage<List<NodeResult>> stage) {
        try {
            return ConsoleDocuments.ofResults(stage.toCompletableFuture().join());
        } catch (CompletionException e) {
            throw e.getCause() instanceof ErrnoException known
                    ? known
                    : new ErrnoException(Errno.EIO, "selftest failed at it: " + e.getCause(), e);
        }
    }
}
