package org.railyard.config.parameter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.YamlText;
import org.railyard.base.yaml.DocumentException;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.config.ni.Device;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.testkit.Requirement;

/** Texts in which nodes were configured before there was YAML. */
final class ParametersTest {
    private static final List<Device> DEVICES = List.of(
            new Device("lo", true, true, List.of(InetAddress.ofLiteral("127.0.0.1"))),
            new Device("eth0", true, false, List.of(InetAddress.ofLiteral("10.1.0.7"))),
            new Device("eth1", true, false, List.of(InetAddress.ofLiteral("10.2.0.8"))),
            new Device("eth2", false, false, List.of(InetAddress.ofLiteral("10.3.0.9"))));

    private static String shown(List<NiRequest> requests) {
        return requests.stream()
                .map(each -> each.net() + ":" + each.interfaceName() + each.cpts())
                .toList()
                .toString();
    }

    @Test
    @Requirement("bck-020")
    void networks() {
        assertThat(shown(NetSpecs.requests(NetSpecs.parse("tcp0(eth0[0], eth1[1]) , o2ib3 (ib0,ib1[2])[3],lo"))))
                .isEqualTo("[tcp:eth0[0], tcp:eth1[1], o2ib3:ib0[3], o2ib3:ib1[2]]");
        assertThat(shown(NetSpecs.requests(NetSpecs.parse(" ")))).isEqualTo("[tcp:null[]]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tcp(eth0,)           | column 10",
                "foo(eth0)            | column 1",
                "tcp(eth0             | ',' or ')'",
                "tcp(eth0[0)          | column 9",
                "tcp(eth0),tcp(eth0)  | each interface of a net once",
                "tcp(eth0)x           | ',' or the end"
            })
    void networksThatCanNotBeRead(String text, String where) {
        assertThatThrownBy(() -> NetSpecs.parse(text))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(where)
                .hasMessageContaining("^");
    }

    @Test
    @Requirement("bck-020")
    void addresses() {
        assertThat(shown(Ip2Nets.parse("tcp(eth1) 10.1.*.[1-50/2] # first\no2ib 10.2.*.* 10.9.0.0/16; tcp1 10.3.0.9")
                        .requests(DEVICES, false)))
                .isEqualTo("[tcp:eth1[], o2ib:eth1[]]");
        assertThat(shown(Ip2Nets.parse("tcp 10.1.0.7").requests(DEVICES, false)))
                .isEqualTo("[tcp:eth0[]]");
    }

    @Test
    void aNetWithoutInterfacesKeepsItsCpuPartitions() {
        assertThat(shown(NetSpecs.requests(NetSpecs.parse("tcp[1], o2ib [0,2]"))))
                .isEqualTo("[tcp:null[1], o2ib:null[0, 2]]");
        assertThat(shown(Ip2Nets.parse("tcp[1] 10.1.*.*").requests(DEVICES, false)))
                .isEqualTo("[tcp:eth0[1]]");
    }

    @Test
    void addressesThatAreNotHere() {
        assertThatThrownBy(() -> Ip2Nets.parse("tcp 10.77.*.*").requests(DEVICES, false))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
        assertThatThrownBy(() -> Ip2Nets.parse("tcp")).hasMessageContaining("has no addresses");
        assertThatThrownBy(() -> Ip2Nets.parse("tcp( 10.1.*.*")).hasMessageContaining("a bracket without");
        assertThatThrownBy(() -> Ip2Nets.parse("tcp 10.1.[1.*")).hasMessageContaining("a bracket without");
        assertThatThrownBy(() -> Ip2Nets.parse("tcp " + "10.x".repeat(2000))).hasMessageContaining("characters");
        assertThatThrownBy(() -> RouteSpecs.parse("tcp1 " + "[1]".repeat(9))).hasMessageContaining("brackets");
        assertThatThrownBy(() -> Ip2Nets.parse("tcp 10.x")).hasMessageContaining("no pattern of addresses");
        assertThatThrownBy(() -> Ip2Nets.parse("tcp(a),tcp(b) *.*.*.*")).hasMessageContaining("twice");
    }

