package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code doctor} and {@code top} as they are typed. */
final class DoctorAndTopTest {
    @TempDir
    private Path dir = Path.of("");

    private final World world = make();

    private static World make() {
        try {
            return new World();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aNodeThatIsExamined() {
        World.Result unconfigured = world.run("doctor");
        assertThat(unconfigured.exit()).isEqualTo(1);
        assertThat(unconfigured.out()).contains("ERROR not-configured", "lnetctl lnet configure");
        world.run("lnet configure");
        world.run("net add --net tcp --if eth0");
        World.Result result = world.run("doctor --probe");
        assertThat(result.exit()).isEqualTo(1);
        // No machine has this address on that device.
        assertThat(result.out()).contains("eth0 (127.99.0.11@tcp)", "doctor: found");
        assertThat(world.run("doctor -y").out())
                .startsWith("doctor:\n    findings:\n")
                .contains("severity: error");
    }

    @Test
    void aLimitThatIsLeftToLNetFitsAlways() {
        world.run("lnet configure");
        world.run("net add --net tcp --if eth0");
        world.run("set timeout_formula lustre");
        world.run("set retry_count 4");
        assertThat(world.run("doctor").out()).contains("attempts-do-not-fit: net tcp");
        world.run("net set --net tcp --lnd-timeout 0");
        assertThat(world.run("doctor").out()).doesNotContain("attempts-do-not-fit");
    }

    @Test
    void theDoctorPingsPeersWhenAsked() {
        world.run("lnet configure");
        world.run("net add --net tcp --if eth0");
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0"), "");
        world.run("peer add --prim_nid 127.99.0.12@tcp");
        assertThat(world.run("doctor --probe").out()).doesNotContain("peer-silent", "port-refused");
        world.run("guest2", List.of("lnet", "unconfigure"), "");
        assertThat(world.run("doctor").out()).doesNotContain("peer-silent", "port-refused");
        // Which of them depends on who listens at the port on this machine, which the simulated network is not part of.
        assertThat(world.run("doctor --probe").out())
                .containsPattern("ERROR (peer-silent|port-refused): peer 127.99.0.12@tcp")
                .contains("it does not answer a ping");
    }

    @Test
    void connectionsOverTcpAreToldWithoutAskingAnybody() {
        world.run("lnet configure");
        world.run("net add --net tcp --if eth0");
        world.run("guest2", List.of("lnet", "configure"), "");
        world.run("guest2", List.of("net", "add", "--net", "tcp", "--if", "eth0"), "");
        assertThat(world.run("debug conn").out()).isEqualTo("connections: []\n");
        assertThat(world.run("ping 127.99.0.12@tcp --timeout 20").exit()).isZero();
        for (String nid : List.of("", " --nid 127.99.0.11@tcp", " --nid 127.99.0.12@tcp")) {
            assertThat(world.run("debug conn" + nid).out())
                    .contains("peer nid: 127.99.0.12@tcp", "state: connected", "control: 1");
        }
        assertThat(world.run("events --kind connection-up").out())
                .contains("connected with peer NI 127.99.0.12@tcp from 127.99.0.11@tcp");
        assertThat(world.run("guest2", List.of("events", "--kind", "connection-up"), "")
                        .out())
                .as("the side that was dialled")
                .contains("connected with peer NI 127.99.0.11@tcp from 127.99.0.12@tcp");
        assertThat(world.run("debug conn --failed").out()).isEqualTo("connections: []\n");
        World.Result nobody = world.run("debug conn --nid 127.99.0.99@tcp");
        assertThat(nobody.exit()).isEqualTo(234);
        assertThat(nobody.err()).contains("neither a NID of this node nor of a peer");
        assertThat(world.run("doctor").out()).doesNotContain("connection-down");
        world.run("guest2", List.of("lnet", "unconfigure"), "");
        assertThat(world.run("ping 127.99.0.12@tcp --timeout 5").exit()).isNotZero();
        assertThat(world.run("debug conn --failed").out()).contains("state: failed", "failure:", "retry seconds:");
        assertThat(world.run("doctor").out())
                .contains("WARNING connection-down: peer NI 127.99.0.12@tcp", "no connection from 127.99.0.11@tcp");
        assertThat(world.run("doctor --probe").out()).doesNotContain("connection-down");
    }

    @Test
    void aFileIsCheckedAgainstTheMachine() throws IOException {
        Path file = Files.writeString(dir.resolve("lnet.conf"), """
            net:
              - {net type: tcp, local NI(s): [{nid: 127.0.0.2@tcp}]}
            global: {retry_count: 3}
            """);
        List<String> doctor = List.of("doctor", "--config", file.toString(), "--any-source-port", "--port");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.2"))) {
            String port = Integer.toString(taken.getLocalPort());
            World.Result result = world.run("nobody", with(doctor, port), "");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.out())
                    .contains(
                            "ERROR port-in-use: port " + port,
                            "process " + ProcessHandle.current().pid(),
                            "WARNING attempts-do-not-fit: net tcp",
                            "in the file, at the NI on tcp: lnd tunables: {timeout: 37}");
            assertThat(world.run("guest1", with(doctor, port), "").out())
                    .contains("not checked: the port to listen at: lnetd runs here and has it");
        }
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("nid: 127.0.0.2@tcp", "nid: 127.0.0.2@tcp, lnd tunables: {timeout: 37}"));
        World.Result mended = world.run("nobody", with(doctor, Integer.toString(freePort())), "");
        assertThat(mended.out())
                .startsWith("checked against ")
                .contains("network")
                .endsWith("\n\ndoctor: nothing found\n");
        assertThat(mended.exit()).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static List<String> with(List<String> words, String last) {
        return Stream.concat(words.stream(), Stream.of(last)).toList();
    }

