package org.railyard.sm.conf;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;

/** Whatever a file holds, its reader takes it, or says where it is wrong in a line that a terminal can show. */
final class ConfFuzzTest {
    private static final Fabric FABRIC = SampleTorus.torus(2, 2, 1, 1).fabric();

    @FuzzTest
    void everyReader(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        List<Consumer<String>> readers = List.of(
                ConfFuzzTest::partitions, ConfFuzzTest::prefixRoutes, ConfFuzzTest::openSm, ConfFuzzTest::qosPolicy);
        for (Consumer<String> reader : readers) {
            try {
                reader.accept(text);
            } catch (FormatException e) {
                assertThat(e.line()).isPositive();
                assertThat(e.column()).isPositive();
                assertThat(e.getMessage()).matches("[\\x20-\\x7e…]*");
            }
        }
    }

    private static void remarks(List<ConfRemark> remarks) {
        assertThat(remarks).allSatisfy(remark -> assertThat(remark.text()).matches("[\\x20-\\x7e]*"));
    }

    private static void partitions(String text) {
        PartitionsConf conf = PartitionsConf.parse(text);
        remarks(conf.remarks());
        assertThat(conf.find(0xFFFF)).isPresent();
        assertThat(conf.partitions()).extracting(Partition::key).doesNotHaveDuplicates();
        for (int port = 0; port < FABRIC.portCount(); port++) {
            if (FABRIC.isEndPort(port)) {
                assertThat(conf.keys(FABRIC.portGuid(port)).of(FABRIC, port))
                        .doesNotHaveDuplicates()
                        .startsWith(0xFFFF);
            }
        }
    }

    private static void qosPolicy(String text) {
        QosPolicy policy = QosPolicy.parse(text, PartitionsConf.none());
        remarks(policy.remarks());
        assertThat(policy.standard()).isPresent();
        assertThat(policy.rules())
                .allSatisfy(rule -> assertThat(rule.level().sl()).isBetween(0, 15));
    }

    private static void prefixRoutes(String text) {
        assertThat(PrefixRoutes.parse(text).of(text.hashCode())).hasSizeLessThan(text.length() + 1);
    }

    private static void openSm(String text) {
        OpenSmOptions options = OpenSmOptions.parse(text);
        for (OpenSmKeys.Key key : OpenSmKeys.ALL.values()) {
            if (key.isBool()) {
                options.isOn(key.name());
            } else if (key.isWord()) {
                options.word(key.name());
            } else if (key.isText() || key.isChoice()) {
                options.text(key.name());
            } else {
                assertThat(options.number(key.name())).isBetween(-1L, key.max());
            }
        }
        remarks(options.wrong());
        remarks(options.ignored());
    }
}