    @Test
    @Requirement("bck-020")
    void routes() {
        assertThat(RouteSpecs.parse("o2ib[1-2] 1 10.1.0.[1-3/2]@tcp:1 10.1.0.9@tcp; # none\ntcp7 10.1.0.9@tcp"))
                .extracting(each -> each.net() + " " + each.gateway() + " " + each.hops() + " " + each.priority())
                .containsExactly(
                        "o2ib1 10.1.0.1@tcp 1 1",
                        "o2ib1 10.1.0.3@tcp 1 1",
                        "o2ib1 10.1.0.9@tcp 1 0",
                        "o2ib2 10.1.0.1@tcp 1 1",
                        "o2ib2 10.1.0.3@tcp 1 1",
                        "o2ib2 10.1.0.9@tcp 1 0",
                        "tcp7 10.1.0.9@tcp -1 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "o2ib                        | no router",
                "o2ib 256 10.1.0.1@tcp       | 256 hops",
                "o2ib 10.1.0.[1-4/2]@tcp     | in steps that fit",
                "o2ib 10.1.0.[4-1]@tcp       | goes up",
                "o2ib 10.1.0.[1@tcp          | a bracket without",
                "foo 10.1.0.1@tcp            | net 'foo'",
                "o2ib[1-99999999] 1.1.1.1@tcp | more than 16384",
                "tcp1 1.1.[1-200].[1-200]@tcp | more than 16384",
                "o2ib x                      | router 'x'"
            })
    void routesThatCanNotBeRead(String text, String why) {
        assertThatThrownBy(() -> RouteSpecs.parse(text)).hasMessageContaining(why);
    }

    @Test
    void parametersAsYaml() throws DocumentException {
        String yaml = YamlText.of(Conversion.document(
                "tcp0(eth0[0],eth1),o2ib3(ib0)",
                "tcp5(eth1) 10.1.*.[1-50/2]",
                "o2ib 2 10.1.0.[1-2]@tcp:1",
                false,
                warning -> {}));
        Configuration config = Configuration.read("converted", yaml);
        assertThat(shown(config.nis().stream().map(NiSpec::request).toList()))
                .isEqualTo("[tcp:eth0[0], tcp:eth1[], o2ib3:ib0[]]");
        assertThat(config.rest().ip2nets()).hasSize(1);
        assertThat(config.rest().routes()).hasSize(2);
    }

    @Test
    void rulesAsYamlKeepTheirCpuPartitions() throws DocumentException {
        String yaml = YamlText.of(Conversion.document(
                "",
                "tcp(eth1[0]) 10.1.*.*; tcp2(eth0,eth1)[0,2] 10.1.*.*; tcp3[1] 10.1.*.*",
                "",
                false,
                warning -> {}));
        assertThat(Configuration.read("converted", yaml).rest().ip2nets())
                .extracting(rule -> rule.like().net() + " " + rule.like().cpts())
                .containsExactly("tcp [0]", "tcp2 [0, 2]", "tcp3 [1]");
        assertThatThrownBy(() -> Conversion.document("", "tcp(eth0[0],eth1) 10.1.*.*", "", false, warning -> {}))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("give them one, such as tcp(eth0,eth1)[0], or");
    }

    @Test
    void whatYamlSaysOtherwiseIsTold() {
        List<String> warnings = new ArrayList<>();
        Conversion.document("", "tcp(eth1) 10.1.*.*; tcp(eth1) 10.2.*.*; o2ib 10.3.*.*", "", false, warnings::add);
        assertThat(warnings)
                .satisfiesExactly(
                        own -> assertThat(own)
                                .startsWith("ip2nets: tcp(eth1): ")
                                .contains("own address"),
                        first -> assertThat(first).startsWith("ip2nets: tcp is in several rules: "),
                        all -> assertThat(all).startsWith("ip2nets: o2ib without an interface: "));
        warnings.clear();
        Conversion.document("tcp(eth0),tcp(eth1)", "", "o2ib 10.1.0.1@tcp", false, warnings::add);
        assertThat(warnings).isEmpty();
    }
}
