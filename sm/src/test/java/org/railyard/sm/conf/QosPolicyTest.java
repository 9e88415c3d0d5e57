package org.railyard.sm.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.sample.SampleTorus;

/** QoS policies, in their long form and in the short one. */
final class QosPolicyTest {
    private static final String POLICY = """
        # ports of the servers
        port-groups
            port-group
                name: Storage servers
                use: file servers   # a word to people
                port-guid: 0x100000, 0x100010-0x10001f
                port-guid: 7
            end-port-group
            port-group
                name: Named
                port-name: H-1.0.0.0/P1, H-1.1.0.0/P1
            end-port-group
            port-group
                name: Others
                pkey: 0x8010
                partition: store
                node-type: SWITCH, SELF
            end-port-group
        end-port-groups
        qos-setup
            vlarb-tables
                anything at all
            end-vlarb-tables
        end-qos-setup
        qos-levels
            qos-level
                name: DEFAULT
                sl: 0
            end-qos-level
            qos-level
                name: Bulk
                use: large and slow
                sl: 8
                mtu-limit: 3
                rate-limit: 5
                packet-life: 16
                path-bits: 2
                pkey: 0x8010
            end-qos-level
        end-qos-levels
        qos-match-rules
            qos-match-rule
                use: by class
                qos-class: 7-9,11
                destination: Storage servers, Named
                qos-level-name: Bulk
            end-qos-match-rule
            qos-match-rule
                source: Others
                service-id: 22, 4719-5000
                pkey: 0x0F00-0x0FFF
                qos-level-name: DEFAULT
            end-qos-match-rule
        end-qos-match-rules
        """;

    private static final PartitionsConf PARTITIONS =
            PartitionsConf.parse("Default=0x7fff : ALL=full ;\nstore=0x20 : ALL=full ;\n");

    private static QosPolicy parse(String text) {
        return QosPolicy.parse(text, PARTITIONS);
    }

