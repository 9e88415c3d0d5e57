package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.Requirement;
import picocli.CommandLine;

/** The pages about fabrics name what there is, and their pictures are what the commands draw. */
class FabricDocsTest {
    private static final Path DOCS = Path.of("..", "docs");

    @TempDir
    private Path dir = Path.of("");

    @Test
    void thePicturesAreThoseOfTheCommands() throws IOException {
        FabricTool tool = new FabricTool(dir);
        List<String> commands = Files.readAllLines(DOCS.resolve("torus-2qos.md")).stream()
                .filter(line -> line.startsWith("    generate torus ") || line.startsWith("    draw "))
                .map(line -> line.strip().replaceAll("(\\S+\\.(net|conf|svg))", "@$1"))
                .toList();
        assertThat(commands).hasSizeGreaterThan(8);
        for (String command : commands) {
            assertThat(tool.run(command)).as(command + tool.err()).isZero();
        }
        for (String picture : List.of("path", "detour", "tree", "loop-unicast", "loop-multicast")) {
            assertThat(dir.resolve(picture + ".svg"))
                    .hasSameTextualContentAs(DOCS.resolve("pictures").resolve(picture + ".svg"));
        }
    }

    /** What stands on the page can be typed, from the fabric on that it generates. */
    @Test
    void theCommandsOfThePageWork() throws IOException {
        FabricTool tool = new FabricTool(dir);
        List<String> commands = Files.readAllLines(DOCS.resolve("fabric.md")).stream()
                .map(String::strip)
                .filter(line -> line.matches("\\./railyard fabric (generate|show|path|whatif|draw) .*"))
                .map(line -> line.replace("./railyard fabric ", "").replaceAll("(\\S+\\.(net|conf|svg))", "@$1"))
                .filter(line -> !line.contains("@hole") && !line.contains("--live"))
                .toList();
        assertThat(commands).hasSizeGreaterThan(4);
        String generate = commands.stream()
                .filter(line -> line.startsWith("generate"))
                .findFirst()
                .orElseThrow();
        assertThat(tool.run(generate)).as(tool.err()).isZero();
        assertThat(tool.run("route @fabric.net --conf @torus-2QoS.conf --out @tables"))
                .as(tool.err())
                .isZero();
        for (String command : commands) {
            // Some failures of a pair, and of a torus that has one already, are refused.
            int most = command.contains("--each-switch") || command.contains("--pairs") ? 1 : 0;
            assertThat(tool.run(command)).as(command + tool.err()).isLessThanOrEqualTo(most);
            assertThat(tool.err()).as(command).doesNotContain("railyard: ");
        }
        assertThat(dir.resolve("dragonfly-loop.svg"))
                .hasSameTextualContentAs(DOCS.resolve("pictures").resolve("dragonfly-loop.svg"));
        assertThat(tool.run("sim @fabric.net --conf @torus-2QoS.conf --load 0.1 --window 20"))
                .as(tool.err())
                .isZero();
    }

    @Test
    @Requirement({"t2q-004", "t2q-044"})
    void thePageNamesEveryCommandAndEveryKeyword() throws IOException {
        String page = Files.readString(DOCS.resolve("fabric.md"));
        new CommandLine(FabricCommand.of(List.of()))
                .getSubcommands()
                .keySet()
                .forEach(name -> assertThat(page).contains("fabric " + name));
        for (String keyword : List.of(
                "torus",
                "mesh",
                "xp_link",
                "zm_link",
                "x_dateline",
                "next_seed",
                "portgroup_max_ports",
                "port_order",
                "max_changes")) {
            assertThat(page).contains("`" + keyword + "`");
        }
        assertThat(page).contains("must take their SL from path records", "no_fallback", "--torus_config");
    }
}
