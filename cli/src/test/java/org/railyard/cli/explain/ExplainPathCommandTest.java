package org.railyard.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.Main;

/** {@code railyard explain path}: decisions from files, and files that can not be used. */
class ExplainPathCommandTest {
    private static final String NETS = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 10.0.0.1@tcp
                interfaces: {0: none0}
              - nid: 10.0.0.2@tcp
                interfaces: {0: none1}
          - net type: o2ib
            local NI(s):
              - nid: 10.1.0.1@o2ib
        peer:
          - primary nid: 10.0.0.5@tcp
            peer ni:
              - nid: 10.0.0.6@tcp
              - nid: 10.1.0.5@o2ib
        """;

    @TempDir
    private Path dir = Path.of("");

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    private int explain(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        List<String> words = new ArrayList<>(List.of("explain", "path"));
        words.addAll(List.of(arguments));
        return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    @Test
    void thePathAndItsReasonsAreTold() throws IOException {
        String nets = file("nets.yaml", NETS);
        assertThat(explain("--config", nets, "--to", "10.0.0.6@tcp")).isZero();
        assertThat(out.toString())
                .contains("4096 bytes to 10.0.0.6@tcp from any NID: ")
                .contains("B1C")
                .contains("10.0.0.1@tcp", "10.0.0.2@tcp", "behind by");
        assertThat(err.toString()).isEmpty();
        assertThat(explain("--config", nets, "--to", "10.0.0.5@tcp", "--from", "10.0.0.2@tcp", "--size", "0"))
                .isZero();
        assertThat(out.toString()).contains("0 bytes", "A1C", "10.0.0.2@tcp > 10.0.0.5@tcp");
    }

    @Test
    void rulesOfASecondFileCount() throws IOException {
        String nets = file("nets.yaml", NETS);
        String rules = file("rules.yaml", "udsp:\n  - src: o2ib\n    action:\n      priority: 0\n");
        assertThat(explain("--config", nets, "--config", rules, "--to", "10.0.0.5@tcp"))
                .isZero();
        assertThat(out.toString()).contains("10.1.0.1@o2ib > 10.1.0.5@o2ib", "behind by priority");
    }

    @Test
    void aPeerThatIsNotConfiguredIsTakenAsOneNid() throws IOException {
        String nets = file("nets.yaml", NETS);
        assertThat(explain("--config", nets, "--to", "10.0.0.77@tcp")).isZero();
        assertThat(out.toString())
                .startsWith("no peer with the NID 10.0.0.77@tcp is configured")
                .contains("B1D");
    }

    @Test
    void aWayThroughARouterIsExplainedRouteByRoute() throws IOException {
        String nets = file("nets.yaml", NETS);
        String routes = file("routes.yaml", """
            route:
              - {net: tcp9, gateway: 10.0.0.8@tcp, priority: 1}
              - {net: tcp9, gateway: 10.0.0.9@tcp, hop: 1}
            """);
        assertThat(explain("--config", nets, "--config", routes, "--to", "10.9.0.1@tcp9"))
                .isZero();
        assertThat(out.toString())
                .contains("B2D", "1. tcp9 by 10.0.0.9@tcp", "2. tcp9 by 10.0.0.8@tcp", "behind by priority");
        assertThat(explain("--config", nets, "--config", routes, "--to", "10.9.0.1@tcp9", "--from", "10.1.0.1@o2ib"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("gateway is on no net that can be sent from, route 1 of 2");
    }

    @Test
    void thatThereIsNoWayIsAnAnswerToo() throws IOException {
        String nets = file("nets.yaml", NETS);
        assertThat(explain("--config", nets, "--to", "10.9.0.1@gni")).isEqualTo(2);
        assertThat(explain("--config", nets, "--to", "10.9.0.1@tcp9")).isEqualTo(1);
        assertThat(out.toString()).contains("EHOSTUNREACH");
    }

    @Test
    void everythingWrongWithAFileIsToldByPlace() throws IOException {
        String bad = file("bad.yaml", "nett: []\nglobal:\n  discovery: 7\n");
        assertThat(explain("--config", bad, "--to", "10.0.0.5@tcp")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "railyard: invalid key 'nett': " + bad
                                + ":1:1: expected one of the sections net, peer, udsp, global,"
                                + " numa, java, route, bond, o2ibs, net_status, routing, buffers, statistics,"
                                + " ip2nets, ping, discover (did you mean 'net'?)",
                        "railyard: invalid value '7' for key 'discovery': " + bad
                                + ":3:14: expected 0 or 1, the default is 1");
    }

    @Test
    void whatTheNodeRefusesIsToldByPlaceToo() throws IOException {
        String unknown = file("unknown.yaml", "net:\n  - net type: tcp\n    interfaces: {0: none7}\n");
        assertThat(explain("--config", unknown, "--to", "10.0.0.5@tcp")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("railyard: ENODEV: " + unknown + ":3:21: this machine has no usable interface none7");
        String nets = file("nets.yaml", NETS);
        assertThat(explain("--config", nets, "--config", nets, "--to", "10.0.0.5@tcp"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("EEXIST", nets + ":");
        assertThat(explain("--config", nets, "--to", "10.0.0.5@tcp", "--size", "1048577"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("EINVAL", "1048577");
        assertThat(explain("--config", dir + "/nothing.yaml", "--to", "10.0.0.5@tcp"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("ENOENT", "nothing.yaml: no such file");
    }

    @Test
    void badArgumentsAreUsageErrors() throws IOException {
        String nets = file("nets.yaml", NETS);
        assertThat(explain("--config", nets, "--to", "nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("--to");
        assertThat(explain("--to", "10.0.0.5@tcp")).isEqualTo(2);
        assertThat(err.toString()).contains("--config");
    }
}
