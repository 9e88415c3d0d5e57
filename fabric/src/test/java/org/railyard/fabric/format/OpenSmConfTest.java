package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.torus.qos.QosSetup;

/** Lines as OpenSM 3.3.23 understood them: it tells each value that is not its default. */
final class OpenSmConfTest {
    private static final String TEXT = """
        routing_engine updn # a remark
          lmc\t1#2
        max_op_vls  "3" # three
        console '3'
        qos_policy_file "/tmp/x y" z
        log_prefix "a#b"
        partition_config_file  'a' 'b'
        torus_config "c
        prefix_routes_file d"
        event_db_dump_file ""
        guid_routing_order_file "f\tg"\r
        root_guid_file   h  i\s\s
        sm_priority "
        lash_start_vl (null)
        lmc_esp0 FALSE
        lmc_esp0 TRUE
        """;

    private static String value(OpenSmConf conf, String name) {
        return conf.find(name).orElseThrow().value();
    }

    @Test
    void commentsAndQuotesAreNoPartOfAValue() {
        OpenSmConf conf = OpenSmConf.parse(TEXT);
        assertThat(value(conf, "routing_engine")).isEqualTo("updn");
        assertThat(value(conf, "lmc")).isEqualTo("1");
        assertThat(value(conf, "max_op_vls")).isEqualTo("3");
        assertThat(value(conf, "console")).isEqualTo("3");
        assertThat(value(conf, "qos_policy_file")).isEqualTo("\"/tmp/x y\" z");
        assertThat(value(conf, "log_prefix")).isEqualTo("\"a");
        assertThat(value(conf, "partition_config_file")).isEqualTo("a' 'b");
        assertThat(value(conf, "torus_config")).isEqualTo("\"c");
        assertThat(value(conf, "prefix_routes_file")).isEqualTo("d\"");
        assertThat(value(conf, "event_db_dump_file")).isEmpty();
        assertThat(value(conf, "guid_routing_order_file")).isEqualTo("f\tg");
        assertThat(value(conf, "root_guid_file")).isEqualTo("h  i");
        assertThat(value(conf, "sm_priority")).isEqualTo("\"");
        assertThat(conf.find("lash_start_vl")).isEmpty();
        assertThat(conf.find("lmc_esp0")).contains(new OpenSmConf.Setting(16, 10, "TRUE"));
        assertThat(conf.find("lmc")).contains(new OpenSmConf.Setting(2, 7, "1"));
    }

    @Test
    void aRemarkBehindQosDoesNotSwitchItOff() {
        String conf = QosSetup.openSmConf("/etc/torus-2QoS.conf");
        assertThat(QosSetup.warnings(OpenSmConf.parse(conf.replace("qos TRUE", "qos \"TRUE\" # needed")
                        .replace(",no_fallback", ",no_fallback # so"))))
                .isEmpty();
    }

    @Test
    void aNameAloneIsRefused() {
        for (String text : List.of("lmc 1\nqos\n", "lmc 1\nqos # TRUE\n", "# x\nqos \t")) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> OpenSmConf.parse(text))
                    .satisfies(e -> {
                        assertThat(e.line()).isEqualTo(2);
                        assertThat(e.expected()).isEqualTo("a value for qos");
                    });
        }
    }
}
