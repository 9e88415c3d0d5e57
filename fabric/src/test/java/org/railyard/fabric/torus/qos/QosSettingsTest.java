package org.railyard.fabric.torus.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.testkit.Requirement;

/** VL arbitration beside torus-2QoS (spec 30 §8): what OpenSM warned about, and not, with the same settings. */
class QosSettingsTest {
    private static final QosSettings.Ports DEFAULT = QosSettings.Ports.DEFAULT;

    @Test
    @Requirement("t2q-108")
    void openSmsDefaultsGiveItsFiveWarnings() {
        assertThat(new QosSettings(DEFAULT, DEFAULT, DEFAULT, DEFAULT).warnings())
                .satisfiesExactly(
                        line -> assertThat(line).contains("qos_swe_vlarb_high (or qos_vlarb_high) must give"),
                        line -> assertThat(line).contains("qos_swe_vlarb_low (or qos_vlarb_low) must give"),
                        line -> assertThat(line).contains("qos_ca_vlarb_low (or qos_vlarb_low) gives weight to VL 2"),
                        line -> assertThat(line).contains("qos_sw0_vlarb_low (or qos_vlarb_low) gives weight to VL 2"),
                        line -> assertThat(line).contains("qos_rtr_vlarb_low (or qos_vlarb_low) gives weight to VL 2"));
    }

    @Test
    @Requirement("t2q-108")
    void theQuietConfigurationIsQuiet() {
        QosSettings.Ports end = new QosSettings.Ports(
                2, VlArbTable.parse("0:64,1:0"), VlArbTable.parse("0:4,1:64"), OptionalLong.empty());
        QosSettings.Ports between = new QosSettings.Ports(
                8,
                VlArbTable.parse("0:64,1:64,2:64,3:64,4:0,5:0,6:0,7:0"),
                VlArbTable.parse("0:4,1:4,2:4,3:4,4:64,5:64,6:64,7:64"),
                OptionalLong.empty());
        assertThat(new QosSettings(between, end, end, end).warnings()).isEmpty();
        QosSettings.Ports few = new QosSettings.Ports(1, end.high(), end.low(), OptionalLong.of(0));
        assertThat(new QosSettings(between, few, end, end).warnings())
                .containsExactly(
                        "warning: qos_ca_max_vls (or qos_max_vls) is 1, torus-2QoS wants 2",
                        "warning: qos_ca_sl2vl (or qos_sl2vl) is overridden by torus-2QoS");
    }

    @Test
    @Requirement("t2q-103")
    void portsThatFaceEndNodesKeepTwoVls() {
        assertThat(VlArbTable.parse("0:64,1:63,4:32,2:1,4:16,0:8").facingEndNode())
                .isEqualTo(VlArbTable.parse("0:64,1:32,1:16,0:8,0:0,0:0"));
        assertThat(new VlArbTable(List.of()).facingEndNode().entries()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"15:1", "0:256", "0", "0:", ":1", "0:1,,1:1", "-1:1", "x:1", "0 :1"})
    void nonsenseIsRefused(String text) {
        assertThatThrownBy(() -> VlArbTable.parse(text)).isInstanceOf(FormatException.class);
    }

    @Test
    void aTableHas64Entries() {
        assertThat(VlArbTable.parse("0:1,".repeat(64)).entries()).hasSize(64);
        assertThatThrownBy(() -> VlArbTable.parse("0:1,".repeat(65))).hasMessageContaining("column 257");
    }

    @FuzzTest
    void anyTextIsReadOrRefused(FuzzedDataProvider data) {
        try {
            VlArbTable table = VlArbTable.parse(data.consumeRemainingAsString());
            assertThat(table.facingEndNode().entries()).hasSameSizeAs(table.entries());
        } catch (FormatException refused) {
            assertThat(refused.line()).isEqualTo(1);
        }
    }
}
