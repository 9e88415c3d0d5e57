package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.service.RunningNode;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.sample.SampleTorus;
import picocli.CommandLine;

/** A subnet manager of simulated agents that runs, and the commands that ask it over its socket. */
final class SmLiveTest {
    private static final long LIMIT_SECONDS = 60;
    private static final long EVENTS_MILLIS = 30_000;

    @TempDir
    private Path directory = Path.of("");

    private Path conf = Path.of("");
    private Path partitions = Path.of("");
    private Path openSm = Path.of("");
    private Path socket = Path.of("");
    private final StringWriter daemon = new StringWriter();
    private final StringWriter daemonErr = new StringWriter();
    private FutureTask<Integer> running = new FutureTask<>(() -> 0);
    private String out = "";
    private String err = "";

    @BeforeEach
    void begin() throws IOException {
        SampleTorus torus = SampleTorus.torus(3, 3, 1, 1);
        Path net = Files.writeString(
                directory.resolve("t.net"), NetFile.of(torus.fabric()).text());
        conf = Files.writeString(directory.resolve("t.conf"), torus.conf(1));
        partitions = Files.writeString(directory.resolve("partitions.conf"), "Default=0x7fff, ipoib : ALL=full ;\n");
        openSm = Files.writeString(directory.resolve("opensm.conf"), "sm_priority 2\n");
        socket = directory.resolve("sm.sock");
        running = new FutureTask<>(() -> execute(
                daemon,
                daemonErr,
                "--fabric",
                net.toString(),
                "--conf",
                conf.toString(),
                "--partitions",
                partitions.toString(),
                "--opensm-conf",
                openSm.toString(),
                "--live",
                "--metrics",
                "0",
                "--socket",
                socket.toString()));
        Thread.ofPlatform().daemon().start(running);
        awaitEvent("sweep 1 (start): done");
    }

