package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;

/** Files written by OpenSM come out as they went in. */
final class GoldenFilesTest {
    static Stream<Golden> folders() {
        return Golden.ALL.stream().map(Golden::new);
    }

    private static List<String> sorted(String text) {
        return text.lines().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void subnetList(Golden golden) {
        String text = golden.text("opensm-subnet.lst");
        assertThat(SubnetList.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("folders")
    void forwardingTables(Golden golden) {
        Fabric fabric = golden.fabric();
        String text = golden.text("opensm-lfts.dump");
        assertThat(LftsDump.text(fabric, LftsDump.parse(text, fabric))).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("folders")
    void slToVl(Golden golden) {
        Fabric fabric = golden.fabric();
        String text = golden.text("opensm-sl2vl.dump");
        assertThat(Sl2VlDump.text(fabric, Sl2VlDump.parse(text, fabric))).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("folders")
    void guidsToLids(Golden golden) {
        String text = golden.text("guid2lid");
        Guid2Lid read = Guid2Lid.parse(text);
        assertThat(read.text()).isEqualTo(text);
        Fabric fabric = golden.fabric();
        Fabric again = read.apply(fabric);
        for (int port = 0; port < fabric.portCount(); port++) {
            assertThat(again.lid(port)).isEqualTo(fabric.lid(port));
        }
        assertThat(Guid2Lid.of(fabric).ranges()).isEqualTo(read.ranges());
    }

    @ParameterizedTest
    @MethodSource("folders")
    void unicastDump(Golden golden) {
        String text = golden.find("opensm.fdbs");
        if (text == null) {
            return;
        }
        Fabric fabric = golden.fabric();
        assertThat(UnicastDump.parse(text).text()).isEqualTo(text);
        ForwardingTables tables = UnicastDump.parse(Reader.of(text), fabric);
        assertThat(LftsDump.text(fabric, tables)).isEqualTo(golden.text("opensm-lfts.dump"));
        String ours = UnicastDump.text(fabric, tables);
        assertThat(LftsDump.text(fabric, UnicastDump.parse(Reader.of(ours), fabric)))
                .isEqualTo(golden.text("opensm-lfts.dump"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void multicastDump(Golden golden) {
        String text = golden.find("opensm.mcfdbs");
        if (text == null) {
            return;
        }
        Fabric fabric = golden.fabric();
        assertThat(MulticastDump.text(fabric, MulticastDump.parse(text, fabric, Map.of())))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("folders")
    void torusDump(Golden golden) {
        String text = golden.find("opensm-torus.dump");
        if (text != null) {
            assertThat(TorusDump.parse(text).text()).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void netFile(Golden golden) {
        String text = golden.text("fabric.net");
        NetFile read = NetFile.parse(text);
        assertThat(read.text()).isEqualTo(text);
        assertSame(Guid2Lid.parse(golden.text("guid2lid")).apply(read.fabric()), golden.fabric());
    }

    @ParameterizedTest
    @MethodSource("folders")
    void ownFormsOfTheTopologyTellTheSameFabric(Golden golden) {
        Fabric fabric = golden.fabric();
        assertSame(NetFile.parse(DiscoverWriter.text(fabric)).fabric(), fabric);
        assertSame(NetFile.of(fabric).fabric(), fabric);
        Fabric again = NetFile.parse(NetFile.of(fabric).text()).fabric();
        assertSame(Guid2Lid.of(fabric).apply(again), fabric);
    }

    private static void assertSame(Fabric found, Fabric expected) {
        assertThat(found.switchCount()).isEqualTo(expected.switchCount());
        assertThat(found.nodeCount()).isEqualTo(expected.nodeCount());
        assertThat(found.portCount()).isEqualTo(expected.portCount());
        for (int port = 0; port < expected.portCount(); port++) {
            assertThat(found.peer(port)).isEqualTo(expected.peer(port));
            assertThat(found.lid(port)).isEqualTo(expected.lid(port));
            assertThat(found.portGuid(port)).isEqualTo(expected.portGuid(port));
            assertThat(found.portName(port)).isEqualTo(expected.portName(port));
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void inputsOfIbdmchk(Golden golden) {
        String slvl = golden.find("ibdm.slvl");
        String psl = golden.find("ibdm.psl");
        if (slvl == null || psl == null) {
            return;
        }
        Fabric fabric = golden.fabric();
        String ours = SlVlFile.text(fabric, SlVlFile.parse(slvl, fabric));
        assertThat(sorted(ours)).isEqualTo(sorted(slvl));
        assertThat(SlVlFile.text(fabric, golden.routing().slToVl())).isEqualTo(ours);
        assertThat(sorted(PathSlFile.text(fabric, PathSlFile.parse(psl, fabric), 0)))
                .isEqualTo(sorted(psl));
    }
}
