package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.qos.QosSetup;

/**
 * Whatever a file holds, its reader takes it or says where it is wrong; what it took it writes in a form that it takes
 * again.
 */
final class FormatFuzzTest {
    private static final Fabric FABRIC = new Golden("mesh2d-4x4").fabric();
    private static final Fabric SMALL =
            FreshLids.assign(SampleTorus.torus(3, 2, 1, 1).fabric(), Fabric.NONE);

    @FuzzTest
    void everyReader(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        List<Consumer<String>> readers = List.of(
                FormatFuzzTest::netFile,
                FormatFuzzTest::subnetList,
                FormatFuzzTest::guid2Lid,
                FormatFuzzTest::lfts,
                FormatFuzzTest::unicastDump,
                FormatFuzzTest::sl2Vl,
                FormatFuzzTest::slVl,
                FormatFuzzTest::multicast,
                FormatFuzzTest::nodeList,
                FormatFuzzTest::torusDump,
                in -> PathSlFile.parse(in, SMALL),
                in -> QosSetup.warnings(OpenSmConf.parse(in)));
        for (Consumer<String> reader : readers) {
            try {
                reader.accept(text);
            } catch (FormatException e) {
                assertThat(e.line()).isPositive();
                assertThat(e.column()).isPositive();
                assertThat(e.getMessage()).hasSizeLessThan(1000);
            }
        }
    }

    private static void netFile(String text) {
        NetFile file = NetFile.parse(text);
        file.fabric();
    }

    private static void subnetList(String text) {
        SubnetList list = SubnetList.parse(text);
        String written = list.text();
        assertThat(SubnetList.parse(written).text()).isEqualTo(written);
    }

    private static void guid2Lid(String text) {
        Guid2Lid read = Guid2Lid.parse(text);
        assertThat(Guid2Lid.parse(read.text()).ranges()).isEqualTo(read.ranges());
        try {
            read.apply(SMALL);
        } catch (FabricException e) {
            assertThat(e).hasMessageContaining("LID");
        }
    }

    private static void lfts(String text) {
        String written = LftsDump.text(FABRIC, LftsDump.parse(text, FABRIC));
        assertThat(LftsDump.text(FABRIC, LftsDump.parse(written, FABRIC))).isEqualTo(written);
    }

    private static void unicastDump(String text) {
        UnicastDump dump = UnicastDump.parse(text);
        assertThat(UnicastDump.parse(dump.text())).isEqualTo(dump);
        UnicastDump.parse(Reader.of(text), FABRIC);
    }

    private static void sl2Vl(String text) {
        String written = Sl2VlDump.text(SMALL, Sl2VlDump.parse(text, SMALL));
        assertThat(Sl2VlDump.text(SMALL, Sl2VlDump.parse(written, SMALL))).isEqualTo(written);
    }

    private static void slVl(String text) {
        String written = SlVlFile.text(SMALL, SlVlFile.parse(text, SMALL));
        assertThat(SlVlFile.text(SMALL, SlVlFile.parse(written, SMALL))).isEqualTo(written);
    }

    private static void multicast(String text) {
        String written = MulticastDump.text(SMALL, MulticastDump.parse(text, SMALL, Map.of()));
        assertThat(MulticastDump.text(SMALL, MulticastDump.parse(written, SMALL, Map.of())))
                .isEqualTo(written);
    }

    private static void nodeList(String text) {
        NodeList list = NodeList.parse(text);
        assertThat(NodeList.parse(list.text()).entries()).hasSameSizeAs(list.entries());
    }

    private static void torusDump(String text) {
        TorusDump dump = TorusDump.parse(text);
        assertThat(TorusDump.parse(dump.text()).places()).hasSameSizeAs(dump.places());
    }
}