    @AfterEach
    void end() throws InterruptedException, ExecutionException, TimeoutException {
        if (!running.isDone()) {
            run("stop");
        }
        running.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static int execute(StringWriter out, StringWriter err, String... words) {
        return new CommandLine(SmCommand.of(List.of()))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }

    private int run(String... words) {
        StringWriter said = new StringWriter();
        StringWriter wrong = new StringWriter();
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--socket", socket.toString()));
        int status = execute(said, wrong, all.toArray(String[]::new));
        out = said.toString();
        err = wrong.toString();
        return status;
    }

    /** Waits for what a thread of its own prints. */
    private static void awaitSaid(StringWriter by, String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!wanted.matcher(by.toString()).find()) {
            assertThat(System.nanoTime()).as("%s in %s", pattern, by).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    /** Waits for an event that begins so, first for the socket. */
    private void awaitEvent(String text) {
        awaitEvent(socket, text);
    }

    private void awaitEvent(Path at, String text) {
        long last = 0;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (System.nanoTime() < until) {
            if (!Files.exists(at)) {
                Thread.onSpinWait();
                continue;
            }
            Map<String, Object> answer =
                    RunningNode.postToSm(at, "events", Map.of("after", last, "wait", EVENTS_MILLIS));
            last = ((Number) answer.getOrDefault("last", 0)).longValue();
            boolean told = ((List<?>) answer.getOrDefault("events", List.of()))
                    .stream()
                            .anyMatch(each -> String.valueOf(((Map<?, ?>) each).get("text"))
                                    .startsWith(text));
            if (told) {
                return;
            }
        }
        throw new AssertionError("no event '" + text + "': " + daemon + daemonErr);
    }

    @Test
    void tellsItsStateAndWhyAndEndsInOrder() throws Exception {
        assertThat(run("status")).isZero();
        assertThat(out).contains("state: master", "engine: torus-2QoS", "links_active: 27", "result: done");
        assertThat(out).contains("unknown_requesters: 0", "wrong_keys: 0", "reports_unanswered: 0");
        assertThat(run("why", "S-0.0.0", "H-1.2.0.0")).isZero();
        assertThat(out).contains("destination: H-1.2.0.0/1", "+x, short way round", "-y, done in x", "end: arrives");
        String hops = out;
        String lid = hops.lines()
                .filter(line -> line.contains(" lid: "))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".* ", "");
        assertThat(run("why", "S-0.0.0", "0x%04x".formatted(Integer.parseInt(lid))))
                .as(err)
                .isZero();
        assertThat(out).isEqualTo(hops);
        assertThat(run("why", "S-0.0.0", "S-0.0.0", "--json")).isZero();
        assertThat(out).contains("\"port\":0").contains("the LID of the switch itself");
        assertThat(run("stop")).isZero();
        assertThat(running.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(socket).doesNotExist();
        assertThat(run("status")).isEqualTo(1);
        assertThat(err).contains("no subnet manager answers at " + socket);
    }

    @Test
    void whyTellsOfTheRoutesThatThereAreAfterAReloadThatCanNotBeRouted() throws IOException {
        assertThat(run("why", "S-0.0.0", "H-1.2.0.0")).isZero();
        String hops = out;
        Files.writeString(conf, Files.readString(conf).replaceFirst("torus .*", "torus 5 5 1"));
        assertThat(run("reload")).as(err).isZero();
        awaitEvent("sweep 2 (sm reload): no proved routes");
        assertThat(run("why", "S-0.0.0", "H-1.2.0.0")).isZero();
        assertThat(hops).contains("+x, short way round");
        assertThat(out).as("as before").isEqualTo(hops);
    }

    /** Starts another one on the same fabric, with an option more; returns when its first sweep is done. */
    private FutureTask<Integer> startAnother(Path own, String option) {
        FutureTask<Integer> other = new FutureTask<>(() -> execute(
                new StringWriter(),
                new StringWriter(),
                "--fabric=" + directory.resolve("t.net"),
                "--conf=" + conf,
                option,
                "--live",
                "--socket=" + own));
        Thread.ofPlatform().daemon().start(other);
        awaitEvent(own, "sweep 1 (start): done");
        return other;
    }

    @Test
    void statusAndWhyNameTheEngineThatRouted() throws Exception {
        Path own = directory.resolve("own.sock");
        FutureTask<Integer> other = startAnother(own, "--engine=opensm-torus");
        for (List<String> question : List.of(List.of("status"), List.of("why", "S-0.0.0", "H-1.2.0.0"))) {
            List<String> words = new ArrayList<>(question);
            words.add("--socket=" + own);
            StringWriter said = new StringWriter();
            assertThat(execute(said, new StringWriter(), words.toArray(String[]::new)))
                    .isZero();
            assertThat(said.toString()).contains("engine: opensm-torus");
        }
        assertThat(execute(new StringWriter(), new StringWriter(), "stop", "--socket=" + own))
                .isZero();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aStopThatWasAskedForIsNoFailure() throws Exception {
        assertThat(run("unlink", "H-0.0.0.0/1")).isZero();
        assertThat(run("sweep")).isZero();
        awaitEvent("sweep 2 (sm sweep): no link");
        assertThat(run("stop")).isZero();
        assertThat(running.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void whatHappensIsKept() {
        assertThat(run("unlink", "S-0.0.0/3")).isZero();
        assertThat(run("unlink", "S-0.0.0/3")).isEqualTo(1);
        assertThat(err).contains("S-0.0.0/3: the link is down, nothing to do");
        awaitEvent("trap 128 from LID");
        awaitEvent("sweep 2 (trap 128");
        assertThat(run("history")).isZero();
        assertThat(out.lines().toList()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(out).contains("start", "trap 128 from LID");
        assertThat(run("history", "--count", "1", "--json")).isZero();
        assertThat(out).contains("\"links_not_active\":0").doesNotContain("\"reason\":\"start\"");
        assertThat(run("relink", "S-0.0.0/3")).isZero();
        assertThat(run("sweep")).isZero();
        assertThat(run("monitor", "--all", "--count", "4")).isZero();
        assertThat(out.lines()).hasSize(4);
        assertThat(out).contains("master: there is no other master", "sweep 1 (start): done");
        awaitSaid(daemon, "trap 128 from LID \\d+ \\(S-\\d\\.\\d\\.\\d\\): a port changed its state");
    }

    @Test
    void aConfigurationWithErrorsChangesNothing() throws IOException {
        String good = Files.readString(conf);
        Files.writeString(conf, "torus 3 3\n");
        assertThat(run("reload")).isEqualTo(1);
        assertThat(err).contains(conf + ":1:");
        Files.writeString(partitions, "store=0x10, nonsense=\n");
        assertThat(run("reload")).isEqualTo(1);
        assertThat(err).as("of all files").contains(conf + ":1:", partitions + ":2:");
        Files.writeString(conf, good);
        Files.writeString(partitions, "Default=0x7fff, ipoib : ALL=full ;\n");
        assertThat(run("reload")).isZero();
        awaitEvent("sweep 2 (sm reload): done");
    }

    @Test
    void partitionsAndSettingsAreReadAgain() throws IOException {
        Files.writeString(partitions, "Default=0x7fff : ALL=full ;\nstore=0x10, ipoib : ALL_CAS=full ;\n");
        Files.writeString(openSm, "sm_priority 3\nsubnet_timeout 17\nsa_key 0x7\n");
        assertThat(run("reload")).as(err).isZero();
        assertThat(out)
                .contains("partitions.conf has changed", "opensm.conf has changed", "parameters of ports", "sa_key")
                .contains("partition 0x7fff (Default) has changed", "partition 0x0010 (store) is new")
                .contains("priority: 3, was 2")
                .doesNotContain("t.conf has changed");
        awaitEvent("sweep 2 (sm reload): done");
        assertThat(run("history", "--json")).isZero();
        assertThat(out).contains("\"reason\":\"sm reload\"", "\"name\":\"P_KeyTable\"");
        assertThat(run("reload")).isZero();
        assertThat(out).contains("nothing has changed");

        Files.writeString(partitions, "store=0x10, ipoib, nonsense=\n");
        assertThat(run("reload")).isEqualTo(1);
        assertThat(err).contains("partitions.conf:2:1: found");
        Files.writeString(partitions, "Default=0x7fff : ALL=full ;\n");
        Files.writeString(openSm, "subnet_prefix 0xfe80000000000001\n");
        assertThat(run("reload")).isEqualTo(1);
        assertThat(err).contains("opensm.conf:1:15: subnet_prefix has changed", "needs a restart");
        assertThat(run("status")).isZero();
        assertThat(out).contains("priority: 3");
    }

    @Test
    void whatNeedsARestartIsTold() throws IOException {
        for (int i = 0; i < 2; i++) {
            Files.writeString(openSm, "sm_priority 2\ntransaction_retries 7\n");
            assertThat(run("reload")).as(err).isZero();
            assertThat(out).contains("transaction_retries and max_wire_smps stay as they were until a restart");
        }
        Files.writeString(openSm, "sm_priority 2\n");
        assertThat(run("reload")).as(err).isZero();
        assertThat(out).doesNotContain("until a restart");
    }

    @Test
    void whoeverReloadsIsToldWhatDoesNotCount() throws IOException {
        Files.writeString(openSm, "sm_priority 2\nsweep_interval 7\nsweep_intervall 5\nmax_wire_smps 100000\n");
        assertThat(run("reload")).as(err).isZero();
        assertThat(out)
                .contains("light sweeps: every 7 s, were every 10 s")
                .contains("opensm.conf:3:1: setting \\\"sweep_intervall\\\" is not known")
                .contains("opensm.conf:4:15: max_wire_smps is 100000, and counts as 4096");
        awaitSaid(daemonErr, "opensm\\.conf:3:1: setting \"sweep_intervall\" is not known");
        Files.writeString(openSm, "sm_priority 2\nsweep_interval 0\n");
        assertThat(run("reload")).as(err).isZero();
        assertThat(out).contains("light sweeps: off, were every 7 s").doesNotContain("sweep_intervall");
    }

    @Test
    void theKeyOfNodesIsChanged() throws IOException {
        for (String settings : List.of("m_key 0xabcdef77\n", "m_key 0xabcdef99\nm_key_protection_level 2\n")) {
            Files.writeString(openSm, "sm_priority 2\n" + settings);
            assertThat(run("reload")).as(err).isZero();
        }
        assertThat(out)
                .contains("another M_Key", "protection level of the M_Key: 2, was 0")
                .doesNotContain("abcdef", Long.toString(0xabcdef77L), Long.toString(0xabcdef99L));
        awaitEvent("sweep 3 (sm reload): done");
        assertThat(run("status")).isZero();
        assertThat(out).contains("the M_Key was changed: 18 of 18 end ports that were read have it");
    }

    @Test
    void refusesWhatItDoesNotUnderstand() {
        assertThat(run("why", "S-7.0.0", "1")).isEqualTo(1);
        assertThat(err).contains("S-7.0.0: no switch");
        assertThat(run("unlink", "S-7.0.0/1")).isEqualTo(1);
        assertThat(err).contains("S-7.0.0/1: no such port in a cable");
        assertThat(run("relink", "S-0.0.0/3")).isEqualTo(1);
        assertThat(err).contains("S-0.0.0/3: the link is up, nothing to do");
        assertThat(run("history", "--count", "0")).isEqualTo(2);
        assertThat(run("monitor", "--count", "-1")).isEqualTo(2);
        assertThat(run("status", "--nonsense")).isEqualTo(2);
    }

    @Test
    void figuresForThoseWhoWatch() throws IOException {
        awaitSaid(daemon, "metrics on port \\d+\\R");
        String line = daemon.toString().lines().findFirst().orElseThrow();
        String place = "http://127.0.0.1:" + line.substring(line.lastIndexOf(' ') + 1);
        assertThat(read(place + "/healthz")).isEqualTo("ok: sweep 1: done\n");
        String figures = read(place + "/metrics");
        assertThat(figures)
                .contains("sm_role{role=\"master\"} 1.0", "sm_role{role=\"standby\"} 0.0", "sm_priority 2.0")
                .contains("sm_role{role=\"watching\"} 0.0")
                .contains("sm_master 1.0", "sm_links_active 27.0", "sm_sweeps_total{result=\"done\"} 1.0")
                .contains("process_start_time_seconds");
        Path rules = Path.of("..", "dist", "service", "sm.rules.yml");
        Matcher name = Pattern.compile("\\bsm_\\w+").matcher(Files.readString(rules));
        int names = 0;
        for (; name.find(); names++) {
            assertThat(figures).contains("\n" + name.group());
        }
        assertThat(names).isEqualTo(13);
    }

    private static String read(String place) throws IOException {
        try (InputStream in = URI.create(place).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whereItBeginsIsTheFirstLineOfJson() throws Exception {
        StringWriter said = new StringWriter();
        Path own = directory.resolve("own.sock");
        String net = directory.resolve("t.net").toString();
        FutureTask<Integer> other = new FutureTask<>(() -> execute(
                said, new StringWriter(), "--fabric=" + net, "--conf=" + conf, "--live", "--json", "--socket=" + own));
        Thread.ofPlatform().daemon().start(other);
        awaitEvent(own, "sweep 1 (start): done");
        assertThat(execute(new StringWriter(), new StringWriter(), "stop", "--socket=" + own))
                .isZero();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(said.toString().lines())
                .allMatch(line -> line.startsWith("{"))
                .first()
                .isEqualTo("{\"type\":\"start\",\"port\":\"H-0.0.0.0/1\",\"control_socket\":\"%s\"}".formatted(own));
    }

    /** A terminal after Ctrl-S, until it is let go. */
    private static final class StuckTerminal extends Writer {
        private final CountDownLatch released = new CountDownLatch(1);
        private final StringBuffer read = new StringBuffer();

        @Override
        public void write(char[] from, int begin, int count) throws IOException {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            read.append(from, begin, count);
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is to be given back.
        }
    }

    @Test
    void goesOnWhileNobodyReadsWhatItPrints() throws Exception {
        Path own = directory.resolve("own.sock");
        StuckTerminal terminal = new StuckTerminal();
        CommandLine command = new CommandLine(SmCommand.of(List.of()))
                .setOut(new PrintWriter(terminal))
                .setErr(new PrintWriter(terminal));
        FutureTask<Integer> other = new FutureTask<>(() -> command.execute(
                "--fabric=" + directory.resolve("t.net"), "--conf=" + conf, "--live", "--socket=" + own));
        Thread.ofPlatform().daemon().start(other);
        awaitEvent(own, "sweep 1 (start): done");
        assertThat(execute(new StringWriter(), new StringWriter(), "sweep", "--socket=" + own))
                .isZero();
        awaitEvent(own, "sweep 2 (");
        terminal.released.countDown();
        assertThat(execute(new StringWriter(), new StringWriter(), "stop", "--socket=" + own))
                .isZero();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
        assertThat(terminal.read.toString())
                .containsSubsequence("control socket " + own, "sweep 1 (start): done", "sweep 2 (", "heavy and");
    }

    @Test
    void whoOnlyWatchesHasNoRoutesToTellOf() throws Exception {
        Path own = directory.resolve("own.sock");
        FutureTask<Integer> other = startAnother(own, "--monitor");
        StringWriter wrong = new StringWriter();
        assertThat(execute(new StringWriter(), wrong, "why", "S-0.0.0", "1", "--socket=" + own))
                .isEqualTo(1);
        assertThat(wrong.toString()).contains("it only watches (--monitor)");
        StringWriter told = new StringWriter();
        assertThat(execute(told, wrong, "history", "--json", "--socket=" + own)).isZero();
        assertThat(told.toString()).containsPattern("\"written\":0,\"would_write\":[1-9]");
        StringWriter shown = new StringWriter();
        assertThat(execute(shown, wrong, "history", "--socket=" + own)).isZero();
        assertThat(shown.toString()).contains("would write").doesNotContain("written");
        assertThat(execute(new StringWriter(), new StringWriter(), "stop", "--socket=" + own))
                .isZero();
        assertThat(other.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void twoDoNotShareASocket() {
        StringWriter said = new StringWriter();
        StringWriter wrong = new StringWriter();
        int status = execute(
                said,
                wrong,
                "--fabric",
                directory.resolve("t.net").toString(),
                "--conf",
                conf.toString(),
                "--live",
                "--socket",
                socket.toString());
        assertThat(status).isEqualTo(2);
        assertThat(wrong.toString()).contains("another subnet manager listens at " + socket);
        assertThat(run("status")).as("the first one goes on").isZero();
    }
}
