package org.railyard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.yaml.Document;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Problem;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Allocations;

/** Reading configurations: what is in them, and what is wrong with them (spec 12 §5). */
class ConfigurationTest {
    private static Configuration read(String text) throws DocumentException {
        return Configuration.read("c.yaml", text);
    }

    private static List<String> problems(String text) {
        try {
            read(text);
        } catch (DocumentException e) {
            return e.problems().stream().map(Problem::toString).toList();
        }
        throw new AssertionError("nothing is wrong with " + text);
    }

    private static String problem(String text) {
        List<String> problems = problems(text);
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    private static String allSections() throws IOException {
        try (InputStream in = Objects.requireNonNull(ConfigurationTest.class.getResourceAsStream(
                "ConfigurationFuzzTestInputs/configuration/all-sections.yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void everySectionIsUnderstood() throws Exception {
        Configuration config = read(allSections());
        NetTunables tunables = new NetTunables(100, 16, 8, 128);
        assertThat(config.nis())
                .extracting(NiSpec::request)
                .containsExactly(
                        NiRequest.ofInterface(Net.TCP, "eth0")
                                .withTunables(tunables)
                                .withLndTunables(Map.of("conns_per_peer", 2, "tos", -1))
                                .withCpts(List.of(0)),
                        NiRequest.ofInterface(Net.parse("tcp1"), "eth1").withCpts(List.of(0, 2, 3)),
                        NiRequest.ofNid(Nid.parse("10.1.0.1@o2ib")).withCpts(List.of(0, 1)));
        assertThat(config.peers()).hasSize(2);
        PeerSpec peer = config.peers().getFirst();
        assertThat(peer.primary()).isEqualTo(Nid.parse("10.99.0.12@tcp"));
        assertThat(peer.nids())
                .containsExactly(
                        Nid.parse("10.99.0.12@tcp"), Nid.parse("10.99.1.12@tcp1"), Nid.parse("10.99.1.13@tcp1"));
        assertThat(peer.multiRail()).isTrue();
        assertThat(peer.health()).containsExactly(Map.entry(Nid.parse("10.99.0.12@tcp"), 900));
        assertThat(config.peers().getLast().multiRail()).isFalse();
        assertThat(config.rules())
                .extracting(rule -> rule.index() + " " + rule.rule())
                .containsExactly(
                        "0 src: tcp, action: {priority: 0}",
                        "1 dst: 10.99.1.[10-20]@tcp1, action: {priority: 1}",
                        "-1 src: 10.1.0.1@o2ib, dst: 10.2.[0-255].[0-255]@o2ib");
        assertThat(config.profile()).isEqualTo(CompatProfile.LUSTRE);
        assertThat(config.warnings()).isEmpty();
        LNetConfig built = config.configure(LNetConfig.builder()).build();
        assertThat(built.nis()).hasSize(3);
        assertThat(built.cpuPartitions()).isEqualTo(2);
        assertThat(built.cpuPattern()).isEmpty();
        assertThat(built.settings().get(Tunable.TRANSACTION_TIMEOUT)).isEqualTo(80);
        assertThat(built.settings().get(Tunable.RETRY_COUNT)).isEqualTo(3);
        assertThat(built.settings().get(Tunable.MAX_INTERFACES)).isEqualTo(100);
        assertThat(built.settings().get(Tunable.NUMA_RANGE)).isEqualTo(4);
        assertThat(built.settings().is(Tunable.DISCOVERY)).isFalse();
        assertThat(built.settings().get(Tunable.TIMEOUT_FORMULA))
                .as("over the profile")
                .isZero();
        assertThat(built.settings().is(Tunable.RECOVERY_BACKOFF))
                .as("of the profile")
                .isTrue();
    }

    @Test
    void nothingIsAConfigurationToo() throws Exception {
        for (String text :
                List.of("", "# nothing\n", "net:\npeer:\n", "net: []", "net: ~\npeer: null\nglobal: NULL\n")) {
            assertThat(read(text).nis()).isEmpty();
        }
    }

    @Test
    void tunablesOfTheFirstNiCountForTheNet() throws Exception {
        Configuration config = read("""
            net:
              - net type: tcp
                local NI(s):
                  - interfaces: {0: eth0}
                    tunables: {peer_credits: 4}
                  - interfaces: {0: eth1, 1: eth2}
                    tunables: {peer_credits: 5, peers: 7}
            """);
        assertThat(config.nis()).extracting(ni -> ni.request().interfaceName()).containsExactly("eth0", "eth1", "eth2");
        assertThat(config.nis())
                .allSatisfy(
                        ni -> assertThat(ni.request().tunables().peerCredits()).isEqualTo(4));
        assertThat(config.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "c.yaml:7:19: found other tunables for the net tcp, expected those of its first NI, which "
                                + "count for the whole net",
                        "c.yaml:7:37: found the net tunable 'peers', which has no effect here, expected one of "
                                + "peer_timeout, peer_credits, peer_buffer_credits, credits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nett: []                                | invalid key 'nett': c.yaml:1:1: expected one of | (did you"
                        + " mean 'net'?)",
                "hello                                   | 1:1: found 'hello' | a mapping",
                "[1, 2]                                | 1:1: found a list | a mapping",
                "net: 7                                | invalid value '7' for key | 1:6: expected a list",
                "net: [7]                              | invalid value '7' for key | 1:7: expected a mapping",
                "net: [{net type: tcp}]                | 1:7: found an NI without interface | 'interfaces:'",
                "net: [{net type: foo, interfaces: {0: a}}] | invalid value 'foo' for key | 1:18: expected the name of"
                        + " a net",
                "net: [{interfaces: {0: a}, net type: tcp}] | found 'interfaces' as the first key | 'net type'",
                "net: [{net type: tcp, interface: {0: a}, interfaces: {0: b}}] | invalid key 'interface' |"
                        + " 'interfaces'?)",
                "net: [{net type: tcp, interfaces: {0: a}, ip-range: {0: 1}}] | invalid key 'ip-range' | one of",
                "net: [{net type: tcp, interfaces: {x: a}}] | 1:36: found 'x' | a number",
                "net: [{net type: tcp, interfaces: {0: a b}}] | invalid value 'a b' for key | 1:39: expected the name"
                        + " of an interface",
                "net: [{net type: tcp, interfaces: {0: 'a[9-1]'}}] | 'a[9-1]' | CPU partitions",
                "net: [{net type: tcp, interfaces: {0: a}, CPT: x}] | invalid value 'x' for key | CPU partitions",
                "net: [{net type: tcp, interfaces: {0: a, 1: a}}] | 1:45: found a on tcp again | it is at 1:39",
                "net: [{net type: tcp, nid: 10.0.0.1@tcp1}] | invalid value '10.0.0.1@tcp1' for key | a NID on tcp",
                "net: [{net type: tcp, interfaces: {0: a}, tunables: {credits: 0}}] | invalid value '0' for key |"
                        + " 1…2147483647",
                "net: [{net type: tcp, interfaces: {0: a}, tunables: {credits: 1x}}] | invalid value '1x' for key | a"
                        + " number",
                "net: [{net type: tcp, interfaces: {0: a}, lnd tunables: {tos: 256}}] | invalid value '256' for key |"
                        + " -1…255",
                "net: [{net type: tcp, nid: 10.0.0.1@tcp, nid: 10.0.0.2@tcp}] | found 'nid' twice | it once",
                "peer: [{primary nid: nonsense@x}]     | invalid value 'nonsense@x' for key | 1:22: expected a NID of"
                        + " a peer",
                "peer: [{primary nid: 0@lo}]           | invalid value '0@lo' for key | a NID of a peer",
                "peer: [{peer ni: []}]                 | without 'primary nid' | in it",
                "peer: [{primary nid: 1.1.1.1@tcp, Multi-Rail: 1}] | invalid value '1' for key | true or false",
                "peer: [{primary nid: 1.1.1.1@tcp, peer ni: [{nid: '1.1.1.[9-2]@tcp'}]}] | 1.1.1.[9-2]@tcp | NIDs",
                "peer: [{primary nid: 1.1.1.1@tcp}, {primary nid: 1.1.1.1@tcp}] | 1.1.1.1@tcp again | it is at 1:22",
                "peer: [{primary nid: 1.1.1.1@tcp, Multi-Rail: false, peer ni: [{nid: 1.1.1.2@tcp}]}] | not"
                        + " multi-rail | one NID",
                "global: {retry_count: 999}            | 1:23: found retry_count 999 | go together",
                "global: {retry_count: -1}             | invalid value '-1' for key | 1:23: expected 0…31536000, the"
                        + " default is 2",
                "global: {health_sensitivity: 0, retry_count: 2} | health_sensitivity is 0 | go together",
                "global: {discovry: 1}                 | invalid key 'discovry' | (did you mean 'discovery'?)",
                "global: {timeout_formula: lustre}     | invalid key 'timeout_formula' | the section 'java'",
                "java: {timeout_formula: lusture}      | invalid value 'lusture' for key | documents or lustre,"
                        + " the default is documents (did you mean 'lustre'?)",
                "java: {compat_profile: x}             | invalid value 'x' for key | documents or lustre",
                "java: {profile: lustre}               | invalid key 'profile' | (did you mean 'compat_profile'?)",
                "java: {resend_intervall: 2}           | invalid key 'resend_intervall' | 'resend_interval'?)",
                "udsp: [{priority: 1}]                 | a selection rule with nothing | another rule",
                "udsp: [{src: tcp, rte: 1.1.1.1@tcp}]  | a selection rule with | another rule",
                "udsp: [{src: 1.1.1@tcp}]              | invalid value '1.1.1@tcp' for key | nets or NIDs",
                "udsp: [{src: tcp, action: {prio: 1}}] | invalid key 'prio' | (did you mean 'priority'?)",
                "udsp: [{src: tcp, action: {priority: -2}}] | invalid value '-2' for key | a number 0",
                "udsp: [{idx: 1, src: tcp}, {idx: 1, src: tcp1}] | idx 1 again | it is at 1:14",
                "routing: {enable: 4}                  | invalid value '4' for key | a number 0…3",
                "routing: {enabled: 1}                 | invalid key 'enabled' | enable",
                "route: [{net: o2ib}]                  | without 'gateway' | in it",
                "route: [{net: foo, gateway: 1.1.1.1@tcp}] | invalid value 'foo' for key | the name of a net",
                "route: [{net: o2ib, gateway: 1.1.1.1}, {net: o2ib, gateway: '1.1.1.[1-2]'}] | again | it is at 1:9",
                "route: [{net: o2ib, gateway: 1.1.1.1, hop: 256}] | invalid value '256' for key | 1…255",
                "buffers: {tiny: x}                    | invalid value 'x' for key | 0…1048576",
                "ip2nets: [{net-spec: tcp}]            | a rule without | at least one",
                "ip2nets: [{net-spec: tcp, ip-range: {0: 1.x}}] | invalid value '1.x' for key | addresses such as",
                "ip2nets: [{interfaces: {0: a}, net-spec: tcp}] | 'interfaces' as the first key | 'net-spec'",
                "global: {discovery: }                 | no value specified for key 'discovery': c.yaml:1:20: |"
                        + " expected 0 or 1, the default is 1",
                "route: [{net: , gateway: 1.1.1.1}]    | no value specified for key 'net' | the name of a net",
                "route: [{net: o2ib, gateway: 224.0.0.5@tcp}] | invalid value '224.0.0.5@tcp' for key | a router",
                "peer: [{primary nid: ff02::1@tcp}]    | invalid value 'ff02::1@tcp' for key | a NID of a peer",
                "peer: [{primary nid: 1.1.1.1@tcp, peer ni: [{nid: 239.1.1.1@tcp}]}] | 239.1.1.1@tcp | is a multicast",
                "peer: [{primary nid: fe80::1@tcp}]    | invalid value 'fe80::1@tcp' for key | a link-local address",
                "peer: [{primary nid: 1.1.1.1@tcp, peer ni: [{nid: fe80::1@tcp}]}] | fe80::1@tcp | a link-local",
                "route: [{net: o2ib, gateway: fe80::1@tcp}] | 'fe80::1@tcp' for key | local one (fd00::/8) of that"
                        + " node",
                "net: [{net type: tcp, interfaces: {0: a}, tunables: {<<: {credits: 1}}}] | the merge key '<<' | the"
                        + " keys that it stands for",
                "global: {discovery: ~}                | no value specified for key 'discovery' | 0 or 1",
                "net: 'null'                           | invalid value 'null' for key 'net' | a list",
                "ping: []                              | invalid key 'ping' | what is configured",
                "net: [{net type: tcp                  | c.yaml:1:21 | broken YAML",
                "net: *a                               | c.yaml:1:6 | broken YAML",
            })
    void whatIsWrongIsTold(String text, String found, String expected) {
        assertThat(problem(text)).contains("c.yaml:", found, expected);
    }

    @Test
    void everythingIsToldAtOnceInTheOrderOfTheFile() {
        assertThat(problems("""
            net:
              - net type: tcp
                interfaces:
                  0: "no such"
            peer:
              - primary nid: 300.0.0.1@tcp
              - primary nid: 10.0.0.1@tcp
                peer ni:
                  - nid: 10.0.0.2@tcp
              - primary nid: 10.0.0.2@tcp
            global:
              transaction_timeout: 0
            """))
                .satisfiesExactly(
                        line -> assertThat(line).contains(" for key '0': c.yaml:4:10: "),
                        line -> assertThat(line)
                                .startsWith("invalid value '300.0.0.1@tcp' for key 'primary nid': c.yaml:6:18: "),
                        line -> assertThat(line)
                                .startsWith("c.yaml:10:18: found 10.0.0.2@tcp as a NID of 10.0.0.2@tcp"),
                        line -> assertThat(line)
                                .startsWith("invalid value '0' for key 'transaction_timeout': c.yaml:12:24: "));
    }

    @Test
    void theLaterOfTwoSectionsWins() throws Exception {
        Configuration config = read("{numa: {range: 3}, global: {numa_range: 4}}");
        assertThat(config.settings()).extracting(SettingSpec::value).containsExactly(4);
        assertThat(config.warnings())
                .extracting(Problem::toString)
                .containsExactly(
                        "c.yaml:1:41: found numa_range again with another value, expected it once; it is at 1:16");
    }

    @Test
    void routersAndAddresses() throws Exception {
        Configuration config = read("""
            route:
              - net: o2ib
                gateway: 10.0.0.[1-2]@tcp
                hop: 2
            routing:
              - cpt[0]: {}
              - enable: 3
            buffers: {tiny: 600}
            ip2nets:
              - net-spec: tcp
                ip-range: {0: "10.20.*.[1-100/2]", 1: "2001:db8::/32"}
                tunables: {credits: 128}
            """);
        assertThat(config.rest().routes()).singleElement().satisfies(route -> {
            assertThat(route.gateways()).hasSize(2);
            assertThat(route.hops()).isEqualTo(2);
        });
        assertThat(config.rest().forwarding()).isTrue();
        assertThat(config.settings()).extracting(SettingSpec::tunable).containsExactly(Tunable.TINY_BUFFERS);
        assertThat(config.rest().ip2nets()).singleElement().satisfies(rule -> {
            assertThat(rule.ranges()).hasSize(2);
            assertThat(rule.like().tunables().credits()).isEqualTo(128);
        });
        assertThat(config.rest().sections()).containsExactly("route", "routing", "buffers", "ip2nets");
    }

    @Test
    void aRuleForANetThatIsNotThereIsOdd() throws Exception {
        Configuration config = read("{net: [{net type: tcp1, interfaces: {0: a}}], udsp: [{src: tcp}, {src: tcp1}]}");
        assertThat(config.warnings()).as("it may be for a node that has tcp").isEmpty();
        assertThat(config.warningsFor(List.of()))
                .extracting(Problem::toString)
                .containsExactly("c.yaml:1:54: found a rule for tcp, which orders nothing now, expected a net of this"
                        + " file");
        assertThat(config.warningsFor(List.of(Net.parse("tcp")))).isEmpty();
        assertThat(config.warningsFor(List.of(Net.parse("tcp2"))))
                .extracting(Problem::expected)
                .containsExactly("a net of this file or of the node");
    }

    @Test
    void aRuleAloneIsOddForANodeWithoutItsNet() throws Exception {
        Configuration config = read("udsp: [{src: 'tcp[1-2]'}, {dst: o2ib}]");
        assertThat(config.warningsFor(List.of())).as("nothing to tell by").isEmpty();
        assertThat(config.warningsFor(List.of(Net.parse("tcp")))).hasSize(1);
        assertThat(config.warningsFor(List.of(Net.parse("tcp2")))).isEmpty();
        Configuration other = read("{ip2nets: [{net-spec: tcp1, interfaces: {0: a}}]}");
        assertThat(other.plus(config).warningsFor(List.of(Net.parse("tcp")))).isEmpty();
    }

    @Test
    void aFileHasLimits() {
        assertThat(problem("[".repeat(100) + "]".repeat(100))).contains("levels of nesting");
        assertThat(problem("x".repeat((16 << 20) + 1))).contains("characters");
        assertThat(problem("a: &a [x]\nb: [" + "*a, ".repeat(60) + "]"))
                .contains("c.yaml:2:205: found more than 50 aliases of mappings and lists");
        for (String within :
                List.of("&a [*a]", "peer: &a\n- primary nid: 10.0.0.1@tcp\n  peer ni: *a", "&a {net: *a}")) {
            assertThat(problems(within))
                    .singleElement()
                    .asString()
                    .matches("c.yaml:[13]:[0-9]+: found an alias within what it stands for, expected one of something"
                            + " before it");
        }
        assertThat(problems("net: &a [&a x, *a]"))
                .as("of what was named last")
                .noneMatch(each -> each.contains("alias"));
        assertThat(problems("net:\n" + "  - 7\n".repeat(1000))).hasSize(50);
    }

    @Test
    void aLongWordCostsMemoryByItsLengthOnly() {
        String text = "net: " + "x".repeat(1 << 20);
        Allocations allocations = new Allocations();
        long before = allocations.bytes();
        assertThat(problem(text)).contains("c.yaml:1:6").hasSizeLessThan(200);
        assertThat(allocations.bytes() - before).as("bytes allocated").isLessThan(200L * text.length());
    }

    @Test
    void whatIsNoTextAndWhatIsEmptyHaveTheirPlace() {
        assertThat(problem("net:\n  - é\u0001"))
                .isEqualTo("c.yaml:2:6: found the character U+0001, expected text without control characters");
        assertThat(problem("net:\n  - {net type: tcp, interfaces: {0: a}}\n  -\n"))
                .contains("c.yaml:3:4: found an empty item");
        assertThat(problem("o2ibs:\n  - nid: 10.1.1.5@o2ib\n    ips: [{ip: 10.1.1.5}, '']\n"))
                .contains("c.yaml:3:27");
    }

    @Test
    void aPartOfALargerDocumentKeepsItsPlaces() throws Exception {
        Findings findings = new Findings("s.yaml");
        Item top = Objects.requireNonNull(Document.read("name: x\nconfig:\n  nett: []\n", findings));
        Item part = Objects.requireNonNull(top.entries().get("config")).value();
        assertThatThrownBy(() -> Configuration.read(part))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("invalid key 'nett': s.yaml:3:3: expected");
        assertThat(findings.errorCount()).as("of the larger document").isZero();
    }
}
