package org.railyard.cli.o2ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.text.DocReader;
import org.railyard.cli.Main;
import org.railyard.control.TargetOperation;
import org.railyard.node.Daemon;
import org.railyard.node.DaemonOptions;
import org.railyard.node.control.RemoteDlc;
import org.railyard.testkit.Requirement;

/** The calculator about daemons that run, on RoCE over loopback addresses. */
class LiveTunablesTest {
    @TempDir
    private static Path dir = Path.of("");

    private static final List<Daemon> DAEMONS = new ArrayList<>();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() throws IOException {
        start("one", "127.0.46.1", 32, "o2ib", "o2ib1");
        start("other", "127.0.46.2", 12, "o2ib");
        start("bare", "127.0.46.3", 8);
        new RemoteDlc(dir.resolve("one.sock"))
                .execute(new TargetOperation.Ping(List.of("127.0.46.2@o2ib"), null, 60, null));
    }

    private static void start(String name, String address, int credits, String... nets) throws IOException {
        StringBuilder config = new StringBuilder("net:\n");
        for (String net : nets) {
            config.append("""
                  - net type: %s
                    local NI(s):
                      - interfaces:
                          0: lo
                        tunables:
                          peer_credits: %d
                """.formatted(net, credits));
        }
        if (nets.length == 0) {
            config.append("  []\n");
        }
        Path file = Files.writeString(dir.resolve(name + ".yaml"), config);
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("verbs", "roce:" + address));
        DAEMONS.add(new Daemon(new DaemonOptions(
                file, true, dir.resolve(name + ".sock"), null, null, true, null, true, false, parameters)));
    }

    @AfterAll
    static void close() {
        DAEMONS.forEach(Daemon::close);
    }

    private int run(String line) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of("o2ib", "tunables"));
        words.addAll(List.of(line.replace("DIR", dir.toString()).split(" ")));
        return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    @Test
    @Requirement("mod-045")
    void liveValuesAndWhatWasAgreedOn() {
        assertThat(run("--node DIR/one.sock --net o2ib")).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("NI 127.0.46.1@o2ib of a node that runs", "lo: device roce_lo", "memory by fastreg")
                .contains("peer_credits=32")
                .contains("all peers allow less than this node")
                .containsPattern("effective.peer_credits +32")
                .containsPattern("connection.queue_depth +12")
                .containsPattern("live.connections +1")
                .containsPattern("127.0.46.2@o2ib +lo→127.0.46.2 +1 +12 +peer +257");
        assertThat(run("--node DIR/other.sock")).isZero();
        assertThat(out.toString()).containsPattern("127.0.46.1@o2ib +lo→127.0.46.1 +1 +12 +this node");
    }

    @Test
    @Requirement("mod-045")
    void whatIf() {
        assertThat(run("--node DIR/other.sock --diff peer_credits=24"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .containsPattern("connection.queue_depth +12 +24")
                .containsPattern("127.0.46.1@o2ib +lo→127.0.46.1 +1 +12 +this node +24")
                .contains("Connections that are up keep what they have");
        assertThat(run("--node DIR/one.sock --nid 127.0.46.1@o2ib --diff peer_credits=64"))
                .isZero();
        assertThat(out.toString())
                .as("the peer does not give more")
                .doesNotContain("connection.queue_depth")
                .containsPattern("effective.peer_credits +32 +64");
        assertThat(run("--node DIR/one.sock --net o2ib --diff peer_credits=64 --peer peer_credits=64"))
                .as("unless it is changed, too")
                .isZero();
        assertThat(out.toString()).containsPattern("effective.peer_credits +32 +64");
        assertThat(run("--node DIR/other.sock --sweep peer_credits=8..10 --peers 100"))
                .isZero();
        assertThat(out.toString().lines()).hasSize(4);
        assertThat(run("--node DIR/other.sock --device rxe --set peer_credits=128"))
                .isZero();
        assertThat(out.toString()).contains("33538");
    }

    @Test
    @Requirement("mod-045")
    void yamlAndCsv() {
        assertThat(run("--node DIR/one.sock --net o2ib --set peer_credits=8 --format YAML"))
                .isZero();
        Map<String, Object> document = DocReader.mapping(out.toString());
        assertThat(document).containsKeys("running", "effective", "connection", "node", "remarks");
        assertThat(String.valueOf(document.get("running")))
                .contains("nid=127.0.46.1@o2ib", "max_qp_wr=", "registration=fastreg")
                .contains("queue_depth=12", "bounded_by=peer", "queue_depth_then=8")
                .contains("live={peers=1, peers_connected=1, connections=1");
        assertThat(run("--node DIR/one.sock --net o2ib --diff credits=512 --format YAML"))
                .isZero();
        assertThat(DocReader.mapping(out.toString())).containsKeys("running", "changes");
        assertThat(run("--node DIR/one.sock --net o2ib --format CSV")).isZero();
        assertThat(out.toString()).contains("\nlive.connections,1\n", "\nconnection.queue_depth,12\n");
    }

    @Test
    @Requirement("mod-045")
    void whatCanNotBeAskedIsSaidInOneLine() {
        refused("--node DIR/nothing.sock", "ECONNREFUSED", "no lnetd answers at " + dir.resolve("nothing.sock"));
        refused("--node DIR/one.sock", "EINVAL", "the node has 2 such NIs; say with --nid which one");
        refused("--node DIR/one.sock --net o2ib7", "ENOENT", "there are 127.0.46.1@o2ib, 127.0.46.1@o2ib1");
        refused("--node DIR/one.sock --nid 127.0.46.9@o2ib", "ENOENT", "no such NI on this node: 127.0.46.9@o2ib");
        refused("--node DIR/bare.sock", "ENOENT", "lnetctl net add --net o2ib --if NAME");
        assertThat(run("--net o2ib")).isEqualTo(2);
        assertThat(err.toString()).contains("--net and --nid say which NI of --node");
    }

    private void refused(String line, String errno, String text) {
        assertThat(run(line)).as(line).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("railyard: " + errno)
                .contains(text)
                .hasLineCount(1);
    }
}
