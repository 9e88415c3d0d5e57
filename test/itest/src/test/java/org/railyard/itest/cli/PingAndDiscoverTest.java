package org.railyard.itest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.itest.kit.Command;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.testkit.Requirement;

/**
 * {@code railyard ping} and {@code railyard discover} print the documents, and end with the exit codes, that scripts
 * know from lnetctl.
 */
@Requirement("cfg-010")
final class PingAndDiscoverTest {
    private static final int PORT = Loopback.freePort();
    private static final String ONE = "127.0.4.1@tcp";
    private static final String TWO = "127.0.4.2@tcp";
    private static final String TWO_B = "127.0.5.2@tcp";
    private static final String NOBODY = "127.0.4.9@tcp";
    private static final String ELSEWHERE = "127.0.4.1@tcp9";

    private static LNet one = Loopback.node(PORT, ONE);
    private static LNet two = Loopback.node(PORT, TWO, TWO_B);

    @BeforeAll
    static void areUp() {
        assertThat(List.of(one, two)).noneMatch(node -> node.nids().isEmpty());
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    /** The default of a second may pass on a busy machine. */
    private static final String PATIENT = "--timeout";

    private static final String LIMIT = "30";

    private static Command run(String command, String... words) {
        String[] all = new String[words.length + 4];
        all[0] = command;
        all[1] = "--port";
        all[2] = Integer.toString(PORT);
        all[3] = "--any-source-port";
        System.arraycopy(words, 0, all, 4, words.length);
        return Command.run(all);
    }

    private static void assertShape(Command command, String kernel) throws IOException {
        assertThat(Shape.of(Shape.parse(command.out())))
                .as(command.toString())
                .isEqualTo(Shape.of(Shape.kernel(kernel)));
    }

    @Test
    void pingsANodeWithOneRail() throws IOException {
        Command ping = run("ping", PATIENT, LIMIT, ONE);
        assertThat(ping.exit()).isZero();
        assertThat(ping.err()).isEmpty();
        assertShape(ping, "ping-one-rail");
        assertThat(Shape.parse(ping.out()))
                .isEqualTo(Map.of(
                        "ping",
                        List.of(Map.of(
                                "primary nid", ONE, "Multi-Rail", false, "peer_ni", List.of(Map.of("nid", ONE))))));
    }

    @Test
    void pingsSeveralTargetsInTheOrderOfTheArguments() throws IOException {
        Command ping = run("ping", PATIENT, LIMIT, TWO, TWO_B);
        assertThat(ping.exit()).isZero();
        assertShape(ping, "ping-two-nids");
        assertThat(ping.out()).containsSubsequence("primary nid: " + TWO, "primary nid: " + TWO_B);
        Command range = run("ping", PATIENT, LIMIT, "127.0.4.[1-2]@tcp");
        assertThat(range.exit()).isZero();
        assertThat(range.out()).containsSubsequence("primary nid: " + ONE, "primary nid: " + TWO);
    }

    @Test
    @Requirement({"dyn-020", "dyn-040", "mrx-022"})
    void discoversANodeWithTwoRails() throws IOException {
        Command discover = run("discover", PATIENT, LIMIT, TWO_B);
        assertThat(discover.exit()).isZero();
        assertShape(discover, "discover-two-rails");
        assertThat(discover.out()).contains("primary nid: " + TWO, "Multi-Rail: true", "nid: " + TWO_B);
    }

    @Test
    void successesFirstThenFailures() throws IOException {
        Command discover = run("discover", PATIENT, LIMIT, TWO, NOBODY);
        assertThat(discover.exit()).isEqualTo(255);
        assertShape(discover, "discover-mixed");
        assertThat(discover.out()).contains(NOBODY);
    }

    @Test
    void programsReadTheSameInALine() throws IOException {
        for (String name : List.of("ping", "discover")) {
            Command json = run(name, "--json", PATIENT, LIMIT, TWO, "192.0.2.1@o2ib");
            assertThat(json.exit()).isEqualTo(255);
            assertThat(json.out()).startsWith("{").hasLineCount(1);
            assertThat(Shape.parse(json.out()))
                    .isEqualTo(Shape.parse(
                            run(name, PATIENT, LIMIT, TWO, "192.0.2.1@o2ib").out()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NOBODY, ELSEWHERE, "192.0.2.1@o2ib"})
    void aTargetThatCanNotBeReached(String target) throws IOException {
        Command ping = run("ping", target);
        assertThat(ping.exit()).isEqualTo(255);
        assertShape(ping, "ping-unreachable");
        assertThat(ping.out()).contains(target);
    }

    @Test
    void noRouteIsWhatAKernelCallsItToo() {
        assertThat(run("ping", "192.0.2.1@o2ib").out()).contains("errno: -113");
    }

    @ParameterizedTest
    @ValueSource(strings = {"256.1.1.1@tcp", "10.0.0.1@xyz", "bad_", "10.0.0.[1@tcp"})
    void anArgumentThatIsNoNid(String argument) throws IOException {
        for (String name : List.of("ping", "discover")) {
            Command command = run(name, argument);
            assertThat(command.exit()).isEqualTo(234);
            assertThat(command.out()).isEmpty();
            assertThat(Shape.of(Shape.parse(command.err()))).isEqualTo(Shape.of(Shape.kernel(name + "-unparsable")));
            assertThat(command.err()).startsWith("---").contains("errno: -22").endsWith("..." + System.lineSeparator());
        }
    }

    @Test
    void aHostThatNobodyKnows() throws IOException {
        Command ping = run("ping", "no-such-host.invalid@tcp");
        assertThat(ping.exit()).isEqualTo(234);
        assertThat(Shape.of(Shape.parse(ping.err()))).isEqualTo(Shape.of(Shape.kernel("ping-unparsable")));
    }

    @Test
    void aHostThatHasAName() {
        Command ping = run("ping", PATIENT, LIMIT, "localhost@tcp9", ONE);
        assertThat(ping.exit()).isEqualTo(255);
        assertThat(ping.out()).contains("primary nid: " + ONE).contains("127.0.0.1@tcp9");
    }

    @Test
    void noArgumentAtAll() {
        Command ping = run("ping");
        assertThat(ping.exit()).isEqualTo(234);
        assertThat(ping.out()).isEmpty();
        assertThat(ping.err()).contains("NID");
        Command discover = run("discover");
        assertThat(discover.exit()).isEqualTo(255);
        assertThat(discover.out()).isEmpty();
        assertThat(discover.err()).contains("NID");
    }

    @Test
    void aSourceThatIsNotHere() throws IOException {
        Command ping = run("ping", "--source", "192.0.2.77@tcp", ONE);
        assertThat(ping.exit()).isEqualTo(255);
        assertShape(ping, "ping-bad-source");
        assertThat(ping.out()).contains("errno: -22").contains(ONE);
        Command garbled = run("ping", "--source", "300.1.1.1@tcp", ONE);
        assertThat(garbled.exit()).isEqualTo(234);
    }

    @Test
    void aTimeoutOfZeroIsTheDefault() {
        assertThat(run("ping", "--timeout", "0", ONE).exit()).isZero();
    }

    @Test
    void aTimeoutOutOfRange() {
        Command ping = run("ping", "--timeout", "181", ONE);
        assertThat(ping.exit()).isEqualTo(234);
        assertThat(ping.err()).contains("--timeout 181; expected 0…180 seconds");
        Command discover = run("discover", "--timeout", "99999999", ONE);
        assertThat(discover.exit()).isEqualTo(234);
        assertThat(discover.err()).contains("--timeout 99999999; expected 1…31536000 seconds");
    }

    /** One second has no room for retries; it may pass on a busy machine, but the command begins. */
    @Test
    void theShortestTimeoutOfADiscovery() {
        assertThat(run("discover", "--timeout", "1", ONE).exit()).isIn(0, 255);
    }

    @Test
    void forcedDiscoveryAsksAgain() {
        assertThat(run("discover", "--force", TWO).out()).contains("Multi-Rail: true");
    }
}
