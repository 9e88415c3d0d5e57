package org.railyard.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.Main;

/** What the command refuses, before it serves anything. */
final class ConsoleCommandTest {
    private static final int UNUSABLE = 2;

    @TempDir
    private Path dir = Path.of("");

    private static String refused(String... words) {
        StringWriter err = new StringWriter();
        String[] line = new String[words.length + 1];
        line[0] = "console";
        System.arraycopy(words, 0, line, 1, words.length);
        int exit = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), line);
        assertThat(exit).as(err.toString()).isEqualTo(UNUSABLE);
        return err.toString();
    }

    @Test
    void numbersOutOfRange() {
        assertThat(refused("--port", "65536")).contains("--port 65536: expected 0 to 65535");
        assertThat(refused("--interval", "0")).contains("--interval 0: expected 1 to 3600");
    }

    @Test
    void nodesThatCanNotBeToldApart() {
        assertThat(refused("a=/x", "a=/y")).contains("a=/y: there are two nodes of this name");
        assertThat(refused("a=")).contains("a=: the socket is missing; expected [NAME=]SOCKET");
        String[] many = new String[65];
        for (int i = 0; i < many.length; i++) {
            many[i] = "n" + i + "=/x";
        }
        assertThat(refused(many)).contains("the number of nodes 65: expected 1 to 64");
    }

    @Test
    void aRunThatCanNotBeShown() {
        assertThat(refused("--lab", "rail-down")).contains("--seed is missing; expected the seed");
        assertThat(refused("--lab", "nothing", "--seed", "1")).contains("found no file and no scenario");
    }

    @Test
    void whatGoesWithSomethingElse() {
        assertThat(refused("--seed", "3")).contains("found --seed without --lab");
        assertThat(refused("--conf", "torus.conf")).contains("found --conf without --fabric");
    }

    @Test
    void aTorusThatCanNotBeShown() throws IOException {
        Path net = dir.resolve("torus.net");
        Path conf = dir.resolve("torus.conf");
        int made = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                "fabric",
                "generate",
                "torus",
                "3x3x1",
                "--out",
                net.toString(),
                "--conf",
                conf.toString());
        assertThat(made).isZero();
        assertThat(refused("--fabric", net.toString())).contains("torus.net: --conf is missing");
        assertThat(refused("--fabric", dir.resolve("none").toString(), "--conf", conf.toString()))
                .contains("none");
        Path other = Files.writeString(
                dir.resolve("other.conf"), Files.readString(conf).replaceAll("0x[0-9a-f]+", "0xdead"));
        assertThat(refused("--fabric", net.toString(), "--conf", other.toString()))
                .contains("torus.net: no seed of")
                .contains("has all its switches");
    }
}
