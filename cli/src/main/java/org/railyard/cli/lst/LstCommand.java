package org.railyard.cli.lst;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.railyard.base.Errno;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.cli.text.SpecManual;
import org.railyard.control.DlcException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard lst}: tests of the network between nodes, with the commands of Lustre's tool. */
@Command(
        name = "lst",
        subcommands = {StatCommand.class, ShowErrorCommand.class, LstCompletionCommand.class},
        description = "Test the network between LNet nodes: sessions, groups, batches of tests, rates.",
        footer = {
            "",
            "The console is that of the lnetd of this machine, started with --selftest. LST_SESSION is the key of the",
            "session: any number, the same for all commands of a session.",
            "",
            "Exit code: 0 done, 1 refused or failed at some node, 2 the command line was wrong.",
            "",
            "Example:",
            "  export LST_SESSION=$$$$",
            "  lst new_session rw",
            "  lst add_group clients 10.0.0.[1-4]@tcp",
            "  lst add_group servers 10.0.0.[11-12]@tcp",
            "  lst add_batch bulk",
            "  lst add_test --batch bulk --concurrency 8 --from clients --to servers brw write size=1M",
            "  lst run bulk",
            "  lst stat --count 3 servers",
            "  lst end_session"
        })
public final class LstCommand implements Runnable {
    /** Least limit for answers of nodes, s (spec 03 §3). */
    static final int LEAST_LIMIT = 3;

    /** Most limit for answers of nodes, s. */
    static final int MOST_LIMIT = 30;

    private static final List<String> ALL_STATES = List.of("active", "busy", "down", "unknown");

    @Option(names = "--man-page", description = "Write the page for man, and end: lst --man-page > lst.8")
    private boolean manPage;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;

    /** For picocli. */
    public LstCommand() {
        this(System.getenv());
    }

