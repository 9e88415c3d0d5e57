package org.railyard.sm.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.fabric.format.FormatException;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;

/** OpenSM's settings. */
final class OpenSmOptionsTest {
    @Test
    void valuesAndDefaults() {
        OpenSmOptions options = OpenSmOptions.parse("""
            # of an admin
            lmc 2
            sm_priority 0xf
            qos TRUE
            qos true
            routing_engine torus-2QoS,no_fallback
            subnet_prefix 0xfec0000000000001
            part_enforce off
            root_guid_file (null)
            """);
        assertThat(options.wrong()).isEmpty();
        assertThat(options.number("lmc")).isEqualTo(2);
        assertThat(options.number("sm_priority")).isEqualTo(15);
        assertThat(options.number("subnet_timeout")).isEqualTo(18);
        assertThat(options.number("qos_swe_high_limit")).isEqualTo(-1);
        assertThat(options.isOn("qos")).isTrue();
        assertThat(options.isOn("lmc_esp0")).isFalse();
        assertThat(options.word("subnet_prefix")).isEqualTo(0xFEC0_0000_0000_0001L);
        assertThat(options.word("sa_key")).isEqualTo(1);
        assertThat(options.text("routing_engine")).contains("torus-2QoS,no_fallback");
        assertThat(options.text("root_guid_file")).isEmpty();
        assertThat(options.text("part_enforce")).contains("off");
        assertThat(options.isChanged("lmc")).isTrue();
        assertThat(options.isChanged("guid")).isFalse();
        assertThat(options.changed("lmc"))
                .hasValueSatisfying(lmc -> assertThat(lmc.line()).isEqualTo(2));
        assertThat(options.changed("guid")).isEmpty();
        assertThatThrownBy(() -> options.number("lmcc")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void wrongValuesAndUnknownNamesAreToldWithTheirPlaces() {
        OpenSmOptions options = OpenSmOptions.parse("""
            lmc 8
            qos maybe
            m_key 0x12345678901234567
            part_enforce some
            sweep_intervall 15
            sweep_interval 15
            log_file /var/log/other
            sm_sl -1
            """);
        assertThat(options.wrong())
                .extracting(remark -> remark.at("opensm.conf"))
                .containsExactlyInAnyOrder(
                        "opensm.conf:1:5: lmc is \"8\"; 0 to 7 expected",
                        "opensm.conf:2:5: qos is \"maybe\"; TRUE or FALSE expected",
                        "opensm.conf:3:7: m_key is \"0x12345678901234567\"; a number of 64 bits expected",
                        "opensm.conf:4:14: part_enforce is \"some\"; both, in, out, off expected",
                        "opensm.conf:8:7: sm_sl is \"-1\"; 0 to 15 expected");
        assertThat(options.number("sweep_interval")).isEqualTo(15);
        assertThat(options.number("lmc")).isZero();
        assertThat(options.ignored())
                .extracting(ConfRemark::line)
                .contains(5, 7)
                .doesNotContain(1, 6);
        assertThat(options.ignored().stream().filter(remark -> remark.line() == 5))
                .singleElement()
                .extracting(ConfRemark::text)
                .asString()
                .contains("not known", "sweep_interval");
    }

    @Test
    void settingsThatNeedQosAreToldInOneRemark() {
        String conf = """
            log_file /tmp/l
            qos_ca_sl2vl 0
            qos_high_limit -1
            qos_policy_file /tmp/q
            """;
        assertThat(OpenSmOptions.parse(conf).ignored())
                .extracting(remark -> remark.at("f"))
                .containsExactly(
                        "f:1:1: log_file has no effect here",
                        "f:2:1: the qos_* settings of lines 2, 4 have no effect, because qos is not TRUE");
        assertThat(OpenSmOptions.parse("qos FALSE\nqos_max_vls 8\n").ignored())
                .extracting(remark -> remark.at("f"))
                .containsExactly("f:2:1: the qos_* settings of line 2 have no effect, because qos is not TRUE");
        assertThat(OpenSmOptions.parse(conf + "qos true\n").ignored())
                .extracting(ConfRemark::text)
                .contains("qos_ca_sl2vl has no effect here", "qos_policy_file has no effect here");
    }

    @Test
    void aNameNeedsAValue() {
        assertThatThrownBy(() -> OpenSmOptions.parse("lmc\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 1");
    }

    @Test
    @NeedsCommand("opensm")
    void everyNameThatOpenSmWritesIsKnown(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("opensm.conf");
        Program.of("opensm", "-c", file.toString()).in(directory).output();
        OpenSmOptions options = OpenSmOptions.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        assertThat(options.wrong()).isEmpty();
        assertThat(options.ignored()).isEmpty();
        assertThat(OpenSmKeys.ALL.keySet()).noneMatch(options::isChanged);
    }
}
