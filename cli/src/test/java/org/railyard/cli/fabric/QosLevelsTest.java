package org.railyard.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps hold SLs of one QoS level, and none of multicast groups: what the commands make of that. */
class QosLevelsTest {
    @TempDir
    private Path dir = Path.of("");

    private FabricTool tool = new FabricTool(dir);

    @BeforeEach
    void aRoutedTorus() {
        tool = new FabricTool(dir);
        assertThat(tool.run("generate torus 6x6 --out @t.net --conf @t.conf")).isZero();
        assertThat(tool.run("route @t.net --conf @t.conf --group 0xC001/8=all --out @tables"))
                .as(tool.err())
                .isZero();
    }

    /** Puts SL 8 to 15 on one VL everywhere, which closes a credit loop in each ring. */
    private void breakLevelOne() throws IOException {
        Path file = dir.resolve("tables/opensm-sl2vl.dump");
        String broken = Files.readString(file)
                .lines()
                .map(line -> line.replaceFirst("^(\\d+ +\\d+ +: (?:\\d+ +){8})(?:\\d+ *){8}$", "$1" + "4  ".repeat(8)))
                .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(file, broken);
        Files.delete(dir.resolve("tables/ibdm.slvl"));
    }

    @Test
    void aLoopOfLevelOneIsFoundBesideAFileOfLevelZero() throws IOException {
        breakLevelOne();
        assertThat(tool.run("verify @tables --no-multicast")).isZero();
        assertThat(tool.out())
                .contains("SLs checked: 0 to 3; QoS level 1 (SL 8 to 15) is not checked: ", "ibdm.psl holds none of");
        assertThat(tool.run("verify @tables --no-multicast --conf @t.conf")).isEqualTo(1);
        assertThat(tool.out())
                .contains("t.conf gives the same", "SLs checked: 0 to 3, 8 to 11\n")
                .contains("component 1 of 24 (", "component 16 of 24 (")
                .contains("8 more components with a credit loop are not shown")
                .doesNotContain("component 17 of");
        String both = tool.out().replaceFirst("^SLs: .*\n", "");
        Files.delete(dir.resolve("tables/ibdm.psl"));
        assertThat(tool.run("verify @tables --no-multicast --conf @t.conf")).isEqualTo(1);
        assertThat(tool.out()).as("the same without the file").isEqualTo(both);
    }

    @Test
    void whatIsFreeOfLoopsInBothLevelsIsClean() {
        assertThat(tool.run("verify @tables --conf @t.conf --no-multicast")).isZero();
        assertThat(tool.out()).contains("SLs checked: 0 to 3, 8 to 11\n", "channels: 384,");
    }

    @Test
    void packetsOfLevelOneHaveItsSls() throws IOException {
        breakLevelOne();
        String sim = "sim @tables --load 1 --qos 1 --pattern tornado --buffers 4160 --window 20";
        assertThat(tool.run(sim)).isEqualTo(2);
        assertThat(tool.err()).contains("--qos 1.0: ", "ibdm.psl holds SLs of one QoS level only; give --conf FILE");
        assertThat(tool.run(sim + " --conf @t.conf")).isEqualTo(1);
        assertThat(tool.out()).contains("deadlock at ", " sl 8, ");
        assertThat(tool.run("sim @t.net --engine dor --load 0.1 --qos 0.5")).isEqualTo(2);
        assertThat(tool.err()).contains("--qos 0.5: dor gives SLs of one QoS level only");
    }

    @Test
    void aHintIsHeededOrRefused() {
        String path = "path @tables --from H-0.0.0.0 --to H-2.2.0.0 --hint 8";
        assertThat(tool.run(path)).isEqualTo(2);
        assertThat(tool.err()).contains("--hint 8: ", "give --conf FILE", "--sl N");
        assertThat(tool.run(path + " --conf @t.conf")).isZero();
        String ofDumps = tool.out();
        assertThat(ofDumps).contains("SL 8, arrives");
        assertThat(tool.run(path.replace("@tables", "@t.net") + " --conf @t.conf"))
                .isZero();
        assertThat(tool.out()).isEqualTo(ofDumps);
    }

    @Test
    void theSlOfAGroupIsToldWhereItIsAssumed() {
        assertThat(tool.run("verify @tables")).isZero();
        assertThat(tool.out()).contains("multicast SL 0 assumed for 0xC001; --multicast-sl MLID=N");
        assertThat(tool.run("verify @tables --multicast-sl 0xC001=8")).isZero();
        assertThat(tool.out()).doesNotContain("assumed").contains("dependencies: 464");
        assertThat(tool.run("verify @tables --multicast-sl 0xC001=16")).isEqualTo(2);
        assertThat(tool.err()).contains("--multicast-sl 0xC001=16: expected a multicast LID, ", "an SL, 0 to 15");
        assertThat(tool.run("verify @tables --multicast-sl 0xC099=8")).isEqualTo(2);
        assertThat(tool.err()).contains("--multicast-sl 0xC099=8: ", "opensm.mcfdbs has no such multicast group");
    }

    @Test
    void aTorusWithoutHostsIsVerifiedAndHasNoTraffic() {
        assertThat(tool.run("generate torus 5x5 --without 0,0 --hosts 0 --out @n.net --conf @n.conf"))
                .isZero();
        assertThat(tool.run("route @n.net --conf @n.conf --out @none"))
                .as(tool.err())
                .isZero();
        assertThat(tool.run("verify @none")).as(tool.err()).isZero();
        assertThat(tool.out()).contains("SLs checked: none");
        assertThat(tool.run("sim @none --load 0.1")).isEqualTo(2);
        assertThat(tool.err()).contains("0 hosts in this fabric, expected two or more");
    }
}