    /** What else is wrong is told along with what is wrong in the file of partitions. */
    @Test
    void withoutPartitionsTheirNamesAreNotLookedUp() {
        assertThat(QosPolicy.parseWithoutPartitions(POLICY.replace("partition: store", "partition: stores"))
                        .rules())
                .hasSize(2);
        assertThatThrownBy(() -> QosPolicy.parseWithoutPartitions(POLICY.replace("sl: 8", "sl: 16")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("line 33, column 9: ");
    }

    @Test
    void theLongForm() {
        QosPolicy policy = parse(POLICY);
        assertThat(policy.standard()).contains(new QosLevel("DEFAULT", 0, 0, 0, -1, 0, 28, 9));
        assertThat(policy.rules()).hasSize(2);
        QosRule first = policy.rules().getFirst();
        assertThat(first.level()).isEqualTo(new QosLevel("Bulk", 8, 3, 5, 16, 0x8010, 33, 9));
        assertThat(first.destinations()).extracting(QosPortGroup::name).containsExactly("Storage servers", "Named");
        assertThat(first.classes()).containsExactly(new QosRange(7, 9), new QosRange(11, 11));
        QosRule second = policy.rules().getLast();
        assertThat(second.pKeys()).containsExactly(new QosRange(0xF00, 0xFFF));
        assertThat(second.sources().getFirst().pKeys())
                .containsExactly(new QosRange(0x10, 0x10), new QosRange(0x20, 0x20));
        assertThat(second.sources().getFirst().types()).containsExactly(NodeType.SWITCH);
        assertThat(policy.remarks())
                .extracting(remark -> remark.at("q"))
                .containsExactly(
                        "q:20:1: qos-setup has no effect: SL to VL tables are the engine's, VL arbitration that of"
                                + " opensm.conf",
                        "q:37:9: path-bits has no effect");
    }

    @Test
    void whatARuleNamesTheRequestHasToTell() {
        QosPolicy policy = parse(POLICY);
        QosRule first = policy.rules().getFirst();
        assertThat(first.agrees(0, 8, false, 0)).isTrue();
        assertThat(first.agrees(0, 10, false, 0)).isFalse();
        assertThat(first.agrees(0, -1, true, 22)).isFalse();
        QosRule second = policy.rules().getLast();
        assertThat(second.agrees(0x8F01, -1, true, 5000)).isTrue();
        assertThat(second.agrees(0x8F01, -1, false, 0)).isFalse();
        assertThat(second.agrees(0, -1, true, 5000)).isFalse();
    }

    @Test
    void portsOfGroups() {
        Fabric fabric = SampleTorus.torus(2, 2, 1, 1).fabric();
        int host = fabric.portIndex(fabric.switchCount(), 1);
        QosPolicy policy = parse(POLICY.replace("0x100010-0x10001f", "0x%x".formatted(fabric.portGuid(host))));
        QosPortGroup storage = policy.rules().getFirst().destinations().getFirst();
        QosPortGroup others = policy.rules().getLast().sources().getFirst();
        int[] none = {};
        assertThat(storage.has(fabric, host, none, false)).isTrue();
        assertThat(others.has(fabric, host, none, false)).isFalse();
        assertThat(others.has(fabric, host, none, true)).isTrue();
        assertThat(others.has(fabric, host, new int[] {0xFFFF, 0x8020}, false)).isTrue();
        assertThat(others.has(fabric, fabric.portIndex(0, 0), none, false)).isTrue();
        QosPortGroup named = policy.rules().getFirst().destinations().getLast();
        long ports = IntStream.range(0, fabric.portCount())
                .filter(port -> named.has(fabric, port, none, false))
                .count();
        assertThat(ports).isEqualTo(2);
    }

    @Test
    void theShortForm() {
        QosPolicy policy = parse("""
            qos-ulps
                sdp, port-num 30000                   : 1
                sdp                                   : 2
                rds                                   : 3
                iser, port-num 900-901                : 4
                ipoib, pkey 0x8020                    : 5
                ipoib                                 : 6
                srp, target-port-guid 0x1234          : 7
                any, service-id 0x6234                : 8
                any, pkey 0x0ABC                      : 9
                any, target-port-guid 0x0ABC-0xFFFFF  : 10
                default                               : 11
            end-qos-ulps
            """);
        assertThat(policy.standard()).map(QosLevel::sl).contains(11);
        assertThat(policy.rules()).extracting(rule -> rule.level().sl()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(policy.rules())
                .extracting(QosRule::services)
                .startsWith(
                        List.of(new QosRange(0x10000 + 30000, 0x10000 + 30000)),
                        List.of(new QosRange(0x10000, 0x1FFFF)),
                        List.of(new QosRange(0x10648CA, 0x10648CA)),
                        List.of(new QosRange(0x1060000 + 900, 0x1060000 + 901)));
        assertThat(policy.rules().get(4).pKeys()).containsExactly(new QosRange(0x20, 0x20));
        assertThat(policy.rules().get(5).pKeys()).containsExactly(new QosRange(0x7FFF, 0x7FFF));
        assertThat(policy.rules().getLast().destinations().getFirst().guids())
                .containsExactly(new QosRange(0xABC, 0xFFFFF));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sl: 8                  | sl: 16                | line 33, column 9: | numbers of 0 to 15",
                "mtu-limit: 3           | mtu: 3                | line 34, column 9: | mtu-limit",
                "rate-limit: 5          | rate-limit: 1         | line 35, column 9: | the code of a rate",
                "qos-class: 7-9,11      | qos-class: 9-7        | line 44, column 9: | from the smaller",
                "qos-class: 7-9,11      | tclass: 7             | line 44, column 9: | qos-class, service-id",
                "qos-class: 7-9,11      | qos-class: 7,,8       | line 44, column 9: | before and behind each comma",
                "qos-level-name: Bulk   | qos-level-name: Bulky | line 46, column 9: | the name of a qos-level",
                "source: Others         | source: Nobody        | line 49, column 9: | names of port-groups",
                "partition: store       | partition: stores     | line 16, column 9: | names of partitions",
                "node-type: SWITCH      | node-type: HUB        | line 17, column 9: | CA, SWITCH, ROUTER, ALL or SELF",
                "port-name: H-1.0.0.0/P1| port-name: H-1.0.0.0  | line 11, column 9: | DESCRIPTION/P1",
                "name: DEFAULT          | name: Default         | line 52, column 9: | the name of a qos-level",
                "name: Named            | name: Others          | line 13, column 5: | that no other one has",
                "end-qos-levels         | end-qos-level         | line 40, column 1: | qos-level or the end",
                "end-qos-match-rules    | # missing             | line 41, column 1: | end-qos-match-rules somewhere",
                "qos-setup              | qos-set               | line 20, column 1: | port-groups, qos-setup",
            })
    void whatIsNotKnownIsNamed(String from, String to, String where, String expected) {
        assertThatThrownBy(() -> parse(POLICY.replaceFirst(Pattern.quote(from), to)))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith(where)
                .hasMessageContaining(expected);
    }

    @Test
    void somethingHasToBeForTheRest() {
        assertThatThrownBy(() -> parse("qos-ulps\n  sdp : 1\nend-qos-ulps\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("DEFAULT");
        assertThatThrownBy(() -> parse("qos-ulps\n  smtp : 1\nend-qos-ulps\n"))
                .hasMessageContaining("line 2, column 3")
                .hasMessageContaining("sdp, rds, iser");
        assertThatThrownBy(() -> parse("")).isInstanceOf(FormatException.class);
    }
}
