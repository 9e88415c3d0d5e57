package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** Channel bonding as administrators configure and see it (spec 21 §2, §8, §9). */
final class O2ibsTest {
    private BondWorld world = new BondWorld("10.1.0.9@o2ib 10.1.0.9 10.1.1.9 10.1.2.9\n", Map.of());

    @BeforeEach
    void configure() {
        good("lnet configure");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String good(String line) {
        return world.good(line);
    }

    private List<String> nids() {
        return good("net show")
                .lines()
                .filter(line -> line.contains("nid: "))
                .map(line -> line.substring(line.indexOf("nid: ") + 5))
                .toList();
    }

    private void again(String targets, Map<String, String> parameters) {
        world.close();
        world = new BondWorld(targets, parameters);
    }

    @Test
    void aBackupHasTheLimitThatWasAskedFor() {
        good("net add --net o2ib --if ib0");
        good("net set --net o2ib --lnd-timeout 0");
        assertThat(good("net show -v 2")).contains(" timeout: 50");
        String backup = good("export --backup");
        assertThat(backup).contains(" timeout: 0");
        assertThat(good("export")).contains(" timeout: 0");
        good("net set --net o2ib --conns-per-peer 3");
        good("undo");
        assertThat(good("export --backup")).isEqualTo(backup);
        good("net del --net o2ib");
        good("undo");
        assertThat(good("export --backup")).isEqualTo(backup);
        again("", Map.of("o2iblnd.timeout", "20"));
        good("lnet configure");
        good("net add --net o2ib --if ib0");
        assertThat(good("export --backup"))
                .as("what the next start would not have of itself")
                .contains(" timeout: 50");
        good("net set --net o2ib --lnd-timeout 20");
        assertThat(good("export --backup")).doesNotContain(" timeout: ");
    }

    @Test
    @Requirement({"cb-001", "cb-003", "cb-007", "cb-008", "cb-009"})
    void severalInterfacesOneNi() {
        good("net add --net o2ib --if ib1,ib0,ib2 --bond");
        assertThat(good("net show --net o2ib")).isEqualTo("""
            net:
            -     net type: o2ib
                  local NI(s):
                  -     nid: 10.1.1.2@o2ib
                        status: up
                        interfaces:
                              0: ib1
                              1: ib0
                              2: ib2
                        bonding: true
            """);
        good("net add --net o2ib1 --if ib0,ib3");
        assertThat(good("net show --net o2ib1"))
                .as("without the option, one NI for each")
                .contains("10.1.0.2@o2ib1", "10.1.3.2@o2ib1")
                .doesNotContain("bonding");
        good("net del --net o2ib --if ib0,ib1,ib2");
        good("undo");
        assertThat(good("net show --net o2ib")).contains("2: ib2", "bonding: true");
    }

    @Test
    @Requirement({"cb-007", "cb-009"})
    void interfacesComeAndGo() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        good("net add --net o2ib --if ib3 --bond");
        assertThat(interfaces()).containsExactly("ib0", "ib1", "ib3");
        good("net del --net o2ib --if ib1");
        assertThat(interfaces()).containsExactly("ib0", "ib3");
        good("undo");
        assertThat(interfaces()).containsExactly("ib0", "ib1", "ib3");
        assertThat(world.run("net add --net o2ib --if ib1 --bond").err()).contains("is in the group", "errno: -17");
        assertThat(world.run("net add --net o2ib --if ib7 --bond").err()).contains("ib7: is no InfiniBand interface");
        assertThat(interfaces()).containsExactly("ib0", "ib1", "ib3");
    }

    private List<String> interfaces() {
        return good("net show --net o2ib")
                .lines()
                .filter(line -> line.matches(" *[0-9]+: ib[0-9]"))
                .map(line -> line.substring(line.indexOf(": ") + 2))
                .toList();
    }

