package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Topologies on standard input, empty files, and results that cannot be written. */
class FilesInAndOutTest {
    private static final int FAILED = 5;

    /** A torus with tables, made once; each test has a copy. */
    @TempDir
    private static Path made = Path.of("");

    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);
    private byte[] net = {};

    @BeforeAll
    static void aTorusWithTables() throws IOException {
        FabricTool tool = new FabricTool(made);
        assertThat(tool.run("generate torus 4x4 --hosts 1 --out @t.net --conf @t.conf"))
                .isZero();
        assertThat(tool.run("route @t.net --conf @t.conf --out @tables"))
                .as("%s", tool.err())
                .isZero();
        Files.writeString(made.resolve("empty"), " \n\n");
    }

    @ParameterizedTest
    @CsvSource({
        "verify @tables @tables, DIR should be specified only once",
        "verify @tables --tables a @tables, DIR should be specified only once",
        "verify --topology a --topology b, option '--topology' should be specified only once"
    })
    void whatIsGivenTwiceIsNamed(String line, String text) {
        assertThat(tool.run(line)).isEqualTo(2);
        assertThat(tool.err()).isEqualTo("railyard: " + text + "; see 'railyard fabric verify --help'\n");
    }

    @Test
    void allLidsOfAPortAreVerified() throws IOException {
        assertThat(tool.run("route @t.net --engine layered --lmc 2 --out @lmc")).isZero();
        String graph = tool.out()
                .lines()
                .filter(line -> line.startsWith("channels: "))
                .findFirst()
                .orElseThrow();
        assertThat(tool.run("verify @lmc")).as("%s", tool.out()).isZero();
        assertThat(tool.out()).contains(graph).doesNotContain("not checked, the first");
        Files.delete(dir.resolve("lmc/guid2lid"));
        assertThat(tool.run("verify @lmc")).isEqualTo(2);
        assertThat(tool.err()).contains("guid2lid with both LIDs of this port GUID");
        Files.delete(dir.resolve("lmc/opensm-lfts.dump"));
        tool.run("verify @lmc");
        assertThat(tool.out()).contains("LIDs that no port of the topology has are not checked, the first: LID 5;");
    }

    @BeforeEach
    void aCopyOfIt() throws IOException {
        Files.createDirectories(dir.resolve("tables"));
        try (Stream<Path> files = Files.walk(made)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, dir.resolve(made.relativize(file)));
            }
        }
        tool = new FabricTool(dir);
        net = Files.readAllBytes(dir.resolve("t.net"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show -",
                "route - --conf @t.conf --out @a",
                "verify @tables --topology - --guid2lid @tables/guid2lid",
                "path - --conf @t.conf --from H-0.0.0.0 --to H-1.1.0.0",
                "path - --tables @tables --from H-0.0.0.0 --to H-1.1.0.0",
                "whatif - --conf @t.conf --fail S-1.1.0",
                "sim - --conf @t.conf --static",
                "draw - --conf @t.conf --out @a.svg"
            })
    void aTopologyMayBePiped(String line) throws IOException {
        assertThat(tool.run(line, bytes(net))).as("%s: %s", line, tool.err()).isZero();
        String piped = tool.out();
        deleteResults();
        assertThat(tool.run(line.replaceFirst(" -( |$)", " @t.net$1"))).isZero();
        assertThat(piped).isEqualTo(tool.out());
        deleteResults();
        assertThat(tool.run(line, InputStream.nullInputStream())).isEqualTo(2);
        assertThat(tool.err()).contains("standard input: found nothing in it, expected an ibsim net file");
        assertThat(tool.run(line, bytes("vendid=0x2c9\nnonsense\n".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo(2);
        assertThat(tool.err()).contains("standard input:2:1: found \"nonsense\"");
        assertThat(dir.resolve("a")).doesNotExist();
        assertThat(dir.resolve("a.svg")).doesNotExist();
    }

    private void deleteResults() throws IOException {
        Files.deleteIfExists(dir.resolve("a.svg"));
        if (Files.exists(dir.resolve("a"))) {
            try (Stream<Path> files = Files.list(dir.resolve("a"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(dir.resolve("a"));
        }
    }

    private static InputStream bytes(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    @Test
    void whatIsPipedMayBePackedButIsBounded() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(net);
        }
        assertThat(tool.run("show -", bytes(packed.toByteArray()))).isZero();
        assertThat(tool.out()).contains("switches: 16, CAs: 16");
        assertThat(tool.run("show -", new Endless())).isEqualTo(2);
        assertThat(tool.err()).contains("standard input: cannot be read: more than 268435456 bytes");
    }

    /** Blanks without end. */
    private static final class Endless extends InputStream {
        @Override
        public int read() {
            return ' ';
        }

        @Override
        public int read(byte[] into, int from, int length) {
            Arrays.fill(into, from, from + length, (byte) ' ');
            return length;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "route @t.net --conf @empty --out @a; torus-2QoS.conf",
                "route @t.net --conf @t.conf --guid2lid @empty --out @a; guid2lid",
                "route @t.net --conf @t.conf --groups @empty --out @a; MLID[/SL]=MEMBERS",
                "route @t.net --engine up-down --roots @empty --out @a; a node GUID",
                "verify @tables --topology @empty; an ibsim net file",
                "verify @tables --tables @empty; forwarding tables",
                "verify @tables --sl2vl @empty; SL to VL tables",
                "verify @tables --path-sl @empty; SLs of paths",
                "verify @tables --conf @empty; torus-2QoS.conf",
                "path @tables --path-sl @empty --from H-0.0.0.0 --to H-1.1.0.0; SLs of paths",
                "qos --check @empty; OpenSM's configuration",
                "sim @t.net --conf @t.conf --vl-arbitration @empty --load 0.1; OpenSM's configuration"
            })
    void anEmptyFileIsAnError(String lineAndExpected) {
        List<String> parts = List.of(lineAndExpected.split("; ", -1));
        String line = parts.getFirst();
        assertThat(tool.run(line)).as("%s: %s", line, tool.out()).isEqualTo(2);
        assertThat(tool.err()).contains(dir.resolve("empty") + ": found nothing in it, expected " + parts.getLast());
        assertThat(dir.resolve("a")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aByteOrderMarkIsNoPartOfTheFirstWord(boolean gzip) throws IOException {
        assertThat(tool.run("qos")).isZero();
        String settings = tool.out();
        int start = settings.indexOf("routing_engine");
        Files.writeString(dir.resolve("opensm.conf"), settings.substring(start, settings.indexOf("\n#", start) + 1));
        for (String name : List.of("t.net", "t.conf", "opensm.conf", "tables/opensm-lfts.dump")) {
            Path file = dir.resolve(name);
            byte[] text = Files.readAllBytes(file);
            try (OutputStream raw = Files.newOutputStream(file);
                    OutputStream out = gzip ? new GZIPOutputStream(raw) : raw) {
                out.write(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});
                out.write(text);
            }
        }
        for (String line : List.of("route @t.net --conf @t.conf", "verify @tables", "qos --check @opensm.conf")) {
            assertThat(tool.run(line)).as("%s: %s", line, tool.err()).isZero();
        }
    }

    @Test
    void noMulticastGroupsMakeAnEmptyFileAsWithOpenSm() {
        assertThat(dir.resolve("tables/opensm.mcfdbs")).isEmptyFile();
        assertThat(tool.run("verify @tables")).isZero();
        assertThat(tool.run("verify @tables --multicast @empty")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "route @t.net --conf @t.conf --out FILE/tables",
                "verify @tables --certificate /dev/full",
                "draw @t.net --conf @t.conf --out /dev/full",
                "draw @t.net --conf @t.conf --out FILE/t.svg",
                "draw @t.net --conf @t.conf --out @none/t.svg",
                "sim @t.net --conf @t.conf --load 0.1 --json /dev/full",
                "sim @t.net --conf @t.conf --load 0.1 --links /dev/full",
                "generate torus 3x3 --out /dev/full",
                "generate torus 3x3 --conf /dev/full"
            })
    void whatCannotBeWrittenHasAnExitCodeOfItsOwn(String line) {
        assertThat(tool.run(line.replace("FILE", "@t.net"))).as(line).isEqualTo(FAILED);
        assertThat(tool.err()).contains(": cannot be written: ").doesNotContain("internal error");
    }

    @Test
    void helpAndPageTellTheCode() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "fabric.md"));
        assertThat(page).contains("| 5 | results cannot be written");
        CommandLine fabric = new CommandLine(FabricCommand.of(List.of()));
        fabric.getSubcommands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()) {
                assertThat(command.getUsageMessage()).as(name).contains("5   results cannot be written");
            }
        });
    }

    /** Two spines and four leaves with two hosts each; one leaf may lack its cable to the second spine. */
    private static String fatTree(int hurt) {
        StringBuilder text = new StringBuilder();
        for (int spine = 0; spine < 2; spine++) {
            text.append("switchguid=0x3000%02x\nSwitch 8 \"P-%d\"\n".formatted(spine, spine));
            for (int leaf = 0; leaf < 4; leaf++) {
                if (leaf != hurt || spine == 0) {
                    text.append("[%d] \"L-%d\"[%d]\n".formatted(leaf + 1, leaf, spine + 5));
                }
            }
            text.append('\n');
        }
        for (int leaf = 0; leaf < 4; leaf++) {
            text.append("switchguid=0x2000%02x\nSwitch 8 \"L-%d\"\n".formatted(leaf, leaf));
            for (int host = 0; host < 2; host++) {
                text.append("[%d] \"H-%d.%d\"[1]\n".formatted(host + 1, leaf, host));
            }
            for (int spine = 0; spine < 2; spine++) {
                if (leaf != hurt || spine == 0) {
                    text.append("[%d] \"P-%d\"[%d]\n".formatted(spine + 5, spine, leaf + 1));
                }
            }
            text.append('\n');
            for (int host = 0; host < 2; host++) {
                text.append("caguid=0x10%02x%02x\nCa 1 \"H-%d.%d\"\n[1] \"L-%d\"[%d]\n\n"
                        .formatted(leaf, host, leaf, host, leaf, host + 1));
            }
        }
        return text.toString();
    }

    @Test
    void spinesOfAFatTreeAreNotOdd() throws IOException {
        Files.writeString(dir.resolve("tree.net"), fatTree(-1));
        assertThat(tool.run("show @tree.net")).as("%s", tool.err()).isZero();
        assertThat(tool.out()).contains("neighbours per switch: 2 (4×), 4 (2×)", "odd parts: none");
        Files.writeString(dir.resolve("hurt.net"), fatTree(2));
        assertThat(tool.run("show @hurt.net")).as("%s", tool.err()).isZero();
        assertThat(tool.out()).contains("odd parts: 1\n", "L-2 has 1 neighbours, most have 2");
    }
}
