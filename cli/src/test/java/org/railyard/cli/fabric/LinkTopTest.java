package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.Ibsim;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** Counters of a subnet in ibsim, beside those that perfquery reads. */
@BesideOthers
@NeedsRoot
@NeedsCommand({"ibsim", "opensm", "unshare", "nsenter", "perfquery"})
class LinkTopTest {
    private static final int ROOM = 64;

    private final Fabric fabric = SampleTorus.torus(3, 3, 1, 1).fabric();
    private final int firstHost = fabric.switchCount();
    private final String first = fabric.description(firstHost);
    private final String client = fabric.description(firstHost + 4);
    private final String lost = fabric.description(firstHost + 7);

    @TempDir
    private Path directory;

    @Test
    void linksAndErrorsOfARunningSubnetAreShown() throws IOException, InterruptedException {
        try (Ibsim ibsim =
                new Ibsim(directory, NetFile.of(fabric).text(), fabric.nodeCount() + ROOM, fabric.portCount() + ROOM)) {
            ibsim.openSm(first);
            assertThat(top(ibsim, "--count", "5"))
                    .contains("reading 1: 5 of 54 directions of links")
                    .endsWith("exit 0\n");

            Ibsim.Program watching = ibsim.javaUntil(
                    "reading 1:", client, MainProgram.class, words("--iterations", "999", "--sort", "errors"));
            ibsim.console("PerformanceSet \"%s\"[1] PortCounters.SymbolErrorCounter=7".formatted(id(firstHost)));
            ibsim.console("PerformanceSet \"%s\"[2] PortCounters.PortXmitDiscards=65535".formatted(id(0)));
            watching.await("discard errors at the counter's end, 65535");
            // Whoever owns the port has gone without a word, and the subnet manager has not looked yet.
            ibsim.console("Unlink \"%s\"[1]".formatted(id(firstHost + 7)));
            watching.await("not read: " + lost + "/1: no answer to ");
            watching.end();

            assertThat(top(ibsim, "--count", "1", "--sort", "errors", "--total"))
                    .containsPattern(fabric.description(0) + "/2 -> \\S+ .* 65535  discard errors at");
            String json = top(ibsim, "--json", "--sort", "name", "--count", "1", "--total");
            assertThat(json)
                    .contains("\"link\":\"" + first + "/1 -> ", "\"symbol\":7")
                    .endsWith("exit 0\n");
            assertThat(ibsim.run(client, "perfquery", Integer.toString(1), "1"))
                    .containsPattern("SymbolErrorCounter:\\.+7\n");
        }
    }

    private String id(int node) {
        return (fabric.isSwitch(node) ? "S" : "H") + "-%016x".formatted(fabric.guid(node));
    }

    private String top(Ibsim ibsim, String... options) throws IOException, InterruptedException {
        return ibsim.java(client, MainProgram.class, words(options));
    }

    private static String[] words(String... options) {
        String[] words = new String[options.length + 4];
        words[0] = "fabric";
        words[1] = "top";
        words[2] = "--interval";
        words[3] = "100ms";
        System.arraycopy(options, 0, words, 4, options.length);
        return words;
    }
}