    @Test
    @Requirement({"cb-002", "cb-005", "cb-106"})
    void whatCanNotBeAGroup() {
        assertThat(world.run("net add --net tcp --if ib0,ib1 --bond").err()).contains("for nets of type o2ib");
        assertThat(world.run("net add --net o2ib --if ib0,ib0 --bond").err()).contains("ib0: is listed twice");
        assertThat(world.run("net add --net o2ib --if ib0,ib9 --bond").err())
                .contains("ib9: is no InfiniBand interface", "errno: -22");
        String many = IntStream.range(0, 17).mapToObj(i -> "ib" + i).collect(Collectors.joining(","));
        assertThat(world.run("net add --net o2ib --if " + many + " --bond").err())
                .contains("too many interfaces for net o2ib");
    }

    @Test
    @Requirement("cb-145")
    void groupsAndOrdinaryNisAreOnDifferentNets() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        good("net add --net o2ib1 --if ib2");
        assertThat(world.run("net add --net o2ib --if ib2").err())
                .contains("10.1.0.2@o2ib, which is on the same net, is a group of interfaces", "errno: -17");
        assertThat(world.run("net add --net o2ib1 --if ib3 --bond").err())
                .contains("10.1.2.2@o2ib1, which is on the same net, is no group of interfaces");
        assertThat(nids()).containsExactly("0@lo", "10.1.0.2@o2ib", "10.1.2.2@o2ib1");
    }

    @Test
    @Requirement({"cb-002", "cb-007", "cb-008"})
    void theParameterNetworks() {
        String networks = "o2ib0(ib0, ib2), o2ib1(ib1,ib3)";
        again("", Map.of("networks", networks, "channel_bonding", "1"));
        good("lnet configure --all");
        assertThat(nids()).containsExactly("0@lo", "10.1.0.2@o2ib", "10.1.1.2@o2ib1");
        again("", Map.of("networks", networks));
        good("lnet configure --all");
        assertThat(nids()).hasSize(5);
        again("", Map.of("networks", networks, "channel_bonding", "yes"));
        assertThat(world.run("lnet configure --all").err()).contains("channel_bonding is 'yes'; expected 0 or 1");
    }

    @Test
    @Requirement({"cb-007", "cb-009", "cb-104"})
    void whatIsExportedIsReadBack() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        good("o2ibs add --nid 10.1.0.5@o2ib --ips 10.1.0.5 10.1.1.5");
        String backup = good("export --backup");
        assertThat(backup)
                .contains("bonding: true", "nid: 10.1.0.5@o2ib", "- ip: \"10.1.1.5\"")
                .as("what comes from the file comes back from there")
                .doesNotContain("10.1.0.9@o2ib");
        assertThat(good("export")).contains("10.1.0.9@o2ib");
        again("", Map.of());
        good("lnet configure");
        assertThat(world.run("import", backup).exit()).isZero();
        assertThat(good("export --backup")).isEqualTo(backup);
        assertThat(world.run("import --del", "o2ibs:\n- nid: 10.1.0.5@o2ib\n  ips:\n  - ip: 10.1.0.5\n")
                        .exit())
                .isZero();
        assertThat(good("export --backup")).doesNotContain("10.1.0.5@o2ib");
    }

    @Test
    @Requirement({"cb-008", "cb-104"})
    void theTunableSaysTheSameAsBonding() {
        String net = """
            net:
            - net type: o2ib
              interfaces:
                0: ib0
                1: ib2
              lnd tunables:
                channel_bonding: %s
            """;
        assertThat(world.run("import", net.formatted("1")).err()).isEmpty();
        assertThat(nids()).containsExactly("0@lo", "10.1.0.2@o2ib");
        String backup = good("export --backup");
        assertThat(backup).contains("1: ib2", "bonding: true", "channel_bonding: 1");
        again("", Map.of());
        good("lnet configure");
        assertThat(world.run("import", backup).exit()).isZero();
        assertThat(good("export --backup")).isEqualTo(backup);
        again("", Map.of());
        good("lnet configure");
        assertThat(world.run("import", net.formatted("0")).exit()).isZero();
        assertThat(nids()).as("one NI of each").hasSize(3);
        assertThat(world.run("import", net.formatted("2")).err()).contains("stdin:7:22", "invalid value '2'");
        assertThat(world.run("import", net.formatted("1") + "  bonding: false\n")
                        .err())
                .contains("bonding: false and channel_bonding: 1");
    }

    @Test
    @Requirement("cb-008")
    void parametersAreConvertedWithTheirGroups() {
        for (String parameters : List.of(
                "--networks 'o2ib0(ib0[0], ib2),o2ib1(ib1)'",
                "--ip2nets 'o2ib0(ib0, ib2) 10.1.*.*; o2ib1(ib1) 10.1.*.*'")) {
            again("", Map.of());
            good("lnet configure");
            World.Result converted = world.run("convert " + parameters + " --channel_bonding 1");
            assertThat(converted.exit()).isZero();
            assertThat(world.run("import", converted.out()).err()).isEmpty();
            assertThat(nids()).containsExactly("0@lo", "10.1.0.2@o2ib", "10.1.1.2@o2ib1");
            assertThat(good("net show --net o2ib")).contains("0: ib0", "1: ib2", "bonding: true");
            assertThat(good("convert --channel_bonding 0 " + parameters)).doesNotContain("bonding");
        }
        assertThat(good("convert -n tcp(eth0,eth1) -b 1")).doesNotContain("bonding");
        assertThat(world.run("convert -n o2ib(ib0) -b yes").err())
                .contains("channel_bonding is 'yes'; expected 0 or 1");
    }

    @Test
    @Requirement("cb-008")
    void theTunableInRulesByAddress() {
        String rules = """
            ip2nets:
            - net-spec: o2ib
              interfaces:
                0: ib1
                1: ib3
              lnd tunables:
                channel_bonding: 1
            """;
        assertThat(world.run("import", rules).err()).isEmpty();
        assertThat(good("net show --net o2ib")).contains("nid: 10.1.1.2@o2ib", "1: ib3", "bonding: true");
        again("", Map.of("ip2nets", "o2ib(ib0,ib1) 10.1.*.*", "o2iblnd.channel_bonding", "1"));
        good("lnet configure --all");
        assertThat(nids()).containsExactly("0@lo", "10.1.0.2@o2ib");
        again("", Map.of("networks", "o2ib(ib2,ib1)", "o2iblnd.channel_bonding", "1"));
        good("lnet configure --all");
        assertThat(nids()).containsExactly("0@lo", "10.1.2.2@o2ib");
    }

    @Test
    @Requirement({"cb-104", "cb-106"})
    void documentsWithMistakes() {
        assertThat(world.run("import", "o2ibs:\n- nid: 10.1.0.5@o2ib\n  ips:\n  - ip: 10.1.0.555\n")
                        .err())
                .contains("stdin:4:9: expected an IPv4 address");
        assertThat(world.run("import", "o2ibs:\n- nid: 10.1.0.5@tcp\n  ips:\n  - ip: 10.1.0.5\n")
                        .err())
                .contains("no NID for a target", "10.1.0.5@tcp");
        assertThat(world.run("import", "net:\n- net type: tcp\n  bonding: true\n  interfaces:\n    0: ib0\n")
                        .err())
                .contains("found bonding on tcp, expected it on nets of type o2ib only");
    }

    @Test
    @Requirement({"cb-100", "cb-101", "cb-103", "cb-106"})
    void targets() {
        World.Result added =
                world.run("--strict_options o2ibs add --nid 10.1.0.5@o2ib --ips 10.1.0.5 10.1.1.5,10.1.2.5");
        assertThat(added.exit()).as(added.err()).isZero();
        assertThat(added.err()).isEmpty();
        good("o2ibs add --nid 10.1.0.5@o2ib1 --ips 10.1.0.5");
        assertThat(good("o2ibs show --net o2ib")).isEqualTo("""
            o2ibs:
                - nid: 10.1.0.5@o2ib
                  ips:
                      - ip: "10.1.0.5"
                      - ip: "10.1.1.5"
                      - ip: "10.1.2.5"
            """);
        assertThat(good("o2ibs show")).contains("10.1.0.5@o2ib1");
        assertThat(good("o2ibs show --nid 10.1.0.5@o2ib1")).doesNotContain("10.1.2.5");
        World.Result there = world.run("o2ibs add --nid 10.1.0.5@o2ib --ips 10.1.0.7");
        assertThat(there.err()).contains("errno: -17", "--force replaces them");
        good("o2ibs add --nid 10.1.0.5@o2ib --ips 10.1.0.5 10.1.1.5 10.1.2.5");
        good("o2ibs add --nid 10.1.0.5@o2ib --ips 10.1.0.7 --force");
        assertThat(good("o2ibs show --net o2ib")).contains("10.1.0.7").doesNotContain("10.1.2.5");
        good("undo");
        assertThat(good("o2ibs show --net o2ib")).contains("10.1.2.5");
        good("o2ibs del --nid 10.1.0.5@o2ib");
        assertThat(world.run("o2ibs show --net o2ib").err()).contains("there is no target on o2ib");
        assertThat(world.run("o2ibs del --nid 10.1.0.5@o2ib").err()).contains("errno: -2");
        assertThat(world.run("o2ibs add --nid 10.1.0.5@tcp --ips 10.1.0.5").err())
                .contains("'10.1.0.5@tcp' is no NID for a target");
        assertThat(world.run("o2ibs add --nid 10.1.0.5@o2ib --ips host").err())
                .contains("'host' is no IPv4 address, expected four numbers such as 10.1.1.2");
        assertThat(world.run("o2ibs add --nid 10.1.0.5@o2ib --ips " + "10.1.0.5 ".repeat(17))
                        .err())
                .contains("17 addresses for 10.1.0.5@o2ib, expected 1 to 16");
        assertThat(world.run("o2ibs add --nid 10.1.0.5@o2ib").err()).contains("say --ips IP …");
    }

    @Test
    @Requirement({"cb-102", "cb-122", "cb-128"})
    void theCheck() {
        good("net add --net o2ib --if ib0,ib1,ib2 --bond");
        World.Result fine = world.run("o2ibs check --net o2ib");
        World.Result absent = world.run("o2ibs check --net o2ib7");
        assertThat(absent.exit()).isEqualTo(234);
        assertThat(absent.err()).contains("there is no target on o2ib7 here");
        assertThat(fine.exit()).as("warnings are no errors").isZero();
        assertThat(fine.out()).isEqualTo("""
            check:
                - id: cb-122
                  severity: warning
                  subject: 10.1.0.2@o2ib
                  text: has no target; add one with 10.1.0.2 10.1.1.2 10.1.2.2
            """);
        good("o2ibs add --nid 10.1.0.2@o2ib --ips 10.1.0.2 10.1.1.2 10.1.2.2");
        world.link(0, false);
        World.Result wrong = world.run("o2ibs check");
        assertThat(wrong.exit()).isEqualTo(234);
        assertThat(wrong.out()).contains("cb-128", "IBLND_DEV_PORT_DOWN", "peers that are not bonded");
    }

    @Test
    @Requirement({"cb-023", "cb-102"})
    void aTargetFileWithMistakes() {
        again("10.1.0.9@o2ib 10.1.0.9\n10.1.0.8 x\n", Map.of());
        good("lnet configure");
        good("net add --net o2ib --if ib0 --bond");
        assertThat(good("o2ibs show")).contains("10.1.0.9");
        World.Result wrong = world.run("o2ibs check");
        assertThat(wrong.exit()).isEqualTo(234);
        assertThat(wrong.out()).contains("subject: o2ibs.conf, line 2").contains("is no NID");
    }

    @Test
    void withoutAnyNiThereIsNothingToShow() {
        assertThat(good("net_status")).isEmpty();
    }

    @Test
    @Requirement({"cb-060", "cb-068", "cb-105"})
    void theStateOfInterfaces() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        world.link(1, false);
        assertThat(good("net_status --net o2ib")).isEqualTo("""
            net_status:
                - nid: 10.1.0.2@o2ib
                  bonding: true
                  state: degraded
                  members:
                      - interface: ib0
                        ip: "10.1.0.2"
                        device: mlx5_0
                        port: 1
                        state: IBLND_DEV_PORT_ACTIVE
                        width: "4X"
                        speed: 2.5 Gb/s
                        rate: 10.0 Gb/s
                        expected: 10.0 Gb/s
                        link_speed: 4
                        registration: fastreg
                      - interface: ib1
                        ip: "10.1.1.2"
                        device: mlx5_1
                        port: 1
                        state: IBLND_DEV_PORT_DOWN
                        width: "4X"
                        speed: 2.5 Gb/s
                        rate: 10.0 Gb/s
                        expected: 10.0 Gb/s
                        link_speed: 4
                        registration: fastreg
                  memory_of_cards:
                      registered_bytes: 4096
            """);
        World.Result asked = world.run("import", "net_status:\n- net: o2ib\n");
        assertThat(asked.out()).isEqualTo(good("net_status"));
        World.Result none = world.run("net_status --net o2ib7");
        assertThat(none.exit()).isEqualTo(234);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("errno: -3", "there is no NI over InfiniBand on o2ib7 here");
        world.link(0, false);
        assertThat(good("net_status")).contains("state: down");
        assertThat(good("net show --net o2ib -v 2")).contains("status: down", "fatal_error: 1");
    }

    @Test
    @Requirement({"ibl-120", "mod-032"})
    void tunablesThatCount() {
        good("net add --net o2ib --if ib0 --peer-credits 32");
        assertThat(good("net show --net o2ib -v")).contains("""
                        lnd tunables:
                              peercredits_hiw: 16
                              map_on_demand: true
                              concurrent_sends: 32
                              fmr_pool_size: 512
                              fmr_flush_trigger: 384
                              fmr_cache: 1
                              ntx: 512
                              conns_per_peer: 1
                              timeout: 50
                              tos: -1
            """);
        String backup = good("export --backup");
        assertThat(backup).contains("map_on_demand: true");
        for (String value : List.of("true", "false", "0", "32", "256")) {
            good("lnet unconfigure");
            good("lnet configure");
            String file = backup.replace("map_on_demand: true", "map_on_demand: " + value);
            assertThat(world.run("import", file).err()).isEmpty();
            assertThat(good("export --backup")).as("map_on_demand %s", value).isEqualTo(backup);
        }
    }

    @Test
    @Requirement({"cb-090", "cb-092"})
    void tellingAddressesIsAskedFor() {
        String net = """
            net:
            - net type: o2ib
              interfaces:
                0: ib0
                1: ib1
              bonding: true
              lnd tunables:
                advertise_ips: %s
            """;
        assertThat(world.run("import", net.formatted("2")).err()).contains("stdin:8:20", "invalid value '2'");
        assertThat(world.run("import", net.formatted("1")).err()).isEmpty();
        assertThat(good("net show --net o2ib -v")).contains("advertise_ips: 1");
        String backup = good("export --backup");
        assertThat(backup).contains("advertise_ips: 1");
        again("", Map.of());
        good("lnet configure");
        assertThat(world.run("import", backup).exit()).isZero();
        assertThat(good("export --backup")).isEqualTo(backup);
    }

    @Test
    void theDoctorKnowsGroups() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        assertThat(world.run("doctor --yaml").out())
                .as("these devices are none of this machine; each is looked for by its own name")
                .contains("there is no device ib0;", "there is no device ib1;")
                .contains("lnetctl net del --net o2ib --if ib1")
                .doesNotContain("ib0,ib1", "attempts-do-not-fit");
    }

    @Test
    @Requirement("cb-103")
    void routes() {
        good("net add --net o2ib --if ib0,ib1 --bond");
        assertThat(good("o2ibs routes")).isEqualTo("routes: []\n");
    }
}