    @Test
    void aFileThatCanNotBeRead() throws IOException {
        World.Result missing = world.run("doctor --config nothing.yaml");
        assertThat(missing.exit()).isEqualTo(254);
        assertThat(missing.err()).contains("nothing.yaml can not be read: there is no such file");
        Path wrong = Files.writeString(dir.resolve("wrong.yaml"), "nett: []\n");
        World.Result result = world.run("doctor --config " + wrong);
        assertThat(result.exit()).isEqualTo(234);
        assertThat(result.err()).contains("invalid key 'nett'", "wrong.yaml:1:1: expected");
    }

    @Test
    void tablesOfRates() {
        world.run("lnet configure");
        world.run("net add --net tcp --if eth0");
        World.Result result = world.run("top --iterations 2 --interval 100ms --sort health");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("lnetctl top  1 of 2", "lnetctl top  2 of 2", "127.99.0.11@tcp", "PEER NI");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "doctor --help                       | 0   | --any-source-port",
                "doctor a.yaml                       | 234 | a file to check goes with --config FILE",
                "doctor --port 988                   | 234 | say how lnetd will be started with --config FILE",
                "doctor --config x --probe           | 234 | a file has none to ask",
                "doctor --config x --port 70000      | 234 | --port '70000'; expected 1…65535",
                "doctor --config x --port some       | 234 | --port 'some'; expected 1…65535",
                "doctor --timeout 2                  | 234 | expected --probe and a whole number of seconds",
                "doctor --probe --timeout soon       | 234 | expected --probe and a whole number of seconds",
                "doctor --probe --timeout 61         | 234 | timeout 61 s of the doctor; expected 1…60",
                "top --help                          | 0   | --interval, -i TIME",
                "top --interval 10ms                 | 234 | expected 100ms to 3600s",
                "top --interval soon                 | 234 | expected 100ms to 3600s",
                "top --iterations 0                  | 234 | expected 1…1000000",
                "top --sort speed                    | 234 | expected one of rate, bytes, health, credits, nid",
                "top now                             | 234 | 'now' is too much",
                "top --once                          | 234 | LNet is not configured"
            })
    void mistakes(String line, int exit, String says) {
        World.Result result = world.run(line);
        assertThat(result.exit()).isEqualTo(exit);
        assertThat(result.out() + result.err()).contains(says);
    }

    @Test
    void withoutAService() {
        World.Result doctor = world.run("nobody", List.of("doctor"), "");
        assertThat(doctor.exit()).isEqualTo(234);
        assertThat(doctor.err()).contains("'lnetctl doctor --config FILE' checks a file before it is started");
        assertThat(world.run("nobody", List.of("top", "--once"), "").exit()).isEqualTo(234);
    }
}