    /** Makes one with an environment of its own. */
    LstCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public void run() {
        if (manPage) {
            out().print(SpecManual.of(spec, "lst", "lnetd"));
            return;
        }
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    private LstTool tool() {
        return tool(spec);
    }

    /** Returns the tool for a command of it. */
    LstTool tool(CommandSpec of) {
        return new LstTool(of.commandLine(), environment);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void range(String option, int value, int least, int most) {
        LstTool.requireRange(spec.commandLine(), option, value, least, most);
    }

    private int onConsole(ToIntFunction<LstConsole> action) {
        return tool().onConsole(action);
    }

    @Command(name = "new_session", description = "Begin a session.")
    int newSession(
            @Option(
                            names = "--timeout",
                            paramLabel = "S",
                            defaultValue = "300",
                            description = "It ends when it is not used for so long, s.")
                    int timeout,
            @Option(
                            names = {"-f", "--force"},
                            description = "End sessions that are in the way, here and on nodes.")
                    boolean force,
            @Parameters(paramLabel = "NAME", description = "Name, up to 31 bytes.") String name) {
        range("--timeout", timeout, 0, Integer.MAX_VALUE);
        return onConsole(console -> {
            session(console.request("new_session")
                    .with("name", name)
                    .with("timeout", timeout)
                    .with("force", force)
                    .with("features", console.features())
                    .send());
            tool().warnOfNoKey();
            return LstTool.DONE;
        });
    }

    private void session(Map<String, Object> session) {
        out().println("SESSION: " + session.get("name") + " FEATURES: " + features(session) + " TIMEOUT: "
                + session.get("timeout") + " FORCE: " + (Boolean.TRUE.equals(session.get("force")) ? "Yes" : "No"));
    }

    /**
     * Returns the feature bits, a number; of a session whose nodes have not settled them, those that were asked for.
     */
    private static String features(Map<String, Object> session) {
        return String.valueOf(session.get("features"));
    }

    @Command(name = "show_session", description = "Show the session of this console.")
    int showSession(@Mixin JsonOption json) {
        return onConsole(console -> {
            Map<String, Object> session = console.request("show_session").send();
            if (session.isEmpty()) {
                return tool().complain("there is no session");
            }
            if (json.isWanted()) {
                json.print(out(), List::of, () -> session);
                return LstTool.DONE;
            }
            out().println(session.get("name") + " ID: " + session.get("id") + ", KEY: " + session.get("key")
                    + ", FEATURES: " + features(session) + ", TIMEOUT: " + session.get("timeout")
                    + ", GROUPS: " + session.get("groups") + ", BATCHES: " + session.get("batches"));
            return LstTool.DONE;
        });
    }

    @Command(name = "end_session", description = "End the session: all nodes leave it, all tests stop.")
    int endSession() {
        return onConsole(console -> tool().told(console.request("end_session").ask().stream()
                // A node that has left already, or can not be reached, is gone as well.
                .filter(each -> !each.state().equals("Down") && each.errno() != -3)
                .toList()));
    }

    @Command(name = "add_group", description = "Take nodes into a group, by their primary NIDs.")
    int addGroup(
            @Parameters(paramLabel = "GROUP", index = "0") String group,
            @Parameters(paramLabel = "NIDS", index = "1..*", arity = "1..*", description = "Such as 10.0.0.[1-4]@tcp.")
                    List<String> nids) {
        return onConsole(console -> {
            List<NodeAnswer> answers = console.request("add_group")
                    .with("name", group)
                    .with("nodes", String.join(",", nids))
                    .ask();
            out().println(String.join(" ", nids) + ": "
                    + answers.stream().filter(NodeAnswer::isGood).count() + " of " + answers.size()
                    + " nodes joined the session");
            return tool().told(answers);
        });
    }

    @Command(name = "update_group", description = "Ask nodes of a group once more, or take some out.")
    int updateGroup(
            @Option(names = "--refresh", description = "Ask those again that are not active.") boolean refresh,
            @Option(
                            names = "--clean",
                            paramLabel = "STATE",
                            description = "Take out those that are busy, down or unknown.")
                    Optional<String> clean,
            @Option(names = "--remove", paramLabel = "NIDS", description = "Take out these.") Optional<String> remove,
            @Parameters(paramLabel = "GROUP") String group) {
        if (!refresh && clean.isEmpty() && remove.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "what? --refresh, --clean or --remove");
        }
        return onConsole(console -> {
            clean.ifPresent(state -> takeOut(console, group, "state", state));
            remove.ifPresent(nodes -> takeOut(console, group, "nodes", nodes));
            return refresh
                    ? tool().told(console.request("refresh_group")
                            .with("name", group)
                            .ask())
                    : LstTool.DONE;
        });
    }

    private void takeOut(LstConsole console, String group, String by, String which) {
        Object removed = console.request("clean_group")
                .with("name", group)
                .with(by, which)
                .send()
                .get("removed");
        out().println(removed + " nodes taken out of " + group);
    }

    @Command(name = "del_group", description = "Take a group away.")
    int deleteGroup(@Parameters(paramLabel = "GROUP") String group) {
        return onConsole(console -> {
            console.request("del_group").with("name", group).send();
            return LstTool.DONE;
        });
    }

    @Command(name = "list_group", description = "List groups, or the nodes of one.")
    int listGroup(
            @Option(names = "--active") boolean active,
            @Option(names = "--busy") boolean busy,
            @Option(names = "--down") boolean down,
            @Option(names = "--unknown") boolean unknown,
            @Option(names = "--all", description = "Nodes in any state.") boolean all,
            @Mixin JsonOption json,
            @Parameters(paramLabel = "GROUP", arity = "0..1") Optional<String> group) {
        boolean[] chosen = {active || all, busy || all, down || all, unknown || all};
        List<String> states = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i]) {
                states.add(ALL_STATES.get(i));
            }
        }
        return onConsole(console -> {
            Map<String, Object> answer = console.request("list_group").send();
            if (json.isWanted()) {
                return document(json, answer, "groups", group);
            }
            return new Listing(out()).groups(answer, group.orElse(""), states)
                    ? LstTool.DONE
                    : tool().complain("there is no group '" + group.orElse("") + "'; 'lst list_group' lists all");
        });
    }

    /** Prints a list of what the console knows, or what one name in it stands for. */
    private int document(JsonOption json, Map<String, Object> answer, String list, Optional<String> name) {
        List<Object> shown = new ArrayList<>();
        for (Object each : answer.get(list) instanceof List<?> all ? all : List.of()) {
            if (each instanceof Map<?, ?> entry && (name.isEmpty() || name.get().equals(entry.get("name")))) {
                shown.add(entry);
            }
        }
        if (name.isPresent() && shown.isEmpty()) {
            return tool().complain("found no '" + name.get() + "' among the " + list);
        }
        json.print(out(), List::of, () -> Map.of(list, shown));
        return LstTool.DONE;
    }

    @Command(name = "ping", description = "Ask nodes in which session they are.")
    int ping(
            @Option(names = "--session", description = "All nodes of the session.") boolean session,
            @Option(names = "--group", paramLabel = "GROUP") Optional<String> group,
            @Option(names = "--nodes", paramLabel = "NIDS") Optional<String> nodes,
            @Option(names = "--batch", paramLabel = "BATCH") Optional<String> batch,
            @Option(names = "--server", description = "With --batch: the nodes that are called.") boolean server,
            @Option(
                            names = "--timeout",
                            paramLabel = "S",
                            defaultValue = "5",
                            description = "Limit for answers, 3…30 s.")
                    int timeout,
            @Mixin JsonOption json) {
        if (!session && group.isEmpty() && nodes.isEmpty() && batch.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "whom? --session, --group, --nodes or --batch");
        }
        range("--timeout", timeout, LEAST_LIMIT, MOST_LIMIT);
        return onConsole(console -> {
            List<NodeAnswer> answers = console.request("ping")
                    .with("group", group.orElse(null))
                    .with("nodes", nodes.orElse(null))
                    .with("batch", batch.orElse(null))
                    .with("server", server)
                    .with("limit", timeout)
                    .ask();
            json.print(
                    out(),
                    () -> answers.stream()
                            .map(each -> each.nid() + ": " + each.state()
                                    + (each.isGood()
                                            ? " [session: " + each.text("session") + ", id: " + each.text("id") + "]"
                                            : ""))
                            .toList(),
                    () -> NodeAnswer.documents(answers));
            return answers.stream().allMatch(each -> each.state().equals("Active")) ? LstTool.DONE : LstTool.FAILED;
        });
    }

    @Command(name = "add_batch", description = "Make a batch, to put tests into.")
    int addBatch(@Parameters(paramLabel = "BATCH") String batch) {
        return onConsole(console -> {
            console.request("add_batch").with("name", batch).send();
            return LstTool.DONE;
        });
    }

    @Command(name = "list_batch", description = "List batches, or the tests of one.")
    int listBatch(
            @Option(names = "--test", paramLabel = "N", defaultValue = "0", description = "Only this test.") int test,
            @Mixin JsonOption json,
            @Parameters(paramLabel = "BATCH", arity = "0..1") Optional<String> batch) {
        return onConsole(console -> {
            Map<String, Object> answer = console.request("list_batch").send();
            if (json.isWanted()) {
                return document(json, answer, "batches", batch);
            }
            return new Listing(out()).batches(answer, batch.orElse(""), test)
                    ? LstTool.DONE
                    : tool().complain("there is no batch '" + batch.orElse("") + "'"
                            + (test > 0 ? ", or no test " + test + " in it" : "") + "; 'lst list_batch' lists all");
        });
    }

    @Command(
            name = "add_test",
            description = {
                "Add a test to a batch: ping, or brw.",
                "brw takes read or write, [size=BYTES] [check=none|simple|full] [off=BYTES]."
            })
    int addTest(
            @Option(names = "--batch", paramLabel = "BATCH", defaultValue = "batch") String batch,
            @Option(
                            names = "--loop",
                            paramLabel = "N",
                            defaultValue = "-1",
                            description = "Calls of each unit; -1: no end.")
                    int loop,
            @Option(
                            names = "--concurrency",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "Calls at a time to each target.")
                    int concurrency,
            @Option(
                            names = "--distribute",
                            paramLabel = "N:M",
                            defaultValue = "1:1",
                            description = "N neighbours in 'from' share M targets.")
                    String distribute,
            @Option(names = "--from", paramLabel = "GROUP", required = true) String from,
            @Option(names = "--to", paramLabel = "GROUP", required = true) String to,
            @Parameters(paramLabel = "TEST", arity = "1..*") List<String> words) {
        String[] parts = distribute.split(":", -1);
        if (parts.length != 2) {
            throw new ParameterException(spec.commandLine(), "--distribute '" + distribute + "'; expected N:M");
        }
        return onConsole(console -> {
            LstConsole.Request request = console.request("add_test")
                    .with("batch", batch)
                    .with("loop", loop)
                    .with("concurrency", concurrency)
                    .with("distribute", parts[0])
                    .with("span", parts[1])
                    .with("from", from)
                    .with("to", to);
            TestWords.into(request, words);
            int exit = tool().told(added(request));
            if (exit == LstTool.DONE) {
                out().println("test added to " + batch);
            }
            return exit;
        });
    }

    /** Adds a test; what is wrong with it is wrong with the command line. */
    private List<NodeAnswer> added(LstConsole.Request test) {
        try {
            return test.ask();
        } catch (DlcException e) {
            if (e.failure().errno() == Errno.EINVAL.status()) {
                throw new ParameterException(spec.commandLine(), e.failure().text(), e);
            }
            throw e;
        }
    }

    @Command(name = "run", description = "Start the tests of a batch.")
    int start(
            @Option(names = "--timeout", paramLabel = "S", defaultValue = "30") int timeout,
            @Parameters(paramLabel = "BATCH", defaultValue = "batch") String batch) {
        range("--timeout", timeout, LEAST_LIMIT, MOST_LIMIT);
        return onConsole(console -> {
            int exit = tool().told(console.request("run")
                    .with("name", batch)
                    .with("limit", timeout)
                    .ask());
            if (exit == LstTool.DONE) {
                out().println(batch + " is running");
            }
            return exit;
        });
    }

    @Command(name = "stop", description = "Stop the tests of a batch.")
    int stop(
            @Option(
                            names = {"-f", "--force"},
                            description = "End calls that are under way.")
                    boolean force,
            @Parameters(paramLabel = "BATCH", defaultValue = "batch") String batch) {
        return onConsole(console -> {
            int exit = tool().told(console.request("stop")
                    .with("name", batch)
                    .with("force", force)
                    .ask());
            return exit == LstTool.DONE ? stopped(console, batch) : exit;
        });
    }

    private int stopped(LstConsole console, String batch) {
        try (Pauses pauses = new Pauses()) {
            return new StopWait(
                            tool(),
                            batch,
                            limit -> console.request("query")
                                    .with("name", batch)
                                    .with("limit", limit)
                                    .ask(),
                            () -> pauses.pause(1),
                            System::nanoTime)
                    .run();
        }
    }

    @Command(name = "query", description = "Tell whether a batch, or a test of it, is running.")
    int query(
            @Option(names = "--test", paramLabel = "N", defaultValue = "0", description = "Number of the test.")
                    int test,
            @Option(names = "--timeout", paramLabel = "S", defaultValue = "5") int timeout,
            @Option(names = "--loop", paramLabel = "N", defaultValue = "1", description = "Ask so often.") int loop,
            @Option(names = "--delay", paramLabel = "S", defaultValue = "5", description = "Pause between, s.")
                    int delay,
            @Option(names = "--all", description = "Tell of each node.") boolean all,
            @Mixin JsonOption json,
            @Parameters(paramLabel = "BATCH", defaultValue = "batch") String batch) {
        range("--timeout", timeout, LEAST_LIMIT, MOST_LIMIT);
        range("--loop", loop, 1, Integer.MAX_VALUE);
        range("--delay", delay, 1, Integer.MAX_VALUE);
        return onConsole(console -> {
            int exit = LstTool.DONE;
            try (Pauses pauses = new Pauses()) {
                for (int i = 0; i < loop && (i == 0 || pauses.pause(delay)); i++) {
                    List<NodeAnswer> answers = console.request("query")
                            .with("name", batch)
                            .with("test", test)
                            .with("limit", timeout)
                            .ask();
                    int heard = tool().told(answers);
                    exit = Math.max(exit, heard);
                    long active = active(answers);
                    String state = state(active, heard == LstTool.DONE);
                    json.print(
                            out(),
                            () -> Stream.concat(
                                            answers.stream()
                                                    .filter(_ -> all)
                                                    .map(each -> each.nid() + ": "
                                                            + state(each.number("active"), each.isGood())),
                                            Stream.of(batch + " [" + active + "] is " + state))
                                    .toList(),
                            () -> new Doc()
                                    .put("batch", batch)
                                    .put("active", active)
                                    .put("state", state)
                                    .putAll(NodeAnswer.documents(answers))
                                    .map());
                }
            }
            return exit;
        });
    }

    private static long active(List<NodeAnswer> answers) {
        return answers.stream().mapToLong(each -> each.number("active")).sum();
    }

    /** Returns what is said of so many active tests or units, where all that were asked have answered or not. */
    private static String state(long active, boolean heard) {
        return active > 0 ? "running" : heard ? "stopped" : "unknown";
    }
}
