package org.railyard.fabric.torus.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.route.Refusal;

/** What values may be, up to the last one that is taken and the first one that is not. */
class QosLimitsTest {
    private static int maxVls(String value) {
        return QosSetup.settings(OpenSmConf.parse("qos_swe_max_vls " + value + "\n"))
                .switches()
                .maxVls();
    }

    @ParameterizedTest
    @CsvSource({"0, 15", "1, 1", "8, 8", "15, 15"})
    void vlsThatArePossible(String value, int vls) {
        assertThat(maxVls(value)).isEqualTo(vls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "-1", "x"})
    void vlsThatAreNone(String value) {
        assertThatThrownBy(() -> maxVls(value))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("0 to 15 VLs");
    }

    @Test
    void theLimitOfTheHighTable() {
        assertThat(QosSetup.highLimit(OpenSmConf.parse("# nothing\n"), "qos_swe"))
                .isZero();
        OpenSmConf all = OpenSmConf.parse("qos_high_limit 4\nqos_ca_high_limit 255\nqos_rtr_high_limit 0\n");
        assertThat(QosSetup.highLimit(all, "qos_swe")).isEqualTo(4);
        assertThat(QosSetup.highLimit(all, "qos_ca")).isEqualTo(255);
        assertThat(QosSetup.highLimit(all, "qos_rtr")).isZero();
        for (String value : List.of("256", "-1", "many")) {
            assertThatThrownBy(
                            () -> QosSetup.highLimit(OpenSmConf.parse("a b\nqos_high_limit " + value + "\n"), "qos_ca"))
                    .isInstanceOf(FormatException.class)
                    .hasMessageStartingWith("line 2, ")
                    .hasMessageContaining("0 to 255");
        }
    }

    @Test
    void slToVlHas16Vls() {
        String vls = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7";
        QosSettings read = QosSetup.settings(
                OpenSmConf.parse("qos_sl2vl " + vls + "\nqos_ca_sl2vl " + vls.replace("14,7", "14, 15") + "\n"));
        assertThat(read.switches().slToVl()).hasValue(0x7EDC_BA98_7654_3210L);
        assertThat(read.routers().slToVl()).hasValue(0x7EDC_BA98_7654_3210L);
        assertThat(read.cas().slToVl()).hasValue(0xFEDC_BA98_7654_3210L);
        assertThat(QosSetup.settings(OpenSmConf.parse("a b\n")).cas().slToVl()).isEmpty();
        for (String wrong : List.of("0,1", vls + ",0", vls.replace("14", "16"), vls.replace("14", "x"))) {
            assertThatThrownBy(() -> QosSetup.settings(OpenSmConf.parse("a b\nqos_ca_sl2vl " + wrong + "\n")))
                    .isInstanceOf(FormatException.class)
                    .hasMessageStartingWith("line 2, ")
                    .hasMessageContaining("16 VLs, 0 to 15");
        }
        assertThatThrownBy(() -> QosSetup.settings(OpenSmConf.parse("qos_ca_sl2vl 0,1,x,2\n")))
                .hasMessageContaining("column 18");
    }

    @Test
    void onlyTrueIsTrue() {
        String conf = QosSetup.openSmConf("x");
        for (String value : List.of("FALSE", "no", "1")) {
            assertThat(QosSetup.warnings(OpenSmConf.parse(conf.replace("qos TRUE", "qos " + value))))
                    .singleElement()
                    .asString()
                    .contains("qos is not TRUE");
        }
        assertThat(QosSetup.warnings(OpenSmConf.parse(conf.replace("qos TRUE", "qos true"))))
                .isEmpty();
    }

    private static String entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> i % 15 + ":1").collect(Collectors.joining(","));
    }

    @Test
    void arbitrationTables() {
        assertThat(VlArbTable.parse("").entries()).isEmpty();
        assertThat(VlArbTable.parse("14:255,0:0").entries())
                .containsExactly(new VlArbTable.Entry(14, 255), new VlArbTable.Entry(0, 0));
        assertThat(VlArbTable.parse(entries(64)).entries()).hasSize(64);
        for (String text : List.of("15:1", "0:256", "0:-1", ":1", "1", "1,2:3", "1:", entries(65))) {
            assertThatThrownBy(() -> VlArbTable.parse(text)).isInstanceOf(FormatException.class);
        }
        assertThatThrownBy(() -> VlArbTable.parse("0:1,1,2:3"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("column 5")
                .hasMessageContaining("found \"1\"");
        List<VlArbTable.Entry> most = VlArbTable.parse(entries(64)).entries();
        assertThat(new VlArbTable(most).entries()).hasSize(64);
        assertThatThrownBy(() -> new VlArbTable(
                        IntStream.range(0, 65).mapToObj(i -> most.getFirst()).toList()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0:1, false", "1:1, false", "2:1, true", "7:1, true", "8:1, false", "5:0, false"})
    void endPortsUseTwoVls(String table, boolean warned) {
        QosSettings.Ports quiet =
                new QosSettings.Ports(8, VlArbTable.parse(""), VlArbTable.parse(""), OptionalLong.empty());
        for (boolean high : new boolean[] {true, false}) {
            VlArbTable given = VlArbTable.parse(table);
            QosSettings.Ports ports = new QosSettings.Ports(
                    8, high ? given : VlArbTable.parse(""), high ? VlArbTable.parse("") : given, OptionalLong.empty());
            List<String> warnings = new QosSettings(quiet, ports, quiet, quiet).warnings();
            if (warned) {
                assertThat(warnings)
                        .singleElement()
                        .asString()
                        .contains(
                                high
                                        ? "qos_ca_vlarb_high (or qos_vlarb_high) gives"
                                        : "qos_ca_vlarb_low (or qos_vlarb_low) gives");
            } else {
                assertThat(warnings).isEmpty();
            }
        }
    }

    @Test
    void whatFewVlsLeave() {
        assertThat(new DataVls(8, 2).warnings()).isEmpty();
        assertThat(new DataVls(7, 2).warnings()).singleElement().asString().contains("both QoS levels share them");
        assertThat(new DataVls(4, 2).warnings()).hasSize(1);
        assertThat(new DataVls(3, 2).warnings()).hasSize(2);
        assertThat(new DataVls(8, 1).warnings()).singleElement().asString().contains("1 data VL at end ports");
        assertThat(QosMode.SHARED.neededVls()).isEqualTo(2);
        assertThat(QosMode.SEPARATE_MULTICAST.neededVls()).isEqualTo(8);
        assertThat(new DataVls(2, 2).problems(QosMode.SHARED)).isEmpty();
        assertThat(new DataVls(1, 2).problems(QosMode.SHARED))
                .extracting(Refusal.Reason::code)
                .containsExactly("4E48");
        assertThat(new DataVls(7, 2).problems(QosMode.SEPARATE_MULTICAST))
                .extracting(Refusal.Reason::code)
                .containsExactly("vls");
        assertThat(new DataVls(8, 2).problems(QosMode.SEPARATE_MULTICAST)).isEmpty();
    }
}
