package org.railyard.fabric.torus.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.testkit.Requirement;

class QosSetupTest {
    @Test
    @Requirement({"t2q-042", "t2q-103", "t2q-108"})
    void whatWeWriteGivesNoWarning() {
        String conf = QosSetup.openSmConf("/etc/opensm/torus-2QoS.conf");
        assertThat(conf)
                .startsWith("routing_engine torus-2QoS,no_fallback\n")
                .contains("\nqos_swe_vlarb_high 0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64\n")
                .contains("\nqos_rtr_vlarb_low 0:16,1:16\n");
        assertThat(QosSetup.warnings(OpenSmConf.parse(conf))).isEmpty();
    }

    @Test
    @Requirement({"t2q-042", "t2q-108"})
    void defaultsAreWarnedAbout() {
        assertThat(QosSetup.warnings(OpenSmConf.parse("# nothing\n\nqos (null)\n")))
                .anyMatch(line -> line.contains("torus-2QoS is not asked for"))
                .anyMatch(line -> line.contains("qos is not TRUE"))
                .anyMatch(line -> line.contains("qos_swe_vlarb_high must give VLs 0-3 the same weight"));
        assertThat(QosSetup.warnings(OpenSmConf.parse(QosSetup.openSmConf("x")
                        .replace(",no_fallback", "")
                        .replace("swe_max_vls 8", "swe_max_vls 4"))))
                .hasSize(2)
                .anyMatch(line -> line.contains("has no no_fallback"))
                .anyMatch(line -> line.contains("qos_swe_max_vls is 4"));
    }

    @Test
    void whatOneKindOfPortIsNotToldItTakesFromAll() {
        String conf = """
            routing_engine torus-2QoS no_fallback
            qos TRUE
            qos_max_vls 8
            qos_vlarb_high 0:1,1:1
            qos_vlarb_low 0:1,1:1
            qos_swe_vlarb_high 0:9,1:9,2:9,3:9
            qos_swe_vlarb_low (null)
            """;
        assertThat(QosSetup.warnings(OpenSmConf.parse(conf)))
                .containsExactly(
                        "warning: qos_vlarb_low must give VLs 0-3 the same weight, and VLs 4-7 the same" + " weight");
    }

    @Test
    void badValuesAreNamedWithTheirPlace() {
        assertThatThrownBy(() -> QosSetup.warnings(OpenSmConf.parse("a b\nqos_swe_vlarb_high 0:4,16:1\n")))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith("line 2, column 24: found \"16:1\"");
        assertThatThrownBy(() -> OpenSmConf.parse("qos\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a value for qos");
    }

    @Test
    @Requirement("t2q-032")
    void partitionsHaveSlsWithoutDatelineBits() {
        assertThat(QosSetup.partitions(0x10)).isEqualTo("""
            Default=0x7fff, ipoib, sl=0 : ALL=full ;
            Level1=0x0010, ipoib, sl=8, defmember=full : ALL ;
            """);
        assertThat(QosSetup.policy(0x10)).isEqualTo("""
            qos-ulps
                any, pkey 0x0010 : 8
                default          : 0
            end-qos-ulps
            """);
    }
}
