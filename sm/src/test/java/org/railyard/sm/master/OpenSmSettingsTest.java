package org.railyard.sm.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.format.OpenSmConf;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.VlArbTable;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.sm.SmSettings;
import org.railyard.sm.conf.ConfRemark;
import org.railyard.sm.conf.OpenSmOptions;
import org.railyard.sm.program.HighLimits;
import org.railyard.sm.program.PartitionEnforcement;
import org.railyard.sm.sa.SaSettings;

/** What a master takes from an opensm.conf. */
final class OpenSmSettingsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SmSettings BASE =
            SmSettings.of(RoutingSettings.of(EngineName.MIN_HOP.engine(null, false, List.of())));

    @Test
    void defaultsOfOpenSmChangeNothing() {
        OpenSmSettings none = new OpenSmSettings(OpenSmOptions.parse("""
            lmc 0
            sweep_interval 10
            max_wire_smps 4
            qos FALSE
            qos_high_limit -1
            partition_config_file /etc/opensm/partitions.conf
            """));
        assertThat(none.manager(BASE, false)).usingRecursiveComparison().isEqualTo(BASE);
        assertThat(none.administration(SaSettings.DEFAULT)).isEqualTo(SaSettings.DEFAULT);
        assertThat(none.partitionFile()).isEmpty();
        assertThat(none.prefixRoutesFile()).isEmpty();
    }

    @Test
    void partitionsAreNotEnforcedIfTheOldSettingSaysSo() {
        OpenSmOptions options = OpenSmOptions.parse("no_partition_enforcement TRUE\n");
        assertThat(new OpenSmSettings(options).manager(BASE, false).ports().enforcement())
                .isEqualTo(PartitionEnforcement.OFF);
        assertThat(options.ignored()).isEmpty();
        assertThat(BASE.ports().enforcement()).isEqualTo(PartitionEnforcement.BOTH);
    }

    @Test
    void whatDiffersCounts() {
        OpenSmOptions options = OpenSmOptions.parse("""
            lmc 2
            sm_priority 7
            sweep_interval 0
            subnet_prefix 0xfec0000000000001
            subnet_timeout 17
            packet_life_time 0x10
            head_of_queue_lifetime 0x11
            leaf_head_of_queue_lifetime 0x0f
            max_op_vls 3
            transaction_timeout 500
            transaction_retries 2
            max_wire_smps 8
            reassign_lids TRUE
            sa_key 0x77
            qos TRUE
            qos_swe_high_limit 9
            qos_swe_max_vls 8
            partition_config_file /tmp/p
            prefix_routes_file /tmp/r
            log_file /tmp/l
            part_enforce in
            """);
        OpenSmSettings settings = new OpenSmSettings(options);
        SmSettings manager = settings.manager(BASE, false);
        assertThat(manager.lmc()).isEqualTo(2);
        assertThat(settings.manager(BASE, true).lmc()).isZero();
        assertThat(manager.role().priority()).isEqualTo(7);
        assertThat(manager.sweepNanos()).isGreaterThan(1_000_000_000L * SECOND);
        assertThat(manager.keepLids()).isFalse();
        assertThat(manager.routing().options().maxOpVls()).isEqualTo(3);
        assertThat(manager.requests().timeoutNanos()).isEqualTo(SECOND / 2);
        assertThat(manager.requests().retries()).isEqualTo(2);
        assertThat(manager.requests().maxWindow()).isEqualTo(8);
        assertThat(manager.ports().enforcement()).isEqualTo(PartitionEnforcement.IN);
        assertThat(manager.ports().gidPrefix()).isEqualTo(0xFEC0_0000_0000_0001L);
        assertThat(manager.ports().subnetTimeout()).isEqualTo(17);
        assertThat(manager.ports().lifeTime()).isEqualTo(16);
        assertThat(manager.ports().hoqSwitch()).isEqualTo(17);
        assertThat(manager.ports().hoqEnd()).isEqualTo(15);
        assertThat(manager.ports().highLimits()).isEqualTo(new HighLimits(9, 255, 255));
        assertThat(manager.ports().qos()).isEqualTo(BASE.ports().qos());
        SaSettings administration = settings.administration(SaSettings.DEFAULT);
        assertThat(administration.saKey()).isEqualTo(0x77);
        assertThat(administration.packetLife()).isEqualTo(17);
        assertThat(administration.subnetPrefix()).isEqualTo(0xFEC0_0000_0000_0001L);
        assertThat(settings.partitionFile()).map(OpenSmConf.Setting::value).contains("/tmp/p");
        assertThat(settings.prefixRoutesFile()).map(OpenSmConf.Setting::value).contains("/tmp/r");
        assertThat(options.ignored())
                .extracting(ConfRemark::text)
                .containsExactly("qos_swe_max_vls has no effect here", "log_file has no effect here");
    }

    @Test
    void noLimitIsTheLargestWindowAndWhatIsMoreIsTold() {
        OpenSmOptions none = OpenSmOptions.parse("max_wire_smps 0\n");
        assertThat(new OpenSmSettings(none).manager(BASE, false).requests().maxWindow())
                .isEqualTo(RequestSettings.MAX_WINDOW);
        assertThat(none.ignored()).isEmpty();
        OpenSmOptions much = OpenSmOptions.parse("""
            max_wire_smps 100000
            transaction_retries 101
            polling_retry_number 1000001
            """);
        SmSettings manager = new OpenSmSettings(much).manager(BASE, false);
        assertThat(manager.requests().maxWindow()).isEqualTo(RequestSettings.MAX_WINDOW);
        assertThat(manager.requests().retries()).isEqualTo(RequestSettings.MAX_RETRIES);
        assertThat(much.ignored())
                .containsExactly(
                        new ConfRemark(
                                1, 15, "max_wire_smps is 100000, and counts as 4096, the most that there can be here"),
                        new ConfRemark(
                                2,
                                21,
                                "transaction_retries is 101, and counts as 100, the most that there can be here"),
                        new ConfRemark(
                                3,
                                22,
                                "polling_retry_number is 1000001, and counts as 1000000, the most that there can be"
                                        + " here"));
    }

    @Test
    void whatTorus2QosCanNotKeepItsPromisesWithIsToldByTheSettingOfTheFile() {
        SmSettings torus = SmSettings.of(RoutingSettings.of(EngineName.TORUS_2QOS.engine(
                TorusConfParser.parse(SampleTorus.torus(3, 3, 1, 1).conf(1)), false, List.of())));
        OpenSmOptions options = OpenSmOptions.parse("qos TRUE\nqos_vlarb_high 0:4,1:4\nqos_ca_vlarb_low 0:1,2:1\n");
        new OpenSmSettings(options).manager(BASE, false);
        assertThat(options.ignored()).isEmpty();
        new OpenSmSettings(options).manager(torus, false);
        assertThat(options.ignored())
                .containsExactly(
                        new ConfRemark(
                                2,
                                16,
                                "qos_vlarb_high, as qos_swe_vlarb_high, must give VLs 0-3 the same weight, and VLs 4-7"
                                        + " the same weight"),
                        new ConfRemark(
                                3, 18, "qos_ca_vlarb_low gives weight to VL 2, but end ports use VLs 0 and 1 only"));
    }

    @Test
    void kindsOfPortsHaveTheirOwnQos() {
        OpenSmOptions options = OpenSmOptions.parse("""
            qos TRUE
            qos_high_limit 4
            qos_ca_high_limit 7
            qos_vlarb_low 0:1
            qos_swe_vlarb_low 1:1
            qos_ca_vlarb_low 2:1
            qos_rtr_vlarb_low 3:1
            qos_sw0_vlarb_low 4:1
            qos_sw0_high_limit 5
            qos_sl2vl 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
            qos_rtr_sl2vl 2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2
            """);
        SmSettings manager = new OpenSmSettings(options).manager(BASE, false);
        assertThat(manager.ports().highLimits()).isEqualTo(new HighLimits(4, 7, 4));
        QosSettings qos = manager.ports().qos();
        assertThat(qos.switches().low()).isEqualTo(VlArbTable.parse("1:1"));
        assertThat(qos.cas().low()).isEqualTo(VlArbTable.parse("2:1"));
        assertThat(qos.routers().low()).isEqualTo(VlArbTable.parse("3:1"));
        assertThat(qos.cas().high()).isEqualTo(BASE.ports().qos().cas().high());
        assertThat(qos.managementPorts()).isEqualTo(BASE.ports().qos().managementPorts());
        assertThat(qos.switches().slToVl()).hasValue(0x1111_1111_1111_1111L);
        assertThat(qos.cas().slToVl()).hasValue(0x1111_1111_1111_1111L);
        assertThat(qos.routers().slToVl()).hasValue(0x2222_2222_2222_2222L);
        assertThat(manager.routing().qos()).contains(qos);
        assertThat(options.ignored())
                .extracting(ConfRemark::text)
                .as("all kinds have a table of their own, and port 0 has none")
                .containsExactly(
                        "qos_vlarb_low has no effect here",
                        "qos_sw0_vlarb_low has no effect here",
                        "qos_sw0_high_limit has no effect here");
    }

    @Test
    void enginesWithSlToVlOfTheirOwnTakeNoOther() {
        OpenSmOptions options = OpenSmOptions.parse("qos TRUE\nqos_sl2vl 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n");
        SmSettings layered = SmSettings.of(RoutingSettings.of(EngineName.LAYERED.engine(null, false, List.of())));
        assertThat(new OpenSmSettings(options).manager(layered, false))
                .usingRecursiveComparison()
                .isEqualTo(layered);
        assertThat(options.ignored()).extracting(ConfRemark::text).containsExactly("qos_sl2vl has no effect here");
    }

    @Test
    void qosThatCanNotBeIsRefusedWithItsLine() {
        OpenSmSettings settings = new OpenSmSettings(OpenSmOptions.parse("qos TRUE\nqos_vlarb_low 0:4,16:1\n"));
        assertThatThrownBy(() -> settings.manager(BASE, false))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 2");
        OpenSmSettings few = new OpenSmSettings(OpenSmOptions.parse("qos TRUE\nlmc 0\nqos_ca_sl2vl 0,1\n"));
        assertThatThrownBy(() -> few.manager(BASE, false))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 3");
    }
}
