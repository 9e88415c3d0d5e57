package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code lnetctl events} prints of two nodes on loopback. */
class EventsCommandsTest {
    private World world;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    EventsCommandsTest() {}

    @BeforeEach
    void start() throws IOException {
        world = new World();
        for (String node : List.of("guest1", "guest2")) {
            assertThat(world.run(node, Words.of("lnet configure"), "").exit()).isZero();
            assertThat(world.run(node, Words.of("net add --net tcp --if eth0"), "")
                            .exit())
                    .isZero();
        }
        assertThat(world.run("discover 127.99.0.12@tcp").exit()).isZero();
    }

    @AfterEach
    void stop() {
        world.close();
    }

    /** A pipe whose reader leaves after some lines, as 'head' does. */
    private static final class Pipe extends Writer {
        private final StringBuilder text = new StringBuilder();
        private int lines;

        Pipe(int lines) {
            this.lines = lines;
        }

        @Override
        public void write(char[] chars, int offset, int length) {
            text.append(chars, offset, length);
        }

        @Override
        public void flush() throws IOException {
            long written = text.chars().filter(c -> c == '\n').count();
            if (written >= lines) {
                throw new IOException("broken pipe");
            }
        }

        @Override
        public void close() {
            // Nothing is behind it.
        }
    }

    private String follow(int lines, String command) {
        Pipe pipe = new Pipe(lines);
        StringWriter err = new StringWriter();
        int exit = Lnetctl.run(
                Words.of(command),
                new BufferedReader(new StringReader("")),
                new PrintWriter(pipe),
                new PrintWriter(err),
                () -> "test",
                () -> world.dlc("guest1"));
        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        return pipe.text.toString();
    }

    @Test
    void theLastEventsAsYaml() {
        String text = world.run("events").out();
        assertThat(text)
                .startsWith("events:\n    - number: 1\n      time: ")
                .contains(
                        """
                              kind: ni-added
                              nid: 127.99.0.11@tcp
                              bad: false
                              text: NI 127.99.0.11@tcp on eth0 is new
                        """, "text: peer 127.99.0.12@tcp is new", "text: \"peer 127.99.0.12@tcp is discovered: 1 NID\"")
                .contains("text: connected with peer NI 127.99.0.12@tcp from 127.99.0.11@tcp")
                .endsWith("last: 4\n");
    }

    @Test
    void someOfThem() {
        assertThat(world.run("events --last 1").out()).contains("number: 4").doesNotContain("number: 3");
        assertThat(world.run("events --after 3").out()).contains("number: 4").doesNotContain("number: 3");
        assertThat(world.run("events --kind ni-added,peer-added").out())
                .contains("number: 1", "number: 2")
                .doesNotContain("number: 3");
        assertThat(world.run("events --nid 127.99.0.11@tcp").out())
                .contains("number: 1")
                .doesNotContain("number: 2");
        assertThat(world.run("events --last 0").out()).isEqualTo("events: []\nlast: 4\n");
        assertThat(world.run("--json events --kind ni-added").out())
                .startsWith("{\"events\":[{\"number\":1,\"time\":\"")
                .endsWith("\"text\":\"NI 127.99.0.11@tcp on eth0 is new\"}],\"last\":4}\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--kind ni-dwn | 'ni-dwn' (did you mean 'ni-down'?); there are ni-added, ni-removed,",
                "--last 2000 | the last 2000 events; expected 0 to 1024",
                "--last -1 | the last -1 events; expected 0 to 1024",
                "--after -5 | events after number -5; expected 0 or more",
                "--nid nobody | no NID: 'nobody'",
                "--kind ni-dwn --follow | 'ni-dwn' (did you mean 'ni-down'?)",
                "--last 2000 --follow | the last 2000 events"
            })
    void whatCanNotBeReadIsRefused(String options, String complaint) {
        World.Result result = world.run("events " + options);
        assertThat(result.exit()).isEqualTo(Exit.FAILED);
        assertThat(result.err()).contains("errno: -22", complaint);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void followedALineForEachUntilTheReaderLeaves() {
        assertThat(follow(4, "events --follow"))
                .containsPattern("(?m)^[0-9-]{10}T[0-9:.]+Z  ni-added           NI 127.99.0.11@tcp on eth0 is new$")
                .containsPattern("(?m)^[0-9-]{10}T[0-9:.]+Z  peer-added         peer 127.99.0.12@tcp is new$")
                .contains("connection-up      connected with peer NI 127.99.0.12@tcp from 127.99.0.11@tcp\n")
                .contains("peer-discovered    peer 127.99.0.12@tcp is discovered: 1 NID\n");
        assertThat(follow(1, "--json events --follow --kind peer-added"))
                .startsWith("{\"number\":2,\"time\":\"")
                .endsWith("\"text\":\"peer 127.99.0.12@tcp is new\"}\n");
    }

    @Test
    void eventsStayWhenLNetIsStoppedAndStartedAnew() {
        assertThat(world.run("lnet unconfigure").exit()).isZero();
        assertThat(world.run("events --kind peer-added").out()).contains("number: 2\n");
        assertThat(world.run("lnet configure").exit()).isZero();
        assertThat(world.run("net add --net tcp --if eth1").exit()).isZero();
        assertThat(world.run("events --kind peer-added").out()).contains("number: 2\n");
        // What arrives while the NI stops is dropped, which may be an event of its own.
        assertThat(world.run("events --kind ni-added --last 1").out())
                .containsPattern("number: ([5-9]|1[0-9])\n")
                .contains("NI 127.99.1.11@tcp on eth1 is new");
    }
}
